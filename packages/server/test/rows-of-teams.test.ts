/** Rows that are written by the hundred belong to a team, by a trigger a statement instead of a foreign key (docs/decisions/0099). */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restoreBackup } from '../src/backup/restore.ts'
import { takeBackup } from '../src/backup/take.ts'
import { clientConfig } from '../src/platform/db/open.ts'
import { freshDatabase, type TestDatabase } from './world/database.ts'
import { temporaryFolder } from './world/folder.ts'

const there = '00000000-0000-7000-8000-000000000001'
const gone = '00000000-0000-7000-8000-00000000000f'

/** A statement that inserts a row for each of the teams given, `n` making rows different. */
const inserts: Readonly<Record<string, string>> = {
  lead: `insert into lead (team_id, id, owner_id, source_kind, person_urn, engagement_key, engagement_type, linkedin_url, enrichment,
      webhook_status, created_at)
    select team, gen_random_uuid(), gen_random_uuid(), 'profile', 'p' || $2::int, 'k' || $2::int, 'Like', 'u', 'raw', 'no_webhook', now()
    from unnest($1::uuid[]) as team`,
  person: `insert into person (team_id, urn, linkedin_url) select team, 'p' || $2::int, 'u' from unnest($1::uuid[]) as team`,
  enrichment_task: `insert into enrichment_task (team_id, person_urn, due_at, created_at)
    select team, 'p' || $2::int, now(), now() from unnest($1::uuid[]) as team`,
  credit_entry: `insert into credit_entry (team_id, id, account, key, kind, amount, created_at)
    select team, gen_random_uuid(), 'team', 'k' || $2::int, 'grant', 1, now() from unnest($1::uuid[]) as team`,
}

const tables = Object.keys(inserts)
const makeTeam = `insert into team (id, name, plan, status, reads_limit, writes_limit, untracked_posts_limit, keyword_daily_ceiling,
    capture_allowed, data_key, signing_secret, created_at)
  values ($1, 'Team', 'growth', 'active', 1, 1, 1, 1, true, '', '', now())`

let database: TestDatabase
let n = 0

/** Undoes what `work` did. */
async function undone<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Until a statement that begins so waits for a lock. */
const untilWaiting = (statement: string) =>
  expect
    .poll(async () => {
      const { rows } = await database.pool.query(
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and starts_with(query, $1)`,
        [statement],
      )
      return rows.length
    })
    .toBe(1)

const refusal = { code: '23503' }

beforeAll(async () => {
  database = await freshDatabase()
  await database.pool.query(makeTeam, [there])
})
afterAll(() => database.drop())

describe('a row of a table that is written by the hundred', () => {
  it.each(tables)('of %s belongs to a team that is there, every row of the statement', async (table) => {
    await undone((client) => client.query(inserts[table]!, [[there], (n += 1)]))
    await expect(undone((client) => client.query(inserts[table]!, [[there, gone], (n += 1)]))).rejects.toMatchObject(
      refusal,
    )
    await expect(
      undone(async (client) => {
        await client.query(inserts[table]!, [[there], (n += 1)])
        // The ledger and leads have triggers of their own against changes: this is about the team alone.
        if (table === 'credit_entry')
          await client.query('alter table credit_entry disable trigger credit_entry_append_only')
        await client.query(`update ${table} set team_id = $1`, [gone])
      }),
    ).rejects.toMatchObject(refusal)
  })

  it.each(tables)('of %s keeps its team from being taken away or given another id', async (table) => {
    for (const change of ['delete from team where id = $1', `update team set id = gen_random_uuid() where id = $1`])
      await expect(
        undone(async (client) => {
          await client.query(inserts[table]!, [[there], (n += 1)])
          // What a trigger made beside it has a team by a foreign key, and is not what is asked about.
          await client.query('delete from credit_day; delete from source_yield_due')
          await client.query(change, [there])
        }),
      ).rejects.toMatchObject({ ...refusal, message: expect.stringContaining(`still has rows of ${table}`) })
  })

  it('that is not committed yet keeps its team as well: whoever takes it away waits, and is refused', async () => {
    const team = '00000000-0000-7000-8000-000000000002'
    await database.pool.query(makeTeam, [team])
    const other = new pg.Client(clientConfig(database.connection))
    await other.connect()
    try {
      const taken = await undone(async (client) => {
        await client.query(inserts.person!, [[team], (n += 1)])
        const taking = other.query('delete from team where id = $1', [team]).then(
          () => 'gone',
          (error: { code: string }) => error.code,
        )
        await untilWaiting('delete from team')
        await client.query('commit')
        return taking
      })
      expect(taken).toBe(refusal.code)
    } finally {
      await other.end()
    }
  })

  it('is written for a team that nobody may take away meanwhile', async () => {
    const team = '00000000-0000-7000-8000-000000000003'
    await database.pool.query(makeTeam, [team])
    const writing = await undone(async (client) => {
      await client.query('delete from team where id = $1', [team])
      const asked = database.pool.query(inserts.person!, [[team], (n += 1)]).then(
        () => 'written',
        (error: { code: string }) => error.code,
      )
      await untilWaiting('insert into person')
      await client.query('commit')
      return asked
    })
    expect(writing).toBe(refusal.code)
  })
})

describe('a backup with a row of no team', () => {
  it('is refused by the restore, which leaves nothing', async () => {
    const area = await temporaryFolder('les-strays-')
    const client = new pg.Client(clientConfig(database.connection))
    await client.connect()
    const restored = await freshDatabase({ bare: true })
    try {
      await client.query('alter table person disable trigger user')
      await client.query(inserts.person!, [[gone], (n += 1)])
      const [masterKey, to] = [{ fingerprint: null, sealedIn: null }, join(area, 'backup')]
      const made = await takeBackup({ client, to, madeAt: new Date(), files: {}, masterKey })
      await expect(restoreBackup(restored, { folder: to, manifest: made })).rejects.toThrow(
        'rows of a team that the backup does not have',
      )
      const { rows } = await restored.pool.query('select count(*)::int as people from person')
      expect(rows).toEqual([{ people: 0 }])
    } finally {
      await client.query('delete from person where team_id = $1', [gone])
      await client.query('alter table person enable trigger user')
      await client.end()
      await restored.drop()
      await rm(area, { recursive: true, force: true })
    }
  })
})
