/** People still to be enriched. */
export const enrichment = `
create table enrichment_task (
  team_id uuid not null references team, person_urn text not null, attempts integer not null default 0,
  due_at timestamptz not null, lease_owner uuid, lease_until_ms bigint, fence bigint not null default 0,
  created_at timestamptz not null, unexpected_failures integer not null default 0,
  primary key (team_id, person_urn)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
create index enrichment_task_due on enrichment_task (due_at);
create index enrichment_task_of_team_due on enrichment_task (team_id, due_at, person_urn);
`
