/**
 * What sources yield, summed up by the day on which people were charged, so that a dashboard reads it from a row a source and day
 * (docs/decisions/0077). Triggers note whose sums no longer say what leads, charges and sends do, in the transaction that changes
 * them, whoever writes: also a program of the version before. Every note is a row of its own (`mark` is its transaction), so that
 * transactions that note the same source never wait for one another. All sources begin as noted: until they are summed up they are
 * counted as before.
 */

/** SQL that notes owners of leads; said twice by one transaction, it is one note. */
const note = (owners: string) => `insert into source_yield_due (team_id, owner_id, mark)
    select team_id, owner_id, pg_current_xact_id()::text::bigint from (${owners}) changed group by 1, 2
    on conflict (team_id, owner_id, mark) do nothing`

/** SQL of a function that notes owners, run once for each statement. */
const noting = (name: string, owners: string) => `create function ${name}() returns trigger language plpgsql as $$ begin
    ${note(owners)};
    return null;
  end $$`

const charged = `select team_id, source_id as owner_id from rows where kind = 'charge' and source_id is not null`
const sent = `select r.team_id, l.owner_id from rows r join lead l on l.team_id = r.team_id and l.id = r.lead_id`

/** A trigger after each statement of a kind, which sees the rows it wrote, or those it took away. */
const after = (event: 'insert' | 'update' | 'delete', table: string, run: string) =>
  `create trigger ${table}_${event}_yields after ${event} on ${table} ` +
  `referencing ${event === 'delete' ? 'old' : 'new'} table as rows for each statement execute function ${run}()`

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table source_yield (
    team_id uuid not null references team,
    owner_id uuid not null,
    day date not null,
    charged integer not null,
    enriched integer not null,
    icp integer not null,
    delivered integer not null,
    sent integer not null,
    credits bigint not null,
    primary key (team_id, owner_id, day)
  ) with (fillfactor = 70)`,
  `create table source_yield_due (
    team_id uuid not null references team,
    owner_id uuid not null,
    mark bigint not null,
    primary key (team_id, owner_id, mark)
  )`,
  noting('note_yields_of_leads', 'select team_id, owner_id from rows'),
  noting('note_yields_of_charges', charged),
  noting('note_yields_of_sends', sent),
  after('insert', 'lead', 'note_yields_of_leads'),
  after('update', 'lead', 'note_yields_of_leads'),
  after('delete', 'lead', 'note_yields_of_leads'),
  after('insert', 'credit_entry', 'note_yields_of_charges'),
  after('delete', 'credit_entry', 'note_yields_of_charges'),
  after('insert', 'outreach_send', 'note_yields_of_sends'),
  after('update', 'outreach_send', 'note_yields_of_sends'),
  after('delete', 'outreach_send', 'note_yields_of_sends'),
  note('select team_id, id as owner_id from source'),
]
