/** Webhooks, deliveries and pushes. */
export const delivery = `
create table webhook (
  team_id uuid not null references team,
  owner_id uuid not null,
  owner_kind text not null check (owner_kind in ('source', 'agent')),
  url text,
  icp_only boolean not null default false,
  auto_send boolean not null default true,
  auto_send_since timestamptz,
  sync_events boolean not null default false,
  url_set_at timestamptz,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  agent_id uuid,
  filters jsonb not null default '[]'::jsonb,
  clearing uuid,
  -- How often automatic sending began anew: its URL became another one, or autoSend was switched on (G158, G160).
  round integer not null default 0,
  primary key (team_id, owner_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

create table delivery (
  team_id uuid not null references team,
  id uuid not null,
  owner_id uuid not null,
  event text not null,
  subject text not null,
  lead_id uuid,
  state text not null check (state in ('pending', 'sending', 'sent', 'failed', 'held', 'cancelled')),
  body bytea,
  attempts integer not null default 0,
  due_at timestamptz not null,
  lease_owner uuid,
  lease_until_ms bigint,
  fence bigint not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  awaits_enrichment boolean not null default false,
  icp_only boolean not null default false,
  unexpected_failures integer not null default 0,
  -- Queued because autoSend is on: called off when that is switched off.
  automatic boolean not null default false,
  primary key (team_id, id),
  constraint delivery_once unique (team_id, owner_id, event, subject)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
create index delivery_due on delivery (due_at) where state in ('pending', 'sending');
create index delivery_turn on delivery (team_id, owner_id, due_at) with (deduplicate_items=off)
  where state in ('pending', 'sending');
create index delivery_in_flight on delivery (team_id, owner_id) where state = 'sending';
create index delivery_of_lead on delivery (team_id, lead_id) where lead_id is not null;
create index delivery_held on delivery (team_id, owner_id) where state = 'held';
create index delivery_of_owner on delivery (team_id, owner_id, id) include (state);
create index delivery_given_up on delivery (team_id, id) where state in ('failed', 'cancelled');
create index delivery_not_of_lead on delivery (team_id, id) where event <> 'lead.detected';
create index delivery_of_team_due on delivery (team_id, due_at) where state in ('pending', 'sending');
create index delivery_body_age on delivery (team_id, finished_at) where body is not null and finished_at is not null;

create table delivery_attempt (
  team_id uuid not null references team,
  delivery_id uuid not null,
  number integer not null,
  at timestamptz not null,
  status integer,
  outcome text not null,
  elapsed_ms integer not null,
  response text,
  primary key (team_id, delivery_id, number)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index delivery_attempt_age on delivery_attempt (at);

create table push (
  team_id uuid not null references team,
  id uuid not null,
  owner_id uuid not null,
  icp_only boolean not null,
  considered integer not null,
  queued integer not null,
  created_at timestamptz not null,
  queueing boolean not null default false,
  looked integer not null default 0,
  cursor_at timestamptz,
  cursor_id uuid,
  due_at timestamptz,
  lease_owner uuid,
  lease_until_ms bigint,
  fence bigint not null default 0,
  unexpected_failures integer not null default 0,
  counted boolean not null default true,
  primary key (team_id, id)
);
create index push_queueing on push (team_id, created_at, id) where queueing;
create index push_uncounted on push (team_id, id) where not counted;

create table push_lead (
  team_id uuid not null references team,
  push_id uuid not null,
  delivery_id uuid not null,
  primary key (team_id, push_id, delivery_id)
);
create index push_lead_of_delivery on push_lead (team_id, delivery_id);

create table delivery_lease (
  team_id uuid not null,
  owner_id uuid not null,
  delivery_id uuid not null,
  lease_owner uuid not null,
  lease_until_ms bigint not null,
  fence bigint not null,
  primary key (team_id, owner_id, delivery_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 100000, autovacuum_vacuum_cost_delay = 0);
create index delivery_lease_fence on delivery_lease (uuid_hash(owner_id), fence);

create table push_count (
  team_id uuid not null,
  push_id uuid not null,
  state text not null,
  awaits_enrichment boolean not null,
  leads bigint not null,
  primary key (team_id, push_id, state, awaits_enrichment)
) with (fillfactor = 70);

create table push_change (
  team_id uuid not null,
  push_id uuid not null,
  mark bigint not null,
  state text not null,
  awaits_enrichment boolean not null,
  leads bigint not null,
  primary key (team_id, push_id, mark, state, awaits_enrichment)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 100000, autovacuum_vacuum_cost_delay = 0);

create table webhook_clearing (
  team_id uuid not null,
  owner_id uuid not null,
  id uuid not null,
  leads_at timestamptz,
  leads_id uuid,
  leads_done boolean not null default false,
  delivery_id uuid,
  primary key (team_id, owner_id)
);

create table webhook_kept (
  team_id uuid not null,
  clearing_id uuid not null,
  row_id uuid not null,
  primary key (team_id, clearing_id, row_id)
);

create function delivery_is_leased() returns trigger language plpgsql as $$ begin
    delete from delivery_lease
    where team_id = new.team_id and owner_id = new.owner_id and delivery_id = new.id
      and lease_until_ms <= new.lease_until_ms - 60000;
    if exists (select 1 from delivery_lease
      where team_id = new.team_id and owner_id = new.owner_id and delivery_id = new.id) then
      return null;
    end if;
    return new;
  end $$;
create trigger delivery_leased_once before update of state on delivery for each row when (new.state = 'sending')
  execute function delivery_is_leased();

create function note_pushed_moved() returns trigger language plpgsql
 SET enable_seqscan TO 'off' as $$ begin
    if not exists (select from rows r cross join lateral (
        select from push_lead p where p.team_id = r.team_id and p.delivery_id = r.id limit 1) listed) then
      return null;
    end if;
    insert into push_change as c (team_id, push_id, mark, state, awaits_enrichment, leads)
    select team_id, push_id, pg_current_xact_id()::text::bigint, state, awaits_enrichment, sum(leads) from (
      select p.team_id, p.push_id, d.state, d.awaits_enrichment, d.leads from (
        select team_id, id, state, awaits_enrichment, sum(n) as leads from (
          select team_id, id, state, awaits_enrichment, 1 as n from rows
          union all select team_id, id, state, awaits_enrichment, -1 from gone) each_row
        group by 1, 2, 3, 4 having sum(n) <> 0) d
      cross join lateral (select team_id, push_id from push_lead
        where team_id = d.team_id and delivery_id = d.id offset 0) p) changed
    group by 1, 2, 4, 5 having sum(leads) <> 0 order by 2, 4, 5
    on conflict (team_id, push_id, mark, state, awaits_enrichment) do update set leads = c.leads + excluded.leads;
    return null;
  end $$;
create trigger delivery_update_pushes after update on delivery referencing old table as gone new table as rows for each
  statement execute function note_pushed_moved();

create function note_pushed_added() returns trigger language plpgsql
 SET enable_seqscan TO 'off' as $$ begin
    insert into push_change as c (team_id, push_id, mark, state, awaits_enrichment, leads)
    select team_id, push_id, pg_current_xact_id()::text::bigint, state, awaits_enrichment, sum(leads) from (
      select r.team_id, r.push_id, d.state, d.awaits_enrichment, 1 as leads from rows r
      cross join lateral (select state, awaits_enrichment from delivery
        where team_id = r.team_id and id = r.delivery_id offset 0) d) changed
    group by 1, 2, 4, 5 having sum(leads) <> 0 order by 2, 4, 5
    on conflict (team_id, push_id, mark, state, awaits_enrichment) do update set leads = c.leads + excluded.leads;
    return null;
  end $$;
create trigger push_lead_insert_counts after insert on push_lead referencing new table as rows for each statement
  execute function note_pushed_added();

create function note_pushed_left() returns trigger language plpgsql
 SET enable_seqscan TO 'off' as $$ begin
    insert into push_change as c (team_id, push_id, mark, state, awaits_enrichment, leads)
    select team_id, push_id, pg_current_xact_id()::text::bigint, state, awaits_enrichment, sum(leads) from (
      select r.team_id, r.push_id, d.state, d.awaits_enrichment, -1 as leads from rows r
      cross join lateral (select state, awaits_enrichment from delivery
        where team_id = r.team_id and id = r.delivery_id offset 0) d) changed
    group by 1, 2, 4, 5 having sum(leads) <> 0 order by 2, 4, 5
    on conflict (team_id, push_id, mark, state, awaits_enrichment) do update set leads = c.leads + excluded.leads;
    return null;
  end $$;
create trigger push_lead_delete_counts after delete on push_lead referencing old table as rows for each statement
  execute function note_pushed_left();
`
