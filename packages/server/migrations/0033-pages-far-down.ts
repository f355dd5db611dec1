/**
 * Pages far down a list: the index that an unfiltered list is walked by says whose each lead is, so that the pages before are skipped
 * without reading their leads; and the newest lead of every person is kept, by a trigger, so that whoever writes leads keeps it, also
 * a program of the version before.
 */

/** SQL: the newest lead, raw ones left out, of each person of the rows. */
const newestOf = (rows: string) =>
  `select distinct on (l.team_id, l.person_urn) l.team_id, l.person_urn, l.id, l.owner_id, l.created_at from ${rows} where l.enrichment <> 'raw' order by l.team_id, l.person_urn, l.created_at desc, l.id desc`

const keep = (rows: string) => `insert into engager as e (team_id, person_urn, lead_id, owner_id, at) ${newestOf(rows)}
    on conflict (team_id, person_urn) do update set lead_id = excluded.lead_id, owner_id = excluded.owner_id, at = excluded.at where (e.at, e.lead_id) < (excluded.at, excluded.lead_id)`

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create index lead_newest_listed on lead (team_id, created_at desc, id desc) include (owner_id) where enrichment <> 'raw'`,
  `drop index lead_newest`,
  `create table engager (
    team_id uuid not null references team,
    person_urn text not null,
    lead_id uuid not null,
    owner_id uuid not null,
    at timestamptz not null,
    primary key (team_id, person_urn)
  ) with (fillfactor = 80)`,
  `create index engager_newest on engager (team_id, at desc, lead_id desc) include (owner_id)`,
  `create index engager_of_owner on engager (team_id, owner_id)`,
  // People are in the order in which the units that store leads lock them.
  `create function keep_engagers() returns trigger language plpgsql as $$ begin
    ${keep('added l')};
    return null;
  end $$`,
  `create function drop_engagers() returns trigger language plpgsql as $$ begin
    delete from engager e using gone g where e.team_id = g.team_id and e.person_urn = g.person_urn and e.lead_id = g.id;
    ${keep('lead l join (select distinct team_id, person_urn from gone) g on g.team_id = l.team_id and g.person_urn = l.person_urn')};
    return null;
  end $$`,
  `create trigger lead_added_engagers after insert on lead referencing new table as added for each statement execute function keep_engagers()`,
  `create trigger lead_gone_engagers after delete on lead referencing old table as gone for each statement execute function drop_engagers()`,
  keep('lead l'),
]
