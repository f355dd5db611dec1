/** Every table belongs to a team or is on the short list; every table has one writer (design §4). */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPlannedIndexes } from '../src/platform/db/indexes-ahead.ts'
import { migrate, migrateTo, migrationNames } from '../src/platform/db/migrate.ts'
import { openDatabase } from '../src/platform/db/open.ts'
import { rulesBesideModules } from '../src/composition/tasks.ts'
import { teamRules } from '../src/worker/retention/rules.ts'
import { tableRetention } from '../src/worker/retention/tables.ts'
import { serviceRules } from '../src/worker/retention/service.ts'
import { writers } from './architecture/tables.ts'
import { freshDatabase, type TestDatabase } from './world/database.ts'

const source = resolve(dirname(fileURLToPath(import.meta.url)), '../src')

/** Tables without a team: the team itself, public company records, and the service's own bookkeeping. */
const shared = [
  'armed_fault',
  'clock_mark',
  'company',
  'company_lookup',
  'data_migration',
  'kysely_migration',
  'kysely_migration_lock',
  'master_key_check',
  'schema_break',
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
    await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(
      database.root,
    )
  ).rows.map((row) => row.name)

describe('the schema', () => {
  it('leads every key with the team, or is on the short list', async () => {
    const { rows } = await sql<{ table: string; key: string; first: string }>`
      select c.relname as table, i.relname as key, a.attname as first from pg_index x
      join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0] where x.indisunique`.execute(database.root)
    const wrong = rows.filter(
      (row) => !shared.includes(row.table) && row.first !== 'team_id' && row.key !== 'api_key_hash',
    )
    expect(wrong).toEqual([])
    const keyless = (await tables()).filter((table) => !rows.some((row) => row.table === table))
    expect(keyless).toEqual([])
  })
  it('has no default that reads a clock or makes an id', async () => {
    const { rows } = await sql<{ column: string; expression: string }>`
      select c.relname || '.' || a.attname as column, pg_get_expr(d.adbin, d.adrelid) as expression from pg_attrdef d
      join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'`.execute(database.root)
    expect(rows.filter((row) => /now|current|clock|random|uuid/i.test(row.expression))).toEqual([])
  })
  it('has one writer for every table', async () => {
    const files = readdirSync(source, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1))
      .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))
    const wrong: string[] = []
    for (const table of (await tables()).filter((name) => !name.startsWith('kysely'))) {
      const writes = new RegExp(
        `(?:insertInto|updateTable|deleteFrom)\\('${table}'\\)|(?` +
          `:insert into|delete from)\\s+${table}\\b|update\\s+${table}\\b(?!\\s+(?:of|skip))`,
        'i',
      )
      for (const { file, text } of files)
        if (writes.test(text) && !writers[table]?.test(file)) wrong.push(`${file} writes ${table}`)
    }
    expect(wrong).toEqual([])
  })

  it('says of every table what is kept and for how long, by a rule that there is or with a reason', async () => {
    const { rows } = await sql<{ name: string }>`
      select case schemaname when 'public' then '' else schemaname || '.' end || tablename as name from pg_tables
      where schemaname in ('public', 'sign_in') and tablename not like 'kysely%' order by 1`.execute(database.root)
    expect(Object.keys(tableRetention).sort()).toEqual(rows.map((row) => row.name).sort())
    const named = new Set(Object.values(tableRetention).flatMap((each) => ('rule' in each ? [each.rule] : [])))
    const rules = [...Object.keys(teamRules), ...Object.keys(serviceRules), ...Object.keys(rulesBesideModules)]
    expect([...named].sort()).toEqual(rules.sort())
  })

  it('of a later release is worked with by this one, unless a migration there says that it breaks what came before', async () => {
    const later = await freshDatabase()
    try {
      await sql`alter table lead add column something_later text`.execute(later.bare)
      await sql`insert into kysely_migration (name, timestamp)
        values ('9998-something-later', '2030-01-01T00:00:00.000Z')`.execute(later.bare)
      await migrate(later.bare)
      expect((await sql`select something_later from lead`.execute(later.bare)).rows).toEqual([])

      await sql`insert into kysely_migration (name, timestamp)
        values ('9999-contracted', '2030-01-02T00:00:00.000Z')`.execute(later.bare)
      await sql`insert into schema_break (migration) values ('9999-contracted')`.execute(later.bare)
      await expect(migrate(later.bare)).rejects.toThrow(/cannot work with \(9999-contracted\)/)
    } finally {
      await later.drop()
    }
  })

  it('that is complete is not looked through, and one that lacks a change in the middle is not taken for complete', async () => {
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

      await sql`delete from kysely_migration where name = ${migrationNames.at(-3)}`.execute(counted.bare)
      await expect(migrate(counted.bare)).rejects.toThrow(/does not fit this program/)
    } finally {
      await counted.close()
      await used.drop()
    }
  })

  it('changes beside those who use it: a change that does not get a table lets go of it, and is made when it is free', async () => {
    const used = await freshDatabase({ bare: true })
    const holder = await used.pool.connect()
    try {
      await migrateTo(used.bare, '0040-planned-sends')
      const waits = async () => {
        const { rows } = await used.pool.query<{ waiting: boolean }>(
          `select exists (select from pg_locks where relation = 'lead'::regclass and not granted) as waiting`,
        )
        return rows[0]!.waiting
      }
      await holder.query('begin')
      await holder.query('lock table lead in row exclusive mode')
      const migrating = migrate(used.bare)
      await expect.poll(waits, { interval: 10 }).toBe(true)
      await expect.poll(waits, { interval: 10 }).toBe(false)
      await holder.query('commit')
      await migrating
      expect((await sql`select name from kysely_migration`.execute(used.bare)).rows).toHaveLength(migrationNames.length)
    } finally {
      holder.release(true)
      await used.drop()
    }
  })

  it('makes indexes of a large table before their migration, beside those who write to it; one half made is made anew', async () => {
    const used = await freshDatabase({ bare: true })
    const holder = await used.pool.connect()
    const query = async <T extends object>(text: string) => (await used.pool.query<T>(text)).rows
    try {
      await migrateTo(used.bare, '0040-planned-sends')
      // Without its team and source, and raw, so that no list has it: they are not what this is about.
      await holder.query('set session_replication_role = replica')
      const lead = (text: string) =>
        `insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
           comment_text, linkedin_url, name, enrichment, webhook_status, created_at)
         select u, u, u, u, 'profile', 'ACoA', 'a', 'Like', ${text}, 'https://www.linkedin.com/in/a', 'A',
           'raw', 'no_webhook', now() from gen_random_uuid() u`
      await holder.query(lead(`(select string_agg(md5(n::text), '') from generate_series(1, 60000) n)`))
      await holder.query('create index lead_sorted_by_company on lead (team_id)')
      await holder.query(`update pg_index set indisvalid = false where indexrelid = 'lead_sorted_by_company'::regclass`)
      const planned = async () =>
        (await readPlannedIndexes(used.bare)).map(({ name, state, migration }) => `${migration} ${name} ${state}`)
      expect(await planned()).toEqual([
        '0040-sorted-leads lead_sorted_by_name missing',
        '0040-sorted-leads lead_sorted_by_company invalid',
      ])
      // Somebody who writes for long: building waits for its end, and keeps nobody else from writing meanwhile.
      await holder.query('begin')
      await holder.query(lead(`'b'`))
      const migrating = migrate(used.bare)
      const building = () =>
        query(`select from pg_stat_progress_create_index where relid = 'lead'::regclass and phase ~ 'waiting'`)
      await expect.poll(building, { interval: 10 }).toHaveLength(1)
      await query(`set lock_timeout = '2s'; update lead set name = 'C'; reset lock_timeout`)
      await holder.query('commit')
      await migrating
      const defined = await query<{ def: string }>(
        `select pg_get_indexdef(indexrelid) as def from pg_index
         where indrelid = 'lead'::regclass and indisvalid and indexrelid::regclass::text ~ '^lead_sorted_by_' order by 1`,
      )
      expect(defined.map(({ def }) => def.includes('lower('))).toEqual([true, true])
      expect(await planned()).toEqual([])
    } finally {
      holder.release(true)
      await used.drop()
    }
  })
})
