/** What the service keeps of itself: its clock, faults, queues of work and retention. */
export const platform = `
create table service_world (
  only_row boolean primary key check (only_row),
  kind text not null check (kind in ('sandbox', 'real'))
);

create table service_clock (
  only_row boolean primary key check (only_row),
  now timestamptz not null
);

create table armed_fault (
  name text primary key, times integer not null,
  action text not null check (action in ('fail', 'crash'))
);

create table kept_answer (
  team_id uuid not null references team, work text not null, work_id text not null, question bytea not null,
  answer bytea not null, kept_at timestamptz not null,
  primary key (team_id, work, work_id, question)
);
create index kept_answer_age on kept_answer (kept_at);

create table master_key_check (
  only_row boolean primary key check (only_row),
  fingerprint text not null,
  sealed bytea not null
);
`
