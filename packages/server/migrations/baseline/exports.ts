/** Files of leads that teams asked for. */
export const exportsOfLeads = `
create table lead_export (
  team_id uuid not null references team, id uuid not null,
  format text not null check (format in ('csv', 'jsonl')),
  preset text check (preset in ('hubspot', 'heyreach', 'instantly', 'smartlead', 'clay', 'apollo')),
  filters jsonb not null,
  state text not null check (state in ('running', 'done', 'failed')),
  row_count integer not null default 0, parts integer not null default 0,
  -- The last row written.
  cursor_at timestamptz, cursor_id uuid, created_at timestamptz not null, expires_at timestamptz,
  due_at timestamptz not null, lease_owner uuid, lease_until_ms bigint, fence bigint not null default 0,
  unexpected_failures integer not null default 0,
  primary key (team_id, id),
  constraint lead_export_over check ((state = 'running') = (expires_at is null))
);
create index lead_export_running on lead_export (team_id, due_at, id) where state = 'running';
create index lead_export_expiry on lead_export (expires_at) where expires_at is not null;

create table lead_export_part (
  team_id uuid not null references team, export_id uuid not null, number integer not null,
  -- Gzip; the parts concatenated are one file.
  data bytea not null,
  primary key (team_id, export_id, number),
  constraint lead_export_part_of_export foreign key (team_id, export_id) references lead_export(team_id, id) on delete cascade
);
`
