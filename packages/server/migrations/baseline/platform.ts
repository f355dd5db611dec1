/** The service's own state: its world, its clock, faults, and the master key check. */
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
  name text primary key, times integer not null, action text not null check (action in ('fail', 'crash'))
);

create table master_key_check (
  only_row boolean primary key check (only_row),
  fingerprint text not null, sealed bytea not null
);
`
