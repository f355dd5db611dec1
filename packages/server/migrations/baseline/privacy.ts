/** Erased people: a receipt each, and keyed hashes that keep them out. */
export const privacy = `
create table erasure (
  team_id uuid not null references team, id uuid not null, person_id uuid not null, subject_hash bytea not null,
  reason text, counts jsonb not null, not_told text[] not null, erased_at timestamptz not null,
  primary key (team_id, id)
);
create index erasure_newest on erasure (team_id, erased_at desc, id desc);

create table blocked_person (
  team_id uuid not null references team, hash bytea not null, erasure_id uuid not null,
  primary key (team_id, hash)
);
`
