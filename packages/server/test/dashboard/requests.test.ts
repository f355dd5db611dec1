/** The log of calls over HTTP: calls of keys and agent tools, who may see them, and what is never stored. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { connect } from '../mcp/client.ts'
import { memberOf, type MemberBrowser } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
type Row = Record<string, any>

let team: Team
let viewer: MemberBrowser
beforeAll(async () => {
  team = await world.team()
  viewer = await memberOf(world, team, 'viewer')
})
const log = async (query = ''): Promise<Row[]> => (await viewer.get(`/requests${query}`)).body.requests
const stored = async (teamId: string): Promise<number> =>
  Number(
    (
      await sql<{ n: string }>`select count(*) as n from request_log where team_id = ${teamId}`.execute(
        world.database.root,
      )
    ).rows[0]!.n,
  )

describe('the log of calls', () => {
  it('names operation, status, code, key, request and time of every call by a key, and has none of reads of itself', async () => {
    const [key] = (await team.get('/keys')).body.keys
    const refused = await team.post('/enrich/profile', { username: 'jane-doe', creditCapPerSync: 0 })
    await team.get('/nowhere?x=1')
    await team.get('/credits', { headers: { 'x-request-id': 'mine-1' } })
    await viewer.get('/v1/credits')
    const rows = await log()
    expect(rows.map((row) => [row.operation, row.method, row.path, row.status, row.code])).toEqual([
      ['getCredits', 'GET', '/credits', 200, null],
      [null, 'GET', '/nowhere?x=1', 404, 'not_found'],
      ['enrichProfile', 'POST', '/enrich/profile', refused.status, refused.body.code ?? null],
      ['listKeys', 'GET', '/keys', 200, null],
    ])
    expect(rows.find(({ requestId }) => requestId === 'mine-1')).toMatchObject({
      surface: 'api',
      at: '2026-11-21T09:00:00.000Z',
      caller: { kind: 'key', id: key.id, name: `${key.name} (${key.maskedKey})` },
      standsFor: 1,
    })
    expect(await log('?requestId=mine-1')).toHaveLength(1)
    expect((await log('?status=4xx')).map(({ status }) => status)).toEqual([404, refused.status].sort((a, b) => b - a))
    expect(await log(`?operation=getCredits&keyId=${key.id}`)).toHaveLength(1)
    expect((await viewer.get('/requests?status=abc')).body.error).toContain('must be a status')
    const first = await viewer.get('/requests?limit=3')
    const rest = await viewer.get(`/requests?limit=3&cursor=${first.body.nextCursor}`)
    expect([...first.body.requests, ...rest.body.requests].map(({ id }: Row) => id)).toEqual(rows.map(({ id }) => id))
  })

  it('shows a call as commands that make it again, with no secret in what was sent', async () => {
    const secret = `cs_${'a1'.repeat(20)}`
    await team.put('/profile/o%27neil/webhook', { webhookUrl: 'https://hooks.example.com/t0ken', note: secret })
    const [row] = await log('?operation=updateProfileWebhook')
    const shown = (await viewer.get(`/requests/${row!.id}`)).body
    expect(shown).toMatchObject({
      request: row,
      body: { webhookUrl: '(not kept)', note: '(not kept)' },
      les: `les api PUT /profile/o%27neil/webhook --body '{"webhookUrl":"(not kept)","note":"(not kept)"}'`,
    })
    expect(shown.curl).toContain(`curl --request PUT ${world.url}/api/v1/profile/o%27neil/webhook`)
    expect((await viewer.get('/requests/00000000-0000-4000-8000-000000000000')).status).toBe(404)
    const { rows } = await sql<{ text: string }>`select to_jsonb(r)::text as text from request_log r`.execute(
      world.database.root,
    )
    expect(rows.filter(({ text }) => text.includes(secret) || text.includes('t0ken'))).toEqual([])
  })

  it('takes what strangers send: bytes and escapes that no column holds, long bodies, calls without a window', async () => {
    const other = await world.team({ limits: { reads: 2, writes: 50 } })
    const member = await memberOf(world, other, 'member')
    await other.call('POST', '/enrich/profile', undefined, {
      raw: '{"username":"\\u0000\\ud800","x":{"y":"\\u0000"}}',
      headers: { 'content-type': 'application/json' },
    })
    await other.post('/keyword/estimate', { keywords: Array.from({ length: 2_000 }, (_, index) => `word ${index}`) })
    // NUL three times, once before something that looks like a key: the NUL's escape must not count as part of the key.
    for (const digits of ['1', '2', 'a1'.repeat(20)]) await other.get(`/credits?x=%00${digits}`)
    const rows = (await member.get('/requests')).body.requests as Row[]
    expect(rows.map(({ status }) => status).sort()).toEqual([400, 400, 400, 400, 429])
    expect(rows.find(({ status }) => status === 429)).toMatchObject({ code: 'rate_limited', operation: null })
  })

  it('shows a team its own calls only', async () => {
    const other = await world.team()
    const stranger = await memberOf(world, other, 'owner')
    const [mine] = await log()
    expect((await stranger.get('/requests')).body.requests).toEqual([])
    expect((await stranger.get(`/requests/${mine!.id}`)).status).toBe(404)
  })

  it('has what agent tools asked, and who asked through them', async () => {
    const agent = await connect(`${world.url}/mcp`, { headers: { 'x-api-key': team.apiKey } })
    await agent.call('search_leads', { username: 'nobody' })
    await agent.close()
    expect((await log('?surface=mcp')).map(({ operation, path, status }) => [operation, path, status])).toEqual([
      ['listLeads', expect.stringContaining('/leads?'), 404],
    ])
  })

  it('samples reads above a rate, so that a flood takes few rows, and keeps every change', async () => {
    const busy = await world.team()
    const member = await memberOf(world, busy, 'viewer')
    const calls = 160
    for (let from = 0; from < calls; from += 20)
      await Promise.all(Array.from({ length: 20 }, () => busy.get('/nowhere')))
    await Promise.all([1, 2, 3].map(() => busy.del('/keys/00000000-0000-4000-8000-000000000000')))
    const rows = (await member.get('/requests?limit=200')).body.requests as Row[]
    const reads = rows.filter(({ method }) => method === 'GET')
    expect(rows.length - reads.length).toBe(3)
    // A minute of system time may end in between; then a new minute's quota starts.
    expect(reads.length).toBeLessThanOrEqual(calls)
    expect(reads.reduce((sum, { standsFor }) => sum + standsFor, 0)).toBeLessThanOrEqual(calls)
    expect(reads.reduce((sum, { standsFor }) => sum + standsFor, 0)).toBeGreaterThan(calls - 40)
  })

  it('is gone after thirty days, and holds at most so many calls of a team', async () => {
    const purge = () => world.runTask('purge calls')
    const old = await world.team()
    const member = await memberOf(world, old, 'viewer')
    await old.get('/credits')
    expect((await member.get('/requests')).body.requests).toHaveLength(1)
    await sql`
      insert into request_log
      select r.team_id, ('ffffffff-ffff-7fff-8fff-' || lpad(to_hex(n), 12, '0'))::uuid, r.at, r.surface, r.operation,
        r.method, r.path, r.query, r.body, r.status, r.code, r.duration_ms,
        r.caller_kind, r.caller_id, r.caller_name, r.request_id, r.stands_for
      from request_log r, generate_series(1, 100004) n where r.team_id = ${old.id}`.execute(world.database.root)
    // As autovacuum does in production: connections with plans for a few rows plan anew.
    for (const shard of world.service.shards.names)
      await sql`analyze ${sql.table(`${shard}.request_log`)}`.execute(world.database.root)
    expect(await purge()).toBe(5)
    expect(await stored(old.id)).toBe(100_000)
    expect((await member.get('/requests')).body.requests).toHaveLength(50)
    await sql`delete from request_log where team_id = ${old.id} and id::text like 'ffffffff%'`.execute(
      world.database.root,
    )
    await old.get('/credits')
    await member.get('/requests')
    expect(await stored(old.id)).toBeGreaterThan(0)
    await world.move('30d')
    expect(await purge()).toBe(0)
    await world.move('1s')
    expect((await member.get('/requests')).body.requests).toEqual([])
    // The clock may have purged first.
    await purge()
    expect(await stored(old.id)).toBe(0)
  })
})
