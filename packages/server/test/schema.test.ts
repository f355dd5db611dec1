/** Every table belongs to a team or is on the short list; every table has one writer. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../src/platform/db/migrate.ts'
import { openDatabase } from '../src/platform/db/open.ts'
import { rulesBesideModules } from '../src/composition/tasks.ts'
import { teamRules } from '../src/worker/retention/rules.ts'
import { tableRetention } from '../src/worker/retention/tables.ts'
import { serviceRules } from '../src/worker/retention/rules.ts'
import { keysWithoutTeam } from './architecture/sharding.ts'
import { anyShard, eachTableOnce } from './world/shards.ts'
import { freshDatabase, type TestDatabase } from './world/database.ts'

/** Tables without a team: the team itself, public company records, and the service's own bookkeeping. */
const shared = [
  'armed_fault',
  'company',
  'company_lookup',
  'kysely_migration',
  'kysely_migration_lock',
  'master_key_check',
  'service_clock',
  'service_world',
  'team',
  'vendor_limit',
  'vendor_balance',
  'vendor_breaker',
  'vendor_cost_day',
  'vendor_minute',
  'vendor_slot',
]

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const tables = async () =>
  (
    await sql<{ name: string }>`
      select distinct tablename as name from pg_tables
      where schemaname = any(${['public', anyShard]}) order by 1`.execute(database.root)
  ).rows.map((row) => row.name)

describe('the schema', () => {
  it('leads every key with the team, or is on the short list', async () => {
    const { rows } = await sql<{ table: string; key: string; first: string }>`
      select c.relname as table, i.relname as key, a.attname as first from pg_index x
      join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = any(${['public', anyShard]})
      join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0] where x.indisunique`.execute(database.root)
    const wrong = rows.filter(
      (row) => !shared.includes(row.table) && row.first !== 'team_id' && !Object.hasOwn(keysWithoutTeam, row.key),
    )
    expect(wrong).toEqual([])
    const keyless = (await tables()).filter((table) => !rows.some((row) => row.table === table))
    expect(keyless).toEqual([])
  })

  it('says of every table what is kept and for how long, by a rule that there is or with a reason', async () => {
    const { rows } = await sql<{ name: string }>`
      select case schemaname when 'sign_in' then 'sign_in.' else '' end || tablename as name from pg_tables
      where schemaname = any(${eachTableOnce}) and tablename not like 'kysely%' order by 1`.execute(database.root)
    expect(Object.keys(tableRetention).sort()).toEqual(rows.map((row) => row.name).sort())
    const named = new Set(
      Object.values(tableRetention).flatMap((each) => ('rule' in each ? each.rule.split(', ') : [])),
    )
    const rules = [...Object.keys(teamRules), ...Object.keys(serviceRules), ...Object.keys(rulesBesideModules)]
    expect([...named].sort()).toEqual(rules.sort())
  })

  it('of a later version is refused in words', async () => {
    const later = await freshDatabase()
    try {
      await sql`insert into kysely_migration (name, timestamp)
        values ('9999-something-later', '2030-01-02T00:00:00.000Z')`.execute(later.bare)
      await expect(migrate(later.bare)).rejects.toThrow(/later version of the service \(9999-something-later\)/)
    } finally {
      await later.drop()
    }
  })

  it('that is complete is not looked through', async () => {
    const used = await freshDatabase()
    const statements: string[] = []
    const counted = openDatabase(used.connection, { poolSize: 1, onError: () => {} })
    counted.pool.on('connect', (client) => {
      const { query } = client
      client.query = ((...words: Parameters<typeof query>) => {
        const [asked] = words as unknown as [string | { text: string }]
        statements.push(typeof asked === 'string' ? asked : asked.text)
        return query.apply(client, words)
      }) as typeof query
    })
    try {
      await migrate(counted.bare)
      expect(statements.length).toBeGreaterThan(0)
      expect(statements.filter((text) => text.includes('pg_attribute'))).toEqual([])
    } finally {
      await counted.close()
      await used.drop()
    }
  })
})
