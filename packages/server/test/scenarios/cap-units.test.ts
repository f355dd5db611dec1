/** What each cap counts; people like, comment and reply, so that rows and people differ in every fixture. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { onlySeeded, rowsOf, run, runAgain, topic } from './keyword-run-stage.ts'
import { likes, people, resweep, sourceOf, statusOf, sweep, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

const [like, comment] = ['Like', 'Comment']
const urn = (id: string): string => `urn:li:activity:${id}`

/** Everybody likes, then everybody comments, then everybody replies to the first comment. */
const busy = (
  handles: readonly string[],
  kinds: readonly ('likes' | 'comments' | 'replies')[] = ['likes', 'comments', 'replies'],
) => ({
  reactions: kinds.includes('likes') ? likes(handles) : [],
  comments: kinds.includes('comments')
    ? handles.map((person, at) => ({
        person,
        text: `${person} says`,
        ...(at === 0 && kinds.includes('replies')
          ? { replies: handles.map((each) => ({ person: each, text: `${each} replies` })) }
          : {}),
      }))
    : [],
})
async function held(team: Team, sourceId: string): Promise<{ rows: number; people: number; credits: number }> {
  const { rows } = await world.database.pool.query(
    `select count(*)::int as rows, count(distinct person_urn)::int as people,
       (select count(*)::int from credit_entry e where e.team_id = $1 and e.source_id = $2 and e.kind = 'charge') as credits
     from lead
     where team_id = $1 and source_id = $2`,
    [team.id, sourceId],
  )
  return rows[0]
}
const kindsOf = async (team: Team, id: string): Promise<string[]> =>
  (await rowsOf(world, team, id)).map((row) => row.engagement_type).sort()

describe('creditCapPerSync counts lead rows', () => {
  it.each([
    [2, [comment, like], 'credits'],
    [3, [comment, comment, like], 'exhausted'],
  ] as const)(
    '%i rows of one person who likes, comments and replies: one credit, whatever the cap [SYN-06, SYN-14, SYN-15, CRD-13, CRD-16, G35]',
    async (creditCapPerSync, kinds, stoppedBy) => {
      const [team, author] = [await world.team({ credits: 100 }), world.handle('author')]
      world.network.seedPost({ author, ...busy(people(world, 1)) })
      const { capture } = await sweep(world, team, author, { creditCapPerSync })
      expect(capture).toMatchObject({ stoppedBy, creditsSpent: 1, leadRowsCaptured: kinds.length })
      const { id } = await sourceOf(team, author)
      expect([await kindsOf(team, id), await team.balance()]).toEqual([[...kinds].sort(), 99])
    },
  )

  it('of all posts of a sync together, those that cost nothing too [SYN-06, CRD-16]', async () => {
    const [team, author] = [await world.team({ credits: 100 }), world.handle('author')]
    const [ann] = people(world, 1)
    for (let at = 0; at < 2; at += 1) world.network.seedPost({ author, ...busy([ann!]) })
    expect((await sweep(world, team, author, { creditCapPerSync: 4 })).capture).toMatchObject({
      stoppedBy: 'credits',
      creditsSpent: 1,
      leadRowsCaptured: 4,
    })
    expect((await resweep(world, team, author)).capture).toMatchObject({
      stoppedBy: 'exhausted',
      creditsSpent: 0,
      leadRowsCaptured: 2,
    })
  })

  it('of a run that the balance ends counts no rows: people bind, and whoever is paid for is stored [SYN-14, CRD-14, G17]', async () => {
    const [team, author] = [await world.team({ credits: 1 }), world.handle('author')]
    const [ann, ben] = people(world, 2)
    world.network.seedPost({
      author,
      reactions: likes([ann!]),
      comments: [{ person: ann!, text: 'one', replies: [ann!, ben!].map((person) => ({ person, text: 'two' })) }],
    })
    const { capture, errorCode } = await sweep(world, team, author, { creditCapPerSync: 4 })
    expect([capture, errorCode]).toMatchObject([
      { stoppedBy: 'credits', creditsSpent: 1, leadRowsCaptured: 3 },
      'insufficient_enriching_credits',
    ])
  })
})

describe('creditCap of a keyword search counts people', () => {
  it(
    '2 of the same two people who like and comment is exhausted with four rows; a third liker among them ends it ' +
      'credits at two rows [CRD-20, KRN-11, KRN-12]',
    async () => {
      const team = await world.team({ credits: 100 })
      const [two, three] = [topic(world), topic(world)]
      for (const [text, count] of [
        [two, 2],
        [three, 3],
      ] as const)
        world.network.seedPost({ author: world.handle(), text, ...busy(people(world, count), ['likes', 'comments']) })
      const exact = await run(world, team, { keyword: two, creditCap: 2 })
      expect([exact.lastRun, await held(team, exact.id)]).toMatchObject([
        { stoppedBy: 'exhausted', creditsSpent: 2 },
        { rows: 4, people: 2 },
      ])
      const capped = await run(world, team, { keyword: three, creditCap: 2 })
      expect([capped.lastRun, await held(team, capped.id)]).toMatchObject([
        { stoppedBy: 'credits', creditsSpent: 2 },
        { rows: 2, people: 2 },
      ])
      const rest = await runAgain(world, team, capped.id)
      expect([rest.lastRun, await held(team, capped.id)]).toMatchObject([
        { stoppedBy: 'exhausted', creditsSpent: 1 },
        { rows: 6, people: 3, credits: 3 },
      ])
    },
  )
})

describe('maxEngagementsPerPost counts the engagements of one post', () => {
  it.each([
    [2, 2],
    [4, 3],
  ] as const)(
    '%i of one person who likes, comments and replies: %i rows of each post, one credit in all [KEY-36, KRN-07, CRD-19]',
    async (maxEngagementsPerPost, each) => {
      const [team, word] = [await world.team({ credits: 100 }), topic(world)]
      const [ann] = people(world, 1)
      const posts = [1, 2].map(() =>
        world.network.seedPost({ author: world.handle('author'), text: word, ...busy([ann!]) }),
      )
      const row = await run(world, team, { keyword: word, captureMode: 'breadth', maxEngagementsPerPost })
      const stored = await rowsOf(world, team, row.id)
      expect(posts.map(({ id }) => stored.filter((lead) => lead.post_urn === urn(id)).length)).toEqual([each, each])
      expect([row.lastRun, await held(team, row.id)]).toMatchObject([
        { stoppedBy: 'exhausted', creditsSpent: 1 },
        { rows: 2 * each, people: 1, credits: 1 },
      ])
    },
  )

  it('2 of two people who like and comment takes their likes only, the author of the post beside it [KEY-36, KRN-05, KRN-07]', async () => {
    const [team, word, author] = [await world.team({ credits: 100 }), topic(world), world.handle('author')]
    world.network.seedPost({ author, text: word, ...busy(people(world, 2), ['likes', 'comments']) })
    const row = await run(world, team, {
      keyword: word,
      captureMode: 'breadth',
      maxEngagementsPerPost: 2,
      capturePostAuthors: true,
    })
    expect([await kindsOf(team, row.id), row.lastRun]).toMatchObject([
      ['Author', like, like],
      { stoppedBy: 'exhausted', creditsSpent: 3 },
    ])
  })
})

describe('the ceilings of a team', () => {
  it('leadCap counts lead rows, raw ones too, over all sources of the team, untracked ones too; a run that it ends counts [KRN-10, KRN-16, G75]', async () => {
    const [team, word, author] = [await world.team({ leadCap: 5 }), topic(world), world.handle('author')]
    world.network.seedPost({ author, ...busy(people(world, 1)) })
    await track(team, author, { enrichLeads: false })
    await world.drain()
    expect((await statusOf(team, author)).capture).toMatchObject({ leadRowsCaptured: 3, creditsSpent: 1 })
    // Stored rows count even when their source is untracked.
    expect((await team.del(`/profile/${author}`)).status).toBe(200)
    world.network.seedPost({ author: world.handle('author'), text: word, ...busy(people(world, 1)) })
    const row = await run(world, team, { keyword: word })
    expect([row.lastRun, await held(team, row.id)]).toMatchObject([
      { stoppedBy: 'lead_cap', creditsSpent: 1 },
      { rows: 2, people: 1 },
    ])
    expect(row.schedule.runsCompleted).toBe(1)
    expect((await runAgain(world, team, row.id)).lastRun).toMatchObject({ stoppedBy: 'lead_cap', postsScanned: 0 })
    await team.change({ leadCap: null })
    const rest = await runAgain(world, team, row.id)
    expect([rest.lastRun, await held(team, row.id)]).toMatchObject([
      { stoppedBy: 'exhausted', creditsSpent: 0 },
      { rows: 3, people: 1 },
    ])
  })
})
