import { beforeAll, describe, expect, it } from 'vitest'
import { capture } from '../scenarios/outreach-stage.ts'
import { onlySeeded, questions, run, storeKey, topic } from '../scenarios/keyword-run-stage.ts'
import { ok, refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, type Answer, type Team } from '../world/world.ts'
import { memberOf, type MemberBrowser } from './stage.ts'

const world = useWorld()
beforeAll(() => onlySeeded(world))

async function found(
  team: Team,
  count: number,
  settings: Record<string, unknown> = {},
): Promise<{ id: string; word: string }> {
  const word = topic(world)
  for (let index = 0; index < count; index++)
    world.network.seedPost({
      author: world.handle('author'),
      text: index % 2 === 0 ? `${word} hiring` : `${word} cooking`,
      reactions: [],
      comments: [],
    })
  return { id: (await run(world, team, { keyword: word, ...settings })).id, word }
}
const row = (column: string, operator: string, value: string) => ({ column, operator, value })
const backtest = (member: MemberBrowser, body: Record<string, unknown>): Promise<Answer> =>
  member.post('/keyword/backtest', body)
const ai = { provider: 'openai', prompt: 'Keep posts about "hiring"' } as const

describe('an expression as it is typed', () => {
  it('is read for its canonical form and terms, or for what is wrong with it and where', async () => {
    const viewer = await memberOf(world, await world.team(), 'viewer')
    const parse = async (expression: string): Promise<Answer['body']> =>
      (await viewer.post('/keyword/parse', { expression })).body
    expect(await parse('sales AND "head of growth" AND NOT intern')).toMatchObject({
      ok: true,
      terms: ['sales', '"head of growth"'],
      warnings: [],
      error: null,
      canonical: expect.stringContaining('sales AND "head of growth"'),
    })
    expect(await parse('sales AND "head of growth" NOT intern')).toMatchObject({
      ok: false,
      warnings: [],
      error: { token: 'NOT', position: 28, message: expect.stringContaining('AND NOT') },
    })
    expect(await parse('sales OR NOT intern')).toMatchObject({
      ok: true,
      canonical: 'sales OR NOT intern',
      warnings: [expect.stringContaining('NOT intern')],
    })
    expect(await parse('sales AND (growth OR hiring)')).toMatchObject({
      ok: false,
      canonical: null,
      terms: [],
      error: { token: '(', position: 11, message: expect.stringContaining('parenthesis') },
    })
    expect(await parse('')).toMatchObject({ ok: false, error: { message: expect.stringContaining('blank') } })
    const { canonical } = await parse('b  a')
    expect(await parse(canonical)).toMatchObject({ ok: true, canonical })
  })
})

describe('a back-test', () => {
  it('by an expression: of each stored post whether it is kept, why not, and what was decided; free, writing nothing', async () => {
    const team = await world.team()
    const member = await memberOf(world, team, 'member')
    const { id, word } = await found(team, 4, { expression: undefined })
    const balance = await team.balance()
    const answer = await refusedWithoutTrace(world, () =>
      backtest(member, { expression: `${word} AND hiring`, sourceId: id }),
    )
    expect([answer.status, answer.body.considered, answer.body.kept]).toEqual([200, 4, 2])
    for (const post of answer.body.posts) {
      const kept = post.text.includes('hiring')
      expect(post).toMatchObject({
        kept,
        reason: kept ? null : 'Does not contain "hiring"',
        missesBy: kept ? null : 'hiring',
        engagement: 0,
        before: 'kept',
        url: expect.stringMatching(/^https:/),
        author: expect.any(String),
        postedAt: expect.any(String),
      })
    }
    expect(await team.balance()).toBe(balance)
    expect((await backtest(member, { expression: `${word} AND hiring`, posts: 3 })).body).toMatchObject({
      considered: 3,
    })
    expect((await backtest(member, { expression: word, sourceId: id, posts: 1 })).body.posts).toHaveLength(1)
  })

  it('of other words than a search has is a difference: posts, and people each once, with the range of credits', async () => {
    const team = await world.team({ credits: 1_000 })
    const member = await memberOf(world, team, 'member')
    const [word, fan, loyal, cook] = [topic(world), world.handle('fan'), world.handle('loyal'), world.handle('cook')]
    const post = (text: string, people: string[], commenter?: string): string => {
      const comments = commenter === undefined ? [] : [{ person: commenter, text: 'Yes' }]
      const reactions = people.map((person) => ({ person }))
      const { id } = world.network.seedPost({ author: world.handle('author'), text, reactions, comments })
      return `urn:li:activity:${id}`
    }
    const track = async (postUrl: string) => {
      expect((await team.post('/post/track', { postUrl, enrichLeads: false })).status).toBe(201)
      await world.drain()
    }
    post(`${word} hiring`, [fan, loyal, world.handle('leaver')])
    post(`${word} hiring cooking`, [loyal])
    const cooking = post(`${word} cooking`, [fan, cook, world.handle('cook')], cook)
    post(`${word} baking`, [])
    const { id } = await run(world, team, { expression: `${word} AND hiring` })
    await track(cooking)
    await world.database.pool.query('update post set total_reaction_count = 20 where team_id = $1 and urn = $2', [
      team.id,
      cooking,
    ])
    const compare = async (scope: Record<string, string>): Promise<Answer['body']> =>
      (await refusedWithoutTrace(world, () => backtest(member, { expression: `${word} AND cooking`, ...scope }))).body
        .difference
    const own = await compare({ sourceId: id })
    expect(own).toMatchObject({
      words: `(${word} AND hiring)`,
      isExpression: true,
      posts: { gained: 1, lost: 1, near: 2 },
      people: { gained: 2, lost: 1, near: 1 },
      // Two cooks are certain; of 18 more engagements, three quarters (as on the posts read so far) to all may be charged.
      credits: { from: 16, to: 20, lost: 1 },
      creditCap: 1_000,
      isWhole: true,
    })
    expect([own.gainedPeople.length, own.lostPeople.length, own.nearPeople.length]).toEqual([2, 1, 1])
    // A post that the search has not judged is compared by the search's words instead of a stored decision.
    await track(post(`${word} hiring elsewhere`, [fan]))
    expect(await compare({ compareWith: id })).toMatchObject({ posts: { gained: 1, lost: 2, near: 3 } })
    expect((await ok(backtest(member, { expression: word }))).difference).toBeNull()
  })

  it('by a prompt: asks the AI with the team’s own key, ten posts a call, about what the expression keeps [AIF-02]', async () => {
    const team = await world.team()
    const member = await memberOf(world, team, 'member')
    const { word } = await found(team, 26)
    await storeKey(world, team)
    world.network.clearCalls()
    const answer = await refusedWithoutTrace(world, () => backtest(member, { ai, posts: 25 }))
    expect([answer.status, answer.body.considered, questions(world).sort((a, b) => b - a)]).toEqual([
      200,
      25,
      [10, 10, 5],
    ])
    expect(
      answer.body.posts.map((post: { kept: boolean; text: string }) => post.kept === post.text.includes('hiring')),
    ).toEqual(Array(25).fill(true))
    expect(answer.body.posts.find((post: { kept: boolean }) => !post.kept)).toMatchObject({
      reason: 'mentions none of "hiring"',
      before: null,
    })
    expect(new Set(world.network.calls({ vendor: 'openai' }).map((call) => call.query.key))).toEqual(
      new Set(['team-key']),
    )
    world.network.clearCalls()
    const both = await ok(backtest(member, { expression: `${word} AND cooking`, ai }))
    expect([both.kept, both.considered, questions(world)]).toEqual([0, 26, [10, 3]])
  })

  it('is refused without a key, with one that the vendor refuses, for a model it does not know, and when it does not answer', async () => {
    const team = await world.team()
    const member = await memberOf(world, team, 'member')
    await found(team, 1)
    const refused = async (body: Record<string, unknown>) => {
      const answer = await refusedWithoutTrace(world, () => backtest(member, body))
      return [answer.status, answer.body.code]
    }
    expect(await refused({ ai })).toEqual([409, 'credential_missing'])
    await storeKey(world, team, 'openai', 'bad-key')
    expect(await refused({ ai })).toEqual([409, 'credential_rejected'])
    await storeKey(world, team)
    expect(await refused({ ai: { ...ai, model: 'missing-model' } })).toEqual([400, undefined])
    world.network.fault({ kind: 'status_500', vendor: 'openai' })
    expect(await refused({ ai })).toEqual([502, 'provider_unavailable'])
    world.network.clearFaults()
    expect(await refused({ expression: 'a AND' })).toEqual([400, undefined])
    expect(await refused({})).toEqual([400, undefined])
  })
})

describe('criteria that are tried', () => {
  it(
    'are compared with those a source has person by person: who is gained, who is lost, and who misses by which ' +
      'row; for viewers too, writing nothing [ICP-06, ICP-07, ICP-09]',
    async () => {
      const team = await world.team({ credits: 1_000 })
      const fan = world.handle('fan')
      const { id } = await capture(world, team, [
        { handle: fan, title: 'Head of Growth', country: 'Germany' },
        { handle: fan, title: 'Head of Growth', country: 'Germany', comment: 'hello there' },
        { title: 'Growth Lead', country: 'France' },
        { title: 'Engineer', country: 'Germany' },
        { title: 'Engineer', country: 'France' },
      ])
      await ok(team.put(`/sources/${id}/icp`, { rules: [row('jobTitle', 'contains', 'growth')] }))
      const viewer = await memberOf(world, team, 'viewer')
      const compare = async (rules: unknown[], matchMode = 'all'): Promise<Answer['body']> => {
        const { status, body } = await refusedWithoutTrace(world, () =>
          viewer.post(`/sources/${id}/icp/compare`, { rules, matchMode }),
        )
        expect([status, body.error ?? null]).toEqual([200, null])
        return body
      }
      const both = [row('jobTitle', 'contains', 'growth'), row('country', 'equals', 'Germany')]
      const narrow = await compare(both)
      expect(narrow).toMatchObject({
        people: 4,
        fitNow: 2,
        fitTried: 1,
        gained: 0,
        lost: 1,
        near: 2,
        nearBy: [
          { row: 0, count: 1 },
          { row: 1, count: 1 },
        ],
        hasCriteria: true,
        isWhole: true,
        creditsPerFit: { now: 2, tried: 4 },
        lostPeople: [{ jobTitle: 'Growth Lead', country: 'France', missing: 1 }],
      })
      expect(narrow.nearPeople.map((person: Answer['body']) => [person.jobTitle, person.missing]).sort()).toEqual([
        ['Engineer', 0],
        ['Growth Lead', 1],
      ])
      expect(await compare(both, 'any')).toMatchObject({
        fitTried: 3,
        gained: 1,
        lost: 0,
        near: 0,
        creditsPerFit: { now: 2, tried: 1.3 },
        gainedPeople: [{ jobTitle: 'Engineer', country: 'Germany', missing: null }],
      })
      const said = await compare([row('commentText', 'contains', 'hello'), row('jobTitle', 'contains', 'growth')])
      expect(said).toMatchObject({ fitTried: 1, lost: 1, near: 1, nearBy: [{ row: 0, count: 1 }] })
      expect(await compare([row('country', 'equals', 'Germany')])).toMatchObject({ fitTried: 2, near: 0 })
      expect(await compare([])).toMatchObject({ fitTried: 0, lost: 2, near: 0, creditsPerFit: { now: 2, tried: null } })
      const stranger = await memberOf(world, await world.team(), 'owner')
      expect((await stranger.post(`/sources/${id}/icp/compare`, { rules: [] })).status).toBe(404)
    },
  )
})
