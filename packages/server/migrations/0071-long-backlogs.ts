/**
 * What requests leave to the background, beside what migration 0032 made room for (docs/decisions/0113).
 *
 * A webhook whose URL was cleared while thousands waited for it: until all of it is given up, `webhook_clearing` says so of its owner, and
 * `webhook_kept` names the deliveries and leads that were queued after the URL was cleared: they are none of what is given up. Which
 * clearing is under way stands on the webhook too: it is read under that lock.
 *
 * `outreach_history`: how far a push of history of a source with many leads has come. It goes with its rule.
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table webhook_clearing (
    team_id uuid not null,
    owner_id uuid not null,
    id uuid not null,
    leads_at timestamptz,
    leads_id uuid,
    leads_done boolean not null default false,
    delivery_id uuid,
    primary key (team_id, owner_id)
  )`,
  `create table webhook_kept (
    team_id uuid not null,
    clearing_id uuid not null,
    row_id uuid not null,
    primary key (team_id, clearing_id, row_id)
  )`,
  'alter table webhook add column clearing uuid',
  `create table outreach_history (
    team_id uuid not null,
    owner_id uuid not null,
    asked_at timestamptz not null,
    considered integer not null,
    looked integer not null default 0,
    matched integer not null default 0,
    queued integer not null default 0,
    cursor_at timestamptz,
    cursor_id uuid,
    queueing boolean not null default true,
    primary key (team_id, owner_id),
    foreign key (team_id, owner_id) references outreach_rule on delete cascade
  )`,
  'create index outreach_history_queueing on outreach_history (team_id, owner_id) where queueing',
]
