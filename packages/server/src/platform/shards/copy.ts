/** Copies a team's rows to another shard in batches, brings them up to date in one snapshot, compares and removes them. */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { countAffected, queryColumn, queryOne, queryValue } from '../db/query.ts'
import type { Database } from '../db/schema.ts'
import { namesCompanies, type ShardTable } from './tables.ts'

/** Moves `teamId` between two schemas. */
export type Route = { readonly teamId: string; readonly from: string; readonly to: string }

type Handle = Kysely<Database>

const copiedAtOnce = 2_000
const removedAtOnce = 2_000

const at = (schema: string, table: string): RawBuilder<unknown> => sql.table(`${schema}.${table}`)
const list = (names: readonly string[], of: string): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql.ref(`${of}.${name}`)))
const plain = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((name) => sql.id(name)))
const sameKey = ({ key }: ShardTable, one: string, other: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    ['team_id', ...key.map(({ name }) => name)].map(
      (name) => sql`${sql.ref(`${one}.${name}`)} = ${sql.ref(`${other}.${name}`)}`,
    ),
    sql` and `,
  )})`

/** SQL: all rows that `b` references are in the target; rows without theirs are copied by a later pass. */
const refersToCopied = ({ references, name: own }: ShardTable, to: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    [
      sql`true`,
      ...references
        .filter(({ table }) => table !== own)
        .map(({ table, columns, names }) => {
          const named = sql.join(
            columns.map((column, place) => sql`${sql.ref(`r.${names[place]}`)} = ${sql.ref(`b.${column}`)}`),
            sql` and `,
          )
          const isNull = sql.join(
            columns.map((column) => sql`${sql.ref(`b.${column}`)} is null`),
            sql` or `,
          )
          return sql`(${isNull} or exists (select 1 from ${at(to, table)} r where ${named}))`
        }),
    ],
    sql` and `,
  )})`

const lastCopied = async (
  db: Handle,
  { teamId, to }: Route,
  { name, key }: ShardTable,
): Promise<readonly string[] | null> =>
  (await queryValue<string[]>(db)`
    select array[${sql.join(key.map((column) => sql`${sql.id(column.name)}::text`))}]::text[] as last
    from ${at(to, name)} where team_id = ${teamId}
    order by ${sql.join(key.map((column) => sql`${sql.id(column.name)} desc`))} limit 1`) ?? null

const behind = ({ key }: ShardTable, last: readonly string[] | null): RawBuilder<boolean> =>
  last === null || key.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.join(key.map(({ name }) => sql.ref(`s.${name}`)))})
        > (${sql.join(key.map(({ type }, place) => sql`${last[place]}::${sql.raw(type)}`))})`

/** Copies a table in batches, after the rows of an earlier try; calls `copied` with each batch. */
export async function copyTable(
  db: Handle,
  route: Route,
  table: ShardTable,
  copied: (rows: number) => Promise<void>,
): Promise<void> {
  const { teamId, from, to } = route
  const names = table.key.map(({ name }) => name)
  const order = names.length === 0 ? sql`team_id` : plain(names)
  let last = names.length === 0 ? null : await lastCopied(db, route, table)
  for (;;) {
    const batch = await queryOne<{ read: number; put: number; last: string[] | null }>(db)`
      with batch as materialized (
        select ${list(table.columns, 's')} from ${at(from, table.name)} s
        where s.team_id = ${teamId} and ${behind(table, last)} order by ${order} limit ${copiedAtOnce}),
      put as (
        insert into ${at(to, table.name)} (${plain(table.columns)})
        select ${list(table.columns, 'b')} from batch b where ${refersToCopied(table, to)}
        on conflict do nothing returning 1)
      select (select count(*) from batch)::integer as read, (select count(*) from put)::integer as put,
        (select array[${sql.join(names.map((name) => sql`${sql.id(name)}::text`))}]::text[] from batch
          order by ${names.length === 0 ? order : sql.join(names.map((name) => sql`${sql.id(name)} desc`))} limit 1) as last`
    await copied(batch!.put)
    if (batch!.read < copiedAtOnce) return
    last = batch!.last
  }
}

/** Copies the companies that the team names, over older facts in the target: with those an excluded person could be delivered. */
export async function copyCompanies(db: Handle, { teamId, from, to }: Route): Promise<void> {
  const named = namesCompanies.map(
    (table) => sql`select company_urn from ${at(from, table)} where team_id = ${teamId} and company_urn is not null`,
  )
  const pages = sql`(select key as page from ${at(from, 'exclusion')} where team_id = ${teamId} and kind = 'company'
    union select username from ${at(from, 'source')} where team_id = ${teamId} and type = 'company'
    union select substring(network_urn from '[0-9]+$') from ${at(from, 'source')} where team_id = ${teamId} and type = 'company') p`
  const ofPages = sql`select c.urn from ${pages} join ${at(from, 'company')} c
    on c.slug = p.page or c.urn = 'urn:li:company:' || p.page`
  const ofDomains = sql`select c.urn from ${at(from, 'exclusion')} e join ${at(from, 'company')} c
    on reverse(c.domain) collate "C" >= reverse(e.key) and reverse(c.domain) collate "C" < reverse(e.key) || '/'
      and right('.' || c.domain, length(e.key) + 1) = '.' || e.key
    where e.team_id = ${teamId} and e.kind = 'domain'`
  const columns = await queryColumn<string>(db)`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${`${from}.company`}) and attnum > 0 and not attisdropped order by attnum`
  const newer = columns.map((name) => sql`${sql.id(name)} = ${sql.ref(`excluded.${name}`)}`)
  await sql`
    insert into ${at(to, 'company')} as k (${plain(columns)}) select ${list(columns, 'c')} from ${at(from, 'company')} c
    where c.urn in (${sql.join([...named, ofPages, ofDomains], sql` union `)}) order by c.urn
    on conflict (urn) do update set ${sql.join(newer)} where excluded.found and excluded.fetched_at > k.fetched_at`.execute(
    db,
  )
}

async function listUsed(tx: Handle, route: Route, tables: readonly ShardTable[]): Promise<readonly ShardTable[]> {
  const { teamId, from, to } = route
  const each = tables.map(
    ({ name }) => sql`select ${name}::text as name
      where exists (select 1 from ${at(from, name)} where team_id = ${teamId})
        or exists (select 1 from ${at(to, name)} where team_id = ${teamId})`,
  )
  const { rows } = await sql<{ name: string }>`${sql.join(each, sql` union all `)}`.execute(tx)
  const used = new Set(rows.map(({ name }) => name))
  return tables.filter(({ name }) => used.has(name))
}

async function removeGone(tx: Handle, { teamId, from, to }: Route, table: ShardTable): Promise<void> {
  await sql`
    delete from ${at(to, table.name)} d where d.team_id = ${teamId}
      and not exists (select 1 from ${at(from, table.name)} s where ${sameKey(table, 's', 'd')})`.execute(tx)
}

async function writeChanged(tx: Handle, { teamId, from, to }: Route, table: ShardTable): Promise<void> {
  const key = new Set(['team_id', ...table.key.map(({ name }) => name)])
  const others = table.columns.filter((column) => !key.has(column))
  const change =
    others.length === 0
      ? sql`do nothing`
      : sql`(${plain([...key])}) do update set ${sql.join(others.map((name) => sql`${sql.id(name)} = ${sql.ref(`excluded.${name}`)}`))}`
  await sql`
    insert into ${at(to, table.name)} (${plain(table.columns)})
    select ${list(table.columns, 's')} from ${at(from, table.name)} s
    where s.team_id = ${teamId} and not exists (select 1 from ${at(to, table.name)} d
      where ${sameKey(table, 's', 'd')} and s *= d)
    on conflict ${change}`.execute(tx)
}

/** Makes the target equal the source at one instant; returns rows per table. Throws if `goOn` does, or if something differs. */
export async function bringUpToDate(
  tx: Transaction<Database>,
  route: Route,
  tables: readonly ShardTable[],
  goOn: () => void,
): Promise<Readonly<Record<string, number>>> {
  const used = await listUsed(tx, route, tables)
  for (const table of used.toReversed()) {
    await removeGone(tx, route, table)
    goOn()
  }
  for (const table of used) {
    await writeChanged(tx, route, table)
    goOn()
  }
  return compare(tx, route, used)
}

/** Rows of a team in a shard by table; empty tables are left out. */
export async function countRows(
  db: Handle,
  teamId: string,
  schema: string,
  tables: readonly Pick<ShardTable, 'name'>[],
): Promise<Record<string, number>> {
  if (tables.length === 0) return {}
  const each = tables.map(
    ({ name }) =>
      sql`select ${name}::text as name, count(*)::float8 as rows from ${at(schema, name)} where team_id = ${teamId}`,
  )
  const { rows } = await sql<{ name: string; rows: number }>`${sql.join(each, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.filter((row) => row.rows > 0).map((row) => [row.name, row.rows]))
}

async function sumLedger(db: Handle, teamId: string, schema: string): Promise<string> {
  const { rows } = await sql<{ sums: unknown }>`
    select json_build_object(
      'lines', (select json_object_agg(account, sum order by account) from (
        select account, sum(amount) from ${at(schema, 'credit_entry')} where team_id = ${teamId} group by account) e),
      'accounts', (select json_agg(json_build_array(account, granted, spent, held, period_used) order by account)
        from ${at(schema, 'credit_account')} where team_id = ${teamId}),
      'holds', (select sum(amount) from ${at(schema, 'credit_hold')} where team_id = ${teamId})) as sums`.execute(db)
  return JSON.stringify(rows[0]!.sums)
}

async function compare(
  tx: Handle,
  { teamId, from, to }: Route,
  tables: readonly ShardTable[],
): Promise<Readonly<Record<string, number>>> {
  const [there, here] = [await countRows(tx, teamId, from, tables), await countRows(tx, teamId, to, tables)]
  const off = tables.filter(({ name }) => there[name] !== here[name]).map(({ name }) => name)
  if (off.length > 0) throw new Error(`the copy has another number of rows than the original in ${off.join(', ')}`)
  const [owed, has] = [await sumLedger(tx, teamId, from), await sumLedger(tx, teamId, to)]
  if (owed !== has) throw new Error(`the ledger of the copy adds up to ${has}, that of the original to ${owed}`)
  return here
}

/** Removes a team's rows from a shard that is not its own, referencing rows first; calls `removed` with each batch. */
export async function removeRows(
  db: Handle,
  teamId: string,
  schema: string,
  tables: readonly ShardTable[],
  removed: (rows: number) => Promise<void>,
): Promise<void> {
  for (const table of tables.toReversed()) {
    const key = plain(['team_id', ...table.key.map(({ name }) => name)])
    for (;;) {
      const count = await countAffected(db)`
        delete from ${at(schema, table.name)} where (${key}) in (
          select ${key} from ${at(schema, table.name)} where team_id = ${teamId} limit ${removedAtOnce})
          and not exists (select 1 from public.team t where t.id = ${teamId} and t.shard = ${schema})`
      if (count > 0) await removed(count)
      if (count < removedAtOnce) break
    }
  }
}
