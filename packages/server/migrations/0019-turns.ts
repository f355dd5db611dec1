/**
 * Turns of teams become the way in to all work: a row says whether a team is ready, or when it is to be looked at again, so that a claim
 * picks a team by an index and then its oldest work by another. Teams with open work are ready; those of this version's predecessor
 * that are added meanwhile are found by the sweep.
 */

/** The open rows of each kind. */
const open: readonly (readonly [kind: string, rows: string])[] = [
  ['capture', `sync where finished_at is null and lane = 'capture'`],
  ['keyword', `sync where finished_at is null and lane = 'keyword'`],
  ['enrichment', `enrichment_task`],
  ['enrich_job', `job where finished_at is null and type in ('enrich_profile', 'enrich_company')`],
  ['posts_job', `job where finished_at is null and type in ('profile_posts', 'company_posts')`],
  ['delivery', `delivery where state in ('pending', 'sending')`],
  ['outreach', `outreach_rule where state = 'active'`],
  ['outreach', `outreach_batch where state <> 'settled'`],
  ['rescore', `icp_rescore where not done`],
  ['discover', `discover_run where finished_at is null`],
  ['agent', `agent where status = 'active' and not people_added and discover_run is not null`],
]

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `alter table work_turn add column ready boolean not null default true`,
  `alter table work_turn add column due_at timestamptz`,
  `alter table work_turn add column look_ms bigint`,
  ...open.map(
    ([kind, rows]) =>
      `insert into work_turn (team_id, kind, served) select distinct team_id, '${kind}', 0 from ${rows} on conflict (team_id, kind) do nothing`,
  ),
  `create index work_turn_ready on work_turn (kind, served) where ready`,
  `create index work_turn_due on work_turn (kind, due_at) where not ready and due_at is not null`,
  `create index work_turn_look on work_turn (kind, look_ms) where not ready and look_ms is not null`,
  // The oldest work of a team, of each kind that a team can have much of.
  `create index sync_of_team_due on sync (team_id, lane, due_at, id) where finished_at is null`,
  `create index job_of_team_due on job (team_id, (type in ('profile_posts', 'company_posts')), due_at, id) where finished_at is null`,
  `create index enrichment_task_of_team_due on enrichment_task (team_id, due_at, person_urn)`,
  `create index delivery_of_team_due on delivery (team_id, due_at) where state in ('pending', 'sending')`,
  `create index discover_run_of_team_due on discover_run (team_id, due_at, id) where finished_at is null`,
  `create index outreach_batch_of_team_open on outreach_batch (team_id, state, due_at) where state <> 'settled'`,
  // A re-scoring is leased like any other work.
  `alter table icp_rescore add column lease_owner uuid`,
  `alter table icp_rescore add column fence bigint not null default 0`,
]
