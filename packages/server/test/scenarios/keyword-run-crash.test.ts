/** A keyword run that dies anywhere is repeated to the same result; a worker without its lease writes nothing. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { decidedOf, onlySeeded, rowsOf, rowOf, search, statusOf, storeKey, topic } from './keyword-run-stage.ts'
import { likes, overtake, people, workThrough } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

/** Two terms with common posts, an expression and an AI filter that discard some, a company page, two pages of people. */
function seed(): Record<string, unknown> {
  const [one, two] = [topic(world), topic(world)]
  const fans = people(world, 4)
  const text = [`${one} hiring`, `${two} hiring`, `${one} ${two} hiring`, `${one} cooking`, `${one} hiring spam`]
  for (const each of text)
    world.network.seedPost({
      author: world.handle('author'),
      text: each,
      reactions: likes(fans),
      comments: [{ person: fans[0]!, text: 'Hm' }],
    })
  world.network.seedPost({
    author: { company: world.handle('page') },
    text: `${two} hiring too`,
    reactions: likes(people(world, 105)),
    comments: [],
  })
  return {
    expression: `${one} AND NOT spam OR ${two} AND NOT spam`,
    aiProvider: 'openai',
    aiPrompt: 'Keep "hiring"',
    capturePostAuthors: true,
  }
}

const points = [
  'keyword.leased',
  'keyword.page-fetched',
  'keyword.posts-written',
  'keyword.judged',
  'keyword.verdicts-written',
  'keyword.before-commit',
  'keyword.after-commit',
  'keyword.handed-over',
] as const
const inCapture = [
  'capture.people-written',
  'capture.charged',
  'capture.before-commit',
  'capture.before-close',
  'capture.closed',
] as const

const timeless = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'an instant'))
async function outcome(team: Team, id: string): Promise<unknown> {
  const { lastRun, schedule } = await rowOf(team, id)
  const { syncId: _sync, sourceId: _source, ...status } = await statusOf(team, id)
  const rows = (await rowsOf(world, team, id))
    .map((row) => `${row.engagement_type} ${row.person_urn} ${row.post_urn}`)
    .sort()
  const decided = (await decidedOf(team, id)).map((post) => `${post.postUrn} ${post.outcome} ${post.reason}`).sort()
  const watched = (
    await world.database.pool.query('select post_urn from source_post where source_id = $1 order by 1', [id])
  ).rows
  return timeless({ lastRun, schedule, status, rows, decided, watched, balance: await team.balance() })
}

async function undisturbed(settings: Record<string, unknown>): Promise<unknown> {
  const twin = await world.team()
  await storeKey(world, twin)
  const { id } = await search(twin, settings)
  await world.drain()
  return outcome(twin, id)
}

/** One kind of search: its settings and the result of an undisturbed run, made once because teams share nothing. */
function scene(more: Record<string, unknown> = {}) {
  let settings: Record<string, unknown> | undefined
  let calm: unknown
  const ofAll = () => (settings ??= { ...seed(), ...more })
  return { settings: ofAll, calm: async () => (calm ??= await undisturbed(ofAll())) }
}
const engagers = scene()
const postsOnly = scene({ capturePostAuthors: undefined, mode: 'posts_only', postsPerSync: 60 })

describe('a keyword run that dies', () => {
  it.each([
    ...points.map((point) => ({ point, times: point === 'keyword.before-commit' ? 3 : 1 })),
    ...inCapture.map((point) => ({ point, times: 1 })),
  ])(
    'at $point, $times times over, ends as one that was left alone [KRN-02, KRN-09, KRN-16, CRD-19, AIF-08]',
    async ({ point, times }) => {
      const team = await world.team()
      await storeKey(world, team)
      await world.arm(point, times)
      const { id } = await search(team, engagers.settings())
      await workThrough(world, point, times)
      const calm = await engagers.calm()
      expect(calm).toMatchObject({
        lastRun: {
          stoppedBy: 'exhausted',
          creditsSpent: 112,
          postsScanned: 6,
          postsKept: 4,
          discardedByExpression: 1,
          postAuthorsCaptured: 3,
          companyAuthorsSkipped: 1,
        },
        schedule: { runsCompleted: 1 },
      })
      expect(await outcome(team, id)).toEqual(calm)
    },
  )

  it.each(['keyword.posts-written', 'keyword.handed-over'] as const)(
    'posts-only, at %s, charges each post once [KRN-15, KRN-16]',
    async (point) => {
      const team = await world.team()
      await storeKey(world, team)
      await world.arm(point, 1)
      const { id } = await search(team, postsOnly.settings())
      await workThrough(world, point, 1)
      const calm = await postsOnly.calm()
      expect(calm).toMatchObject({ lastRun: { stoppedBy: 'exhausted', creditsSpent: 4, postsFetched: 4 } })
      expect(await outcome(team, id)).toEqual(calm)
    },
  )
})

describe('a worker that was overtaken', () => {
  it.each([
    ['with a page of found posts', { operation: 'post-search' }],
    ['with the verdicts of an AI', { vendor: 'openai' }],
  ] as const)('%s writes nothing when it wakes up [KRN-02, CRD-19, AIF-08]', async (_title, match) => {
    const team = await world.team()
    await storeKey(world, team)
    world.network.hold(match)
    const { id } = await search(team, engagers.settings())
    await overtake(world, match)
    expect(await outcome(team, id)).toEqual(await engagers.calm())
  })
})
