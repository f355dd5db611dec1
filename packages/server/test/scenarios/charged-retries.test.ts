import { createClient, type Client } from '@les/contract'
import { dispatchThrough } from '@les/mcp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { les as run, type Outcome } from '../../../cli/test/shell.ts'
import { openLossyProxy, type Loss, type LossyProxy } from '../world/lossy-proxy.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
let proxy: LossyProxy
beforeAll(async () => {
  proxy = await openLossyProxy(world.url)
})
beforeEach(() => void (proxy.calls as unknown[]).splice(0))
afterAll(() => proxy.close())

const retry = { sleep: async () => {} }
const clientOf = (team: Team): Client => createClient({ baseUrl: proxy.url, apiKey: team.apiKey, retry })

function author(posts: number): string {
  const handle = world.handle('author')
  world.network.seedPerson({
    handle,
    posts: Array.from({ length: posts }, (_, at) => ({
      postedAt: new Date(Date.UTC(2026, 8, 1 + at)).toISOString(),
      text: `post ${at}`,
    })),
  })
  return handle
}

const les = (team: Team, command: string): Promise<Outcome> =>
  run(command, { url: proxy.url, env: { LES_API_KEY: team.apiKey } })

const askers: readonly { who: string; loss: Loss; read: (team: Team, username: string) => Promise<number> }[] = [
  {
    who: 'the typed client',
    loss: 'timeout',
    read: async (team, username) =>
      (await clientOf(team).readProfilePosts({ username, posts: 10, confirmSpend: true })).creditsCharged,
  },
  {
    who: 'les profile posts get',
    loss: 'reset',
    read: async (team, username) =>
      JSON.parse((await les(team, `profile posts get ${username} --posts 10 --confirm-spend --json`)).stdout)
        .creditsCharged,
  },
  {
    who: 'the dispatch of the tools',
    loss: 'timeout',
    read: async (team, username) => {
      const call = dispatchThrough(clientOf(team))
      const { body } = await call('readProfilePosts', { username, posts: 10, confirmSpend: true }, {})
      return (body as { creditsCharged: number }).creditsCharged
    },
  },
]

describe('a read of posts whose answer was lost', () => {
  it.each(askers)(
    'by $who ($loss) is asked for again under its key, answered as the first time, and charged once [G143, UPR-08, CRD-25]',
    async ({ read, loss }) => {
      const team = await world.team({ credits: 100 })
      const username = author(10)
      proxy.lose(loss)
      expect(await read(team, username)).toBe(10)
      expect(await team.balance()).toBe(90)
      expect(proxy.calls.map(({ status, replayed, lost }) => ({ status, replayed, lost }))).toEqual([
        { status: 200, replayed: false, lost: true },
        { status: 200, replayed: true, lost: false },
      ])
      expect(proxy.calls[0]!.key).toMatch(/^[0-9a-f-]{32,36}$/)
      expect(proxy.calls[1]!.key).toBe(proxy.calls[0]!.key)
      expect(await read(team, username)).toBe(10)
      expect(await team.balance()).toBe(80)
    },
  )

  it('les api sends one too, and does not send it again by itself', async () => {
    const team = await world.team({ credits: 100 })
    const username = author(3)
    proxy.lose('timeout')
    const { code } = await les(team, `api GET /profile/${username}/posts --field posts=3 --field confirmSpend=true`)
    expect(code).not.toBe(0)
    expect([proxy.calls.length, proxy.calls[0]!.key === undefined, await team.balance()]).toEqual([1, false, 97])
  })
})

it('a read of the posts of a company page whose answer is lost again and again is charged once [G143]', async () => {
  const team = await world.team({ credits: 100 })
  const slug = world.handle('acme')
  world.network.seedCompany({ slug, posts: [{ text: 'one' }, { text: 'two' }] })
  proxy.lose('reset', 'timeout')
  expect((await clientOf(team).readCompanyPosts({ username: slug, posts: 5, confirmSpend: true })).creditsCharged).toBe(
    2,
  )
  expect([proxy.calls.length, await team.balance()]).toEqual([3, 98])
})

describe('the Idempotency-Key of a read of posts', () => {
  const read = (team: Team, path: string, key: string) => team.get(path, { headers: { 'idempotency-key': key } })

  it('a replay needs no credits; one under way is 409 and holds nothing more [G143, G109]', async () => {
    const team = await world.team({ credits: 10 })
    const username = author(10)
    const path = `/profile/${username}/posts?posts=10&confirmSpend=true`
    world.network.hold({ match: { profilePublicIdentifier: username } })
    const first = read(team, path, 'k')
    await world.network.untilWaiting(1, { match: { profilePublicIdentifier: username } })
    const twin = await read(team, path, 'k')
    expect([twin.status, twin.body.code]).toEqual([409, 'idempotency_in_flight'])
    world.network.release()
    expect((await first).body.creditsCharged).toBe(10)
    expect(await team.balance()).toBe(0)
    expect((await read(team, path, 'k')).body.creditsCharged).toBe(10)
  })

  it('of twins that both read, since the first lease ran out, one is charged and the other gives its hold back [G143]', async () => {
    const team = await world.team({ credits: 100 })
    const username = author(4)
    const path = `/profile/${username}/posts?posts=4&confirmSpend=true`
    world.network.hold({ match: { profilePublicIdentifier: username } })
    const first = read(team, path, 'k')
    await world.network.untilWaiting(1, { match: { profilePublicIdentifier: username } })
    await world.database.pool.query('update idempotency_flight set until_ms = 0')
    const second = read(team, path, 'k')
    await world.network.untilWaiting(2, { match: { profilePublicIdentifier: username } })
    world.network.release()
    const answers = await Promise.all([first, second])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await team.balance()).toBe(96)
    expect((await world.database.pool.query('select 1 from credit_hold where team_id = $1', [team.id])).rowCount).toBe(
      0,
    )
    expect((await read(team, path, 'k')).headers.get('idempotency-replayed')).toBe('true')
  })
})

it('every other call that charges, through the dispatch of the tools, is told as a failure and done once when every try is lost', async () => {
  const team = await world.team({ credits: 1_000 })
  proxy.lose('timeout', 'timeout', 'timeout')
  const request = { keywords: [world.handle('topic')], maxInfluencers: 5, confirmSpend: true }
  const answer = await dispatchThrough(clientOf(team))('startDiscover', request, {})
  expect([answer.status, (await team.get('/discover')).body.runs.length]).toEqual([504, 1])
  expect(new Set(proxy.calls.map(({ key }) => key)).size).toBe(1)
  await world.drain()
})
