/** An export of thousands of leads is complete, ordered, and stops with its caller. SQL inserts the leads: no oracle runs. */
import { request } from 'node:http'
import type { PoolClient } from 'pg'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type Team, type World } from '../world/world.ts'
import { exported } from './csv.ts'
import { recountLeads } from '../world/lists.ts'
import { memberOf, type MemberBrowser } from './stage.ts'

let world: World
const ids = (rows: readonly { readonly id?: string }[]): string[] => rows.map(({ id }) => id!)

/** Gives a source leads that engaged a second apart, the first of them the newest. */
async function fill(team: Team, sourceId: string, count: number): Promise<void> {
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type, name,
        linkedin_url, enrichment, webhook_status, created_at)
    select ${team.id}::uuid, gen_random_uuid(), ${sourceId}::uuid, ${sourceId}::uuid, 'profile', 'ACoA' || n,
      'reaction:' || n || ':' || ${sourceId}, 'Like', case when n % 700 = 0 then 'Rare Name' else 'Person ' || n end,
      'https://www.linkedin.com/in/p' || n, 'skipped', 'no_webhook',
      ${new Date('2026-11-20T00:00:00.000Z')}::timestamptz - make_interval(secs => n / 3)
    from generate_series(1, ${count}::integer) n`.execute(world.database.root)
  await recountLeads(world.database.root, team.id)
  await sql`
    insert into lead_text (team_id, field, key, folded)
    select distinct on (name_key) team_id, 'name', name_key, name_folded from lead
    where team_id = ${team.id} and name_key is not null on conflict do nothing`.execute(world.database.root)
}

describe('an export of thousands', () => {
  const count = 5_300
  let team: Team
  let viewer: MemberBrowser
  beforeAll(async () => {
    world = await createWorld()
    team = await world.team()
    viewer = await memberOf(world, team, 'viewer')
    const author = world.handle('author')
    world.network.seedPerson({ handle: author, posts: [] })
    await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })
    await world.drain()
    await fill(team, (await team.get('/sources')).body.sources[0].id, count)
  })
  afterAll(() => world.close())

  it('has every lead once, in the order of the list, though many were stored at the same instant', async () => {
    const all = ids(await exported(viewer))
    expect([all.length, new Set(all).size]).toEqual([count, count])
    const page = async (offset: number) => ids((await team.get(`/leads?limit=100&offset=${offset}`)).body.leads)
    for (const offset of [0, 450, 500, 5_200]) expect(await page(offset)).toEqual(all.slice(offset, offset + 100))
    expect(ids(await exported(viewer, '?limit=1&offset=5000'))).toEqual(all)
  })

  it('stops asking the database once the caller has gone', async () => {
    let batches = 0
    const undo: (() => void)[] = []
    const watched = new Set<unknown>()
    const watch = (taken: PoolClient) => {
      // Treats the overloads of `query` as one.
      const client = taken as unknown as { query: (...given: unknown[]) => unknown }
      if (watched.has(client)) return
      watched.add(client)
      const plain = client.query
      client.query = (...given) => {
        const text = typeof given[0] === 'string' ? given[0] : (given[0] as { text?: string }).text
        if (text?.includes('with page as')) batches += 1
        return plain.apply(client, given)
      }
      undo.push(() => void (client.query = plain))
    }
    const { pool } = world.service.requests
    pool.on('acquire', watch)
    await sql`update lead set comment_text = repeat('x', 20000) where team_id = ${team.id}`.execute(world.database.root)
    try {
      await new Promise<void>((resolve, reject) => {
        const cookie = [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const asked = request(
          `${world.url}/app/api/teams/${team.id}/leads/export`,
          { headers: { cookie } },
          (response) => {
            response.once('data', () => {
              response.destroy()
              resolve()
            })
          },
        )
        asked.once('error', reject).end()
      })
      // After several round trips the service has noticed that the connection ended.
      for (let calls = 0; calls < 50; calls++) await team.get('/credits')
      const seen = batches
      for (let calls = 0; calls < 50; calls++) await team.get('/credits')
      expect(batches).toBe(seen)
      expect(seen).toBeGreaterThan(0)
      expect(seen).toBeLessThan(count / 500)
    } finally {
      pool.off('acquire', watch)
      for (const each of undo) each()
    }
  })
})
