/**
 * How long rows are kept. `retention_turn`: when a team's rows were last gone through, and how far the rules that walk a table have
 * come. `team_keep`: days that differ from those of the service for one team. `lead_gone`: engagements whose raw lead was deleted by
 * age, as the first 16 bytes of the SHA-256 of their key, so that the next sweep of the post does not take them for new.
 */
export const statements = [
  `create table retention_turn (
    team_id uuid primary key references team,
    checked_at timestamptz not null,
    places jsonb not null
  )`,
  `create table team_keep (
    team_id uuid not null references team,
    rule text not null,
    days integer not null check (days > 0),
    primary key (team_id, rule)
  )`,
  `create table lead_gone (
    team_id uuid not null references team,
    owner_id uuid not null,
    key_hash bytea not null,
    primary key (team_id, owner_id, key_hash)
  )`,
] as const
