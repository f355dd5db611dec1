/** ICP criteria and their re-scoring, pushes, and deliveries that wait: for enrichment, or for their first attempt to be serialised. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements = [
  // ---- fit ------------------------------------------------------------------------------------------------------------
  `create table icp (
    team_id uuid not null references team,
    owner_id uuid not null,
    rules jsonb not null,
    match_mode text not null check (match_mode in ('all', 'any')),
    version integer not null,
    saved_at timestamptz not null,
    primary key (team_id, owner_id)
  ) with (fillfactor = 70)`,
  // How far the leads of an owner have been judged by the newest version of its criteria, in the order of (created_at, id).
  `create table icp_rescore (
    team_id uuid not null references team,
    owner_id uuid not null,
    version integer not null,
    cursor_at timestamptz,
    cursor_id uuid,
    judged integer not null default 0,
    done boolean not null default false,
    lease_until_ms bigint,
    started_at timestamptz not null,
    primary key (team_id, owner_id)
  ) with (fillfactor = 50)`,
  `create index icp_rescore_open on icp_rescore (started_at) where not done`,
  // ---- delivery -------------------------------------------------------------------------------------------------------
  // A pushed lead is serialised at its first attempt: a push of 100,000 writes no bodies.
  `alter table delivery alter column body drop not null`,
  `alter table delivery add column awaits_enrichment boolean not null default false`,
  `alter table delivery add column icp_only boolean not null default false`,
  `create index delivery_held on delivery (team_id, owner_id) where state = 'held'`,
  `create table push (
    team_id uuid not null references team,
    id uuid not null,
    owner_id uuid not null,
    icp_only boolean not null,
    considered integer not null,
    queued integer not null,
    created_at timestamptz not null,
    primary key (team_id, id)
  )`,
  `create table push_lead (
    team_id uuid not null references team,
    push_id uuid not null,
    delivery_id uuid not null,
    primary key (team_id, push_id, delivery_id)
  )`,
  `create index push_lead_of_delivery on push_lead (team_id, delivery_id)`,
]
