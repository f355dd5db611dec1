/** Every command of docs/partitioning.md, run beside a service that captures, charges and delivers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientConfig } from '../../src/platform/db/open.ts'
import { likes, people, track } from '../scenarios/sync-stage.ts'
import { findDrift } from '../world/oracle.ts'
import { useWorld, type Team } from '../world/world.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/partitioning.md'), 'utf8')
const blocks = new Map([...page.matchAll(/```sql ([^\n]+)\n([\s\S]*?)```/g)].map(([, name, text]) => [name!, text!]))

const world = useWorld()
let client: pg.Client
beforeAll(async () => {
  client = new pg.Client(clientConfig(world.database.connection))
  await client.connect()
})
afterAll(async () => {
  await client.end()
})

const done = new Set<string>()
/** Runs a block; one that did not get its locks is rolled back and run again, as the page says. */
async function run(name: string): Promise<unknown[]> {
  done.add(name)
  for (let again = 0; ; again++)
    try {
      return await runOnce(name)
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03' || again === 50) throw error
      await client.query('rollback')
    }
}

/** Runs it, each statement by itself, as psql does; answers what its selects said. */
async function runOnce(name: string): Promise<unknown[]> {
  const said: unknown[] = []
  for (const statement of blocks
    .get(name)!
    .split(/;\n/)
    .filter((text) => text.trim() !== ''))
    said.push(...(await client.query(statement)).rows)
  return said
}

const counts = async (...tables: string[]) => {
  const { rows } = await client.query(
    tables.map((table) => `select '${table}' as table, count(*)::int as rows from ${table}`).join(' union all '),
  )
  return Object.fromEntries(rows.map(({ table, rows: count }) => [table, count]))
}

/** A team works: people are captured, charged and delivered. */
async function work(team: Team, url: string, many = 3): Promise<void> {
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: likes(people(world, many)) })
  await track(team, author)
  expect((await team.put(`/profile/${author}/webhook`, { webhookUrl: url, autoSend: true })).status).toBe(200)
  await world.drain()
}

describe('the largest tables become partitioned', () => {
  test('beside a working service: every statement goes on, nothing is charged or sent twice, months are dropped', async () => {
    const [team, inbox] = [await world.team({ credits: 1_000 }), await world.inbox()]
    await work(team, inbox.url)
    for (const table of ['delivery_attempt', 'audit_entry']) {
      await run(`${table}: beside`)
      await Promise.all([work(team, inbox.url), run(`${table}: exchange`)])
      await run(`${table}: next month`)
    }
    await run('credit_entry: beside')
    await work(team, inbox.url)
    await Promise.all([work(team, inbox.url), run('credit_entry: copy')])
    expect(await run('credit_entry: compare')).toEqual([{ wrong: 0 }, { wrong: 0 }])
    await Promise.all([work(team, inbox.url), run('credit_entry: exchange')])
    const before = await counts('delivery_attempt_first', 'delivery_attempt_2026_12', 'audit_entry_2026_12')
    expect(before).toMatchObject({ delivery_attempt_2026_12: 0, audit_entry_2026_12: 0 })
    await world.advance('11d')
    await work(team, inbox.url)
    const after = await counts('delivery_attempt_2026_12', 'audit_entry_2026_12', 'delivery_attempt_rest')
    expect(after).toMatchObject({ delivery_attempt_rest: 0 })
    expect(after.delivery_attempt_2026_12).toBeGreaterThanOrEqual(3)
    // The key that keeps from charging twice is there, and lines are still final.
    const { rows } = await client.query('select * from credit_entry where team_id = $1 limit 1', [team.id])
    await expect(
      client.query(
        `insert into credit_entry select team_id, gen_random_uuid(), account, key, kind, amount, category, source_id,
          sync_id, created_at from credit_entry where team_id = $1 and id = $2`,
        [team.id, rows[0].id],
      ),
    ).rejects.toThrow('credit_entry')
    await expect(client.query('update credit_entry set amount = amount')).rejects.toThrow('append-only')
    expect(await findDrift(world.database.root)).toEqual([])
    const ids = inbox.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(ids.length)
    for (const block of ['delivery_attempt: drop', 'audit_entry: drop', 'credit_entry: drop'])
      await Promise.all([work(team, inbox.url), run(block)])
    await world.advance('1d')
    expect(await findDrift(world.database.root)).toEqual([])
    expect([...blocks.keys()].filter((name) => !done.has(name))).toEqual([])
  })
})
