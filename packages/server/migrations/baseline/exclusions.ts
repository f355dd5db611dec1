/** Who is captured and delivered nowhere. */
const ideographs = String.raw`([\u3041-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3])`
const separators =
  String.raw`[ \u0021-\u0022\u0024-\u002a\u002c-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00a1-\u00bf` +
  String.raw`\u2010-\u2027\u2030-\u205e\u3001-\u3011\u3014-\u301f\u30fb]+`

export const exclusions = `
-- What \`titleWords\` of the contract says, of a title as it is compared.
create function title_words(folded text) returns text[] language sql immutable parallel safe as $$
  select array_remove(regexp_split_to_array(regexp_replace($1, '${ideographs}', ' \\1 ', 'g'), '${separators}'), '')
$$;

create table exclusion (
  team_id uuid not null references team, id uuid not null,
  kind text not null check (kind in ('person', 'company', 'domain', 'email', 'title', 'country')),
  -- The value as it is compared: the member id or the number of a page where it is known, else the name.
  key text not null, value text not null, list text not null, reason text,
  origin text not null check (origin in ('api', 'dashboard', 'csv', 'destination', 'result')),
  created_by text not null, created_at timestamptz not null,
  primary key (team_id, id),
  constraint exclusion_once unique (team_id, kind, key)
);
create index exclusion_newest on exclusion (team_id, created_at desc, id desc);

create table exclusion_settings (
  team_id uuid primary key references team, works_at_source boolean not null default false,
  replied_elsewhere boolean not null default true
);
`
