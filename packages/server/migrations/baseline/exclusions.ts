/** People and companies that are captured but delivered nowhere. */
export const exclusions = `
create table exclusion (
  team_id uuid not null references team, id uuid not null,
  kind text not null check (kind in ('person', 'company', 'domain', 'email', 'title', 'country')),
  -- What is compared: the member id or page number if known, else the normalised value.
  key text not null, value text not null, list text not null, reason text,
  origin text not null check (origin in ('api', 'dashboard', 'csv', 'destination', 'result')),
  created_by text not null, created_at timestamptz not null,
  primary key (team_id, id),
  -- A person listed under several names before they were known to be one keeps an entry for each.
  constraint exclusion_once unique (team_id, kind, key, value)
);
create unique index exclusion_one_value on exclusion (team_id, kind, key) where kind not in ('person', 'company');
create index exclusion_named on exclusion (team_id, value, key) where kind in ('person', 'company');
create index exclusion_newest on exclusion (team_id, created_at desc, id desc);

create table exclusion_settings (
  team_id uuid primary key references team, works_at_source boolean not null default false,
  replied_elsewhere boolean not null default true, changed_at timestamptz not null
);
`
