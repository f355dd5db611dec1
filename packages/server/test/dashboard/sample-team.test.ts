/** The sample team: everybody signed in may look, nobody may change it, and no work runs for it (decision 0020). */
import { registry, sessionRegistry, type Operation, type SessionOperation } from '@les/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { sampleTeamId } from '../../src/platform/sample-team.ts'
import { snapshot } from '../world/snapshot.ts'
import { anyShard } from '../world/shards.ts'
import { useWorld, type Team } from '../world/world.ts'
import { leastRole, notAtDashboard } from './least-role.ts'
import { at, memberOf, openBrowser, signUp, type Browser, type MemberBrowser } from './stage.ts'

const world = useWorld()
let team: Team
let owner: MemberBrowser
let newcomer: Browser
beforeAll(async () => {
  team = await world.team()
  owner = await memberOf(world, team, 'owner')
  newcomer = await signUp(world)
})

const open = async (browser: Pick<Browser, 'send'>) => browser.send('POST', '/app/api/sample-team', {})
const dayMs = 86_400_000

/** Retention deletes its old attempts and calls like those of any team; opening it restores them. */
describe('the sample team', () => {
  it('is not there before somebody opens it, and opens for nobody without a session [AUT-05]', async () => {
    expect((await at(owner, sampleTeamId).get('/v1/leads')).status).toBe(404)
    expect((await owner.send('GET', '/app/api/me')).body.sampleTeam).toBeNull()
    expect((await open(openBrowser(world))).status).toBe(401)
  })

  it('opens for everybody at once, as viewers of one full team that is in nobody’s list of teams [AUT-05]', async () => {
    const [first, second] = await Promise.all([open(owner), open(newcomer)])
    expect([first.status, first.body]).toEqual([200, second.body])
    expect(first.body.team).toEqual({
      id: sampleTeamId,
      name: 'Sample team',
      role: 'viewer',
      plan: 'growth',
      status: 'active',
    })
    for (const browser of [owner, newcomer]) {
      const sample = at(browser, sampleTeamId)
      const [leads, sources, deliveries, burn, runs, agent, members] = await Promise.all([
        sample.get('/v1/leads?limit=100'),
        sample.get('/v1/sources'),
        sample.get('/deliveries'),
        sample.get('/credits/burn?days=30'),
        sample.get('/v1/discover'),
        sample.get('/v1/agent/leads'),
        sample.get('/members'),
      ])
      expect([leads, sources, deliveries, burn, runs, agent, members].map(({ status }) => status)).toEqual(
        Array(7).fill(200),
      )
      expect(leads.body.total).toBeGreaterThan(100)
      expect(sources.body.total).toBeGreaterThan(4)
      expect(deliveries.body.deliveries.length).toBeGreaterThan(20)
      expect(burn.body.credits.used).toBeGreaterThan(100)
      const perDay = burn.body.days.map(({ total }: { total: number }) => total)
      // The team was just made but its spending is older: the forecast must resemble the days shown.
      expect(burn.body.forecast.dailyAverage).toBeGreaterThan(0)
      expect(burn.body.forecast.dailyAverage).toBeLessThanOrEqual(Math.max(...perDay))
      expect(runs.body.runs).toHaveLength(2)
      expect(agent.body.leads.length).toBeGreaterThan(2)
      expect(members.body).toEqual({ members: [], invitations: [] })
    }
    const { teams, sampleTeam } = (await owner.send('GET', '/app/api/me')).body
    expect([teams.map(({ id }: Team) => id), sampleTeam.id]).toEqual([[team.id], sampleTeamId])
    expect((await team.get('/leads')).body.total).toBe(0)
  })

  it('refuses every write, and every read that reaches a vendor, whoever asks, and stays as it is [AUT-05]', async () => {
    const before = await snapshot(world.database.pool)
    const filled = (path: string) => path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
    const writes = [
      ...(registry as readonly Operation[])
        .filter(({ id }) => !notAtDashboard.includes(id))
        .map((each) => ({ ...each, path: `/v1${each.path}` })),
      ...(sessionRegistry as readonly SessionOperation[]).filter(({ role }) => role !== null),
    ].filter(({ id, method }) => method !== 'GET' || id === 'resolveProfileUrn' || leastRole[id] === 'member')
    expect(writes.length).toBeGreaterThan(60)
    const sample = at(owner, sampleTeamId)
    for (const { id, method, path, body } of writes) {
      const { status, body: answer } = await sample.call(method, filled(path), body === null ? undefined : {})
      expect([id, status, answer.code]).toEqual([id, 403, 'role_required'])
    }
    expect(await snapshot(world.database.pool)).toEqual(before)
  })

  it('is never worked on, delivered from, charged or renewed, and is in no list of the operator', async () => {
    const rows = async () => {
      const { rows: tables } = await world.database.pool.query<{ name: string }>(
        `select distinct table_name as name from information_schema.columns
         where table_schema = any($1) and column_name = 'team_id'
         and table_name not in ('rate_window', 'vendor_day', 'delivery_attempt', 'request_log') order by 1`,
        [['public', anyShard]],
      )
      const counted = tables.map(
        ({ name }) =>
          `select '${name}' as name, md5(string_agg(t::text, ',' order by t::text)) as hash
          from ${name} t where team_id = '${sampleTeamId}'`,
      )
      return (await world.database.pool.query(counted.join(' union all '))).rows
    }
    const before = await rows()
    const calls = world.network.calls({}).length
    for (const by of ['26h', '40d', '400d']) await world.advance(by)
    expect(await rows()).toEqual(before)
    expect(world.network.calls({})).toHaveLength(calls)
    expect((await world.operator('GET', '/operator/costs')).text).not.toContain(sampleTeamId)
  })

  it('is put in anew when it is opened a day later or more, with its last run within a day, and has no API key', async () => {
    await world.advance('3d')
    expect((await open(newcomer)).status).toBe(200)
    const sample = at(newcomer, sampleTeamId)
    const { leads } = (await sample.get('/v1/leads?limit=1')).body
    expect((await world.now()).getTime() - Date.parse(leads[0].createdAt)).toBeLessThan(dayMs)
    const before = await snapshot(world.database.pool)
    expect((await open(owner)).status).toBe(200)
    expect(await snapshot(world.database.pool)).toEqual(before)
    expect((await sample.get('/v1/keys')).body.keys).toEqual([])
    const { rows } = await world.database.pool.query('select 1 from sign_in.membership where team_id = $1', [
      sampleTeamId,
    ])
    expect(rows).toEqual([])
  })
})
