/** Teams' destinations, deliveries to them, and the records made there. */
export const destinations = `
create table destination (
  team_id uuid not null references team, id uuid not null,
  kind text not null check (kind in ('webhook', 'slack', 'hubspot', 'google_sheets', 's3', 'attio', 'salesforce')),
  name text not null, active boolean not null,
  paused_reason text check (paused_reason in ('credentials_rejected', 'scope_missing', 'setup_missing', 'quota', 'plan')),
  settings jsonb not null, credentials bytea, credentials_hint text, filters jsonb not null,
  icp_only boolean not null,
  -- Null: all sources.
  source_ids uuid[], mapping jsonb not null, created_at timestamptz not null, last_delivered_at timestamptz,
  failing_since timestamptz,
  -- Consecutive calls without an answer.
  failures integer not null default 0,
  due_at timestamptz not null, lease_owner uuid, lease_until_ms bigint, fence bigint not null default 0,
  unexpected_failures integer not null default 0,
  -- When the CRM's stages are polled next, and the cursor of the poll under way.
  stages_at timestamptz, stages_after text,
  primary key (team_id, id)
);

create table destination_delivery (
  team_id uuid not null references team, id uuid not null, destination_id uuid not null,
  -- The person's id, or the lead's for kinds with one message per lead.
  subject text not null, person_urn text not null, lead_id uuid not null, push_id uuid,
  state text not null check (state in ('waiting', 'delivered', 'unchanged', 'refused', 'excluded', 'unknown')),
  attempts integer not null default 0,
  -- Set before sending, cleared with the outcome: if it is still set after a crash, the record may have been sent.
  begun_at timestamptz, remote_id text, remote_url text, error jsonb, due_at timestamptz not null,
  at timestamptz not null,
  primary key (team_id, id),
  constraint destination_delivery_of_destination foreign key (team_id, destination_id) references destination(team_id, id)
) with (fillfactor = 70);
create unique index destination_delivery_waiting on destination_delivery (team_id, destination_id, subject)
  where state = 'waiting' and begun_at is null;
create index destination_delivery_due on destination_delivery (team_id, destination_id, due_at, id) where state = 'waiting';
create index destination_delivery_newest on destination_delivery (team_id, destination_id, id desc) include (state);
create index destination_delivery_of_person on destination_delivery (team_id, person_urn);
create index destination_delivery_of_push on destination_delivery (team_id, push_id) where push_id is not null;

-- Days whose files have no manifest yet.
create table destination_day (
  team_id uuid not null references team, destination_id uuid not null, day date not null,
  closes_at timestamptz not null,
  primary key (team_id, destination_id, day),
  constraint destination_day_of_destination foreign key (team_id, destination_id) references destination(team_id, id)
);

create table destination_record (
  team_id uuid not null references team, destination_id uuid not null, subject text not null,
  person_urn text not null, remote_id text not null, remote_url text, company_id text,
  -- Keys of engagements that have a note on the platform.
  notes text[] not null,
  -- SHA-256 of the document last written; an unchanged one is not sent.
  digest bytea not null, written_at timestamptz not null,
  primary key (team_id, destination_id, subject),
  constraint destination_record_of_destination foreign key (team_id, destination_id) references destination(team_id, id)
);
create index destination_record_of_person on destination_record (team_id, person_urn);
`
