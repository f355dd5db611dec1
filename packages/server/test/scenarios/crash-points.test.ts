/** Work that dies at any point and is repeated leaves the same leads, charges and status as undisturbed work of a twin team. */
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Answer, type Team } from '../world/world.ts'
import { overtake, leadsOf, likes, people, sourceOf, statusOf, track, workThrough } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

/** An author with two posts, comments with replies, repeated people who share an employer, and `more` people on a second page. */
function seedAuthor(more: number): string {
  const [author, employer] = [world.handle('author'), world.handle('employer')]
  const fans = people(world, 6)
  for (const handle of fans.slice(0, 3))
    world.network.seedPerson({ handle, company: employer, title: 'Engineer', country: 'DE' })
  world.network.seedPost({ author, reactions: more })
  world.network.seedPost({
    author,
    reactions: likes(fans),
    comments: [
      { person: fans[0]!, text: 'One', replies: [{ person: fans[5]!, text: 'Two' }] },
      { person: world.handle(), text: 'Three' },
    ],
  })
  return author
}

const without = ({ id: _id, sourceId: _source, ...lead }: Answer['body']) => lead
const comparable = async (team: Team, author: string): Promise<unknown> => {
  const { syncId: _sync, sourceId: _source, ...status } = await statusOf(team, author)
  const leads = (await leadsOf(team, author))
    .map(without)
    .map((lead) => JSON.stringify(lead))
    .sort()
  const { rows } = await world.database.pool.query(
    `select person_urn, engagement_key, reaction, comment_text, enrichment, webhook_status
     from lead
     where team_id = $1
     order by engagement_key`,
    [team.id],
  )
  return { status, leads, rows, balance: await team.balance(), usage: (await team.get('/credits/usage')).body.byDate }
}

const inCapture = [
  'capture.leased',
  'capture.posts-written',
  'capture.page-fetched',
  'capture.people-written',
  'capture.charged',
  'capture.before-commit',
  'capture.after-commit',
  'capture.before-close',
  'capture.closed',
] as const
const inEnrichment = [
  'enrichment.leased',
  'enrichment.profile-fetched',
  'enrichment.company-fetched',
  'enrichment.written',
  'enrichment.before-commit',
] as const

/** Without instants: the disturbed team took longer. */
const timeless = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'an instant'))

/** One kind of sync: its author and the result of an undisturbed run, made once because teams share nothing. */
function scene({ more, enrichLeads }: { readonly more: number; readonly enrichLeads: boolean }) {
  let author: string | undefined
  let calm: unknown
  const ofAll = () => (author ??= seedAuthor(more))
  const leaveAlone = async () => {
    const twin = await world.team()
    await track(twin, ofAll(), { enrichLeads })
    await world.drain()
    return comparable(twin, ofAll())
  }
  return { more, enrichLeads, author: ofAll, calm: async () => (calm ??= await leaveAlone()) }
}
const raw = scene({ more: 105, enrichLeads: false })
/** New for each case, because teams share facts about companies. */
const enriched = () => scene({ more: 2, enrichLeads: true })

describe('a sync that dies', () => {
  it.each([
    ...inCapture.map((point) => ({ point, times: point === 'capture.charged' ? 3 : 1, of: () => raw })),
    ...inEnrichment.map((point) => ({ point, times: point === 'enrichment.written' ? 3 : 1, of: enriched })),
  ] as const)(
    'at $point, $times times over, ends as one that was left alone [CRD-13, CRD-14, SYN-02, SYN-23, SYN-32]',
    async ({ point, times, of }) => {
      const { more, enrichLeads, ...scene } = of()
      const team = await world.team()
      const author = scene.author()
      await world.arm(point, times)
      await track(team, author, { enrichLeads })
      await workThrough(world, point, times)
      await world.advance('2m')
      const disturbed = await comparable(team, author)
      const calm = await scene.calm()
      expect(calm).toMatchObject({
        status: {
          state: 'completed',
          isFinal: true,
          stoppedBy: 'exhausted',
          capture: { creditsSpent: 7 + more, leadRowsCaptured: 9 + more },
        },
        balance: 10_000 - 7 - more,
      })
      expect(timeless(disturbed)).toEqual(timeless(calm))
    },
  )
})

describe('tracking that dies before its commit', () => {
  it.each(['track.before-commit', 'handler'] as const)(
    'at %s is a 500 that leaves nothing; repeated, it makes one source and one sync [SYN-27, SYN-34, ENR-50]',
    async (point) => {
      const team = await world.team()
      const author = seedAuthor(3)
      await world.arm(point)
      expect((await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })).status).toBe(500)
      expect(await sourceOf(team, author)).toBeUndefined()
      const { syncId } = await track(team, author)
      await world.drain()
      expect(await statusOf(team, author)).toMatchObject({ syncId, state: 'completed', capture: { creditsSpent: 10 } })
    },
  )
})

describe('a worker that was overtaken', () => {
  it("writes nothing when it wakes up: the page it holds is another worker's by now [CRD-13, CRD-14, SYN-02]", async () => {
    const team = await world.team()
    const author = seedAuthor(105)
    world.network.hold({ operation: 'post-reactions', match: { page: '2' } })
    await track(team, author, { enrichLeads: false })
    await overtake(world, { operation: 'post-reactions' })
    expect(await statusOf(team, author)).toMatchObject({
      state: 'completed',
      progress: { postsTotal: 2, postsProcessed: 2 },
      capture: { creditsSpent: 112, leadRowsCaptured: 114, stoppedBy: 'exhausted' },
    })
    expect(await team.balance()).toBe(10_000 - 112)
  })
})
