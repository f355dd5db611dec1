/** The page of personal data is held against the schema that there is: no column is added without saying whether somebody may be in it. */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tableRetention } from '../../src/worker/retention/tables.ts'
import { eachTableOnce } from '../world/shards.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

const page = readFileSync(new URL('../../../../docs/privacy.md', import.meta.url), 'utf8')

/** A row of the page's table: some tables, their columns that hold somebody or nobody, and the rest as text. */
type Row = {
  readonly tables: readonly string[]
  readonly somebody: readonly string[]
  readonly nobody: readonly string[]
  readonly erased: string
  readonly kept: string
}

const named = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
const rows: Row[] = page
  .slice(page.indexOf('## Every table'))
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, tables, somebody, nobody, erased, kept]) => ({
    tables: named(tables!),
    somebody: named(somebody!),
    nobody: named(nobody!),
    erased: erased!,
    kept: kept!,
  }))
const rowOf = (table: string) => rows.find(({ tables }) => tables.includes(table))

const matches = (names: readonly string[], column: string) =>
  names.some((name) => name === column || (name.startsWith('*') && column.endsWith(name.slice(1))))

let database: TestDatabase
let columns: { readonly table: string; readonly column: string }[]
beforeAll(async () => {
  database = await freshDatabase()
  // Every type that is not known to hold nobody: a column of a new type has to be looked at as well.
  const { rows: found } = await sql<{ table: string; column: string }>`
    select case table_schema when 'sign_in' then 'sign_in.' else '' end || table_name as table, column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = any(${eachTableOnce}) and table_type = 'BASE TABLE' and table_name not like 'kysely%'
      and data_type not in ('uuid', 'boolean', 'smallint', 'integer', 'bigint', 'double precision', 'date',
        'timestamp with time zone')
    order by 1, ordinal_position`.execute(database.root)
  columns = found
})
afterAll(() => database.drop())

it('names every column in which there could be somebody, once, and none that there is not [PRV-11]', () => {
  const missing = columns.filter(({ table, column }) => {
    const row = rowOf(table)
    return !row || matches(row.somebody, column) === matches(row.nobody, column)
  })
  expect(missing, 'not in docs/privacy.md, or both as holding somebody and nobody').toEqual([])
  const gone = rows.flatMap(({ tables, somebody, nobody }) =>
    [...somebody, ...nobody].filter(
      (name) => !columns.some(({ table, column }) => tables.includes(table) && matches([name], column)),
    ),
  )
  expect(gone, 'in docs/privacy.md, and no column any more').toEqual([])
  const every = rows.flatMap(({ tables }) => tables)
  expect(every.filter((table, index) => every.indexOf(table) !== index)).toEqual([])
})

it('says of every table with somebody in it what an erasure does, and how long it is kept, by the rule that there is [PRV-11]', () => {
  expect(rows.filter(({ erased, kept }) => erased === '' || kept === '')).toEqual([])
  const silent = rows.filter(
    ({ tables, somebody, erased }) =>
      somebody.length > 0 && erased === '–' && !tables.every((name) => /^sign_in\.|^team|^api_key$/.test(name)),
  )
  expect(silent).toEqual([])
  const wrong = rows.flatMap(({ tables, kept }) =>
    tables.flatMap((table) => {
      const retention = tableRetention[table]
      const rule = retention && 'rule' in retention ? retention.rule : undefined
      return named(kept)[0] === rule ? [] : [`${table}: ${kept}, and the code says ${rule ?? 'no rule'}`]
    }),
  )
  expect(wrong).toEqual([])
})
