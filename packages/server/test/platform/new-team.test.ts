/** A new team in tables whose statistics do not know it: a query by many keys reads those keys and not all of the team's rows. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knownCharges } from '../../src/modules/credits/index.ts'
import { listKnownEngagements } from '../../src/modules/leads/store.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

const [rowsOfATeam, asked] = [3_000, 200]
const teams = [1, 2, 3, 4].map((n) => `0000000${n}-0000-7000-8000-000000000000`)
const newTeam = teams[3]!
const key = (n: number) => `reaction:urn:li:activity:7400000000000000000:ACoAAB${String(n).padStart(30, '0')}`

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
  const { bare } = database
  for (const table of ['lead', 'credit_entry'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(bare)
  // Triggers are off, because counters are not needed here.
  await bare.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    for (const teamId of teams) {
      if (teamId === newTeam) await sql`analyze lead, credit_entry`.execute(db)
      const [id, name] = [sql`gen_random_uuid()`, sql`${key(0).slice(0, -30)} || lpad(n::text, 30, '0')`]
      await sql`
        insert into lead (team_id, id, owner_id, source_kind, person_urn, engagement_key, engagement_type, linkedin_url,
          enrichment, webhook_status, created_at)
        select ${teamId}, ${id}, ${teamId}, 'profile', 'ACoAAB' || n, ${name}, 'Like', 'https://www.linkedin.com/in/' || n,
          'pending', 'no_webhook', now()
        from generate_series(1, ${rowsOfATeam}::int) n`.execute(db)
      await sql`
        insert into credit_entry (team_id, id, account, key, kind, amount, category, created_at)
        select ${teamId}, ${id}, 'main', ${name}, 'charge', -1, 'profile', now()
        from generate_series(1, ${rowsOfATeam}::int) n`.execute(db)
    }
    await sql`set session_replication_role = origin`.execute(db)
  })
})
afterAll(() => database?.drop())

const read = (table: string, ask: (db: TestDatabase['bare']) => Promise<unknown>): Promise<number> =>
  database.bare.connection().execute(async (db) => {
    const count = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db)
      const { rows } = await sql<{ read: number }>`
        select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = ${table}`.execute(db)
      return rows[0]!.read
    }
    const before = await count()
    await ask(db as TestDatabase['bare'])
    return (await count()) - before
  })

// Some of these keys lie beyond the stored ones and so are new.
const keys = Array.from({ length: asked }, (_, n) => key(rowsOfATeam - asked / 2 + n))

it('reads the engagements that are asked for', async () => {
  let known = new Map<string, unknown>()
  const entries = await read('lead', async (db) => {
    known = await listKnownEngagements(db, { teamId: newTeam, ownerId: newTeam, keys })
  })
  expect(known.size).toBe(asked / 2 + 1)
  expect(entries).toBeLessThanOrEqual(asked)
})

it('reads the charges that are asked for', async () => {
  let known = new Set<string>()
  const entries = await read('credit_entry', async (db) => {
    known = await knownCharges(db, newTeam, keys)
  })
  expect(known.size).toBe(asked / 2 + 1)
  expect(entries).toBeLessThanOrEqual(asked)
})
