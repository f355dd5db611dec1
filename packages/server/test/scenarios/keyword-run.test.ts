import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import {
  decidedOf,
  memberId,
  onlySeeded,
  rowOf,
  rowsOf,
  run,
  runAgain,
  search,
  searchCalls,
  statusOf,
  topic,
  urn,
} from './keyword-run-stage.ts'
import { likes, people } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

const post = (text: string, more: Record<string, unknown> = {}) =>
  world.network.seedPost({ author: world.handle('author'), text, reactions: [], comments: [], ...more })

describe('a run', () => {
  it(
    'starts at once and captures everyone who reacted or commented, once charged each; a second run is free and ' +
      'still says whom it saw [KRN-24, KRN-12, KRN-25, CRD-19, CRD-20, KEY-16, SYN-24, SRC-05]',
    async () => {
      const [team, word] = [await world.team(), topic(world)]
      const fans = people(world, 4)
      post(`All about ${word}`, {
        reactions: likes(fans),
        comments: [{ person: fans[0]!, text: 'Yes', replies: [{ person: world.handle('replier'), text: 'No' }] }],
      })
      post(`More ${word}`, { reactions: likes([fans[1]!]) })
      post('Something else altogether', { reactions: likes(people(world, 2)) })
      const first = await run(world, team, { keyword: word })
      expect(first.lastRun).toMatchObject({
        stoppedBy: 'exhausted',
        creditsSpent: 5,
        postsScanned: 2,
        postsKept: 2,
        discardedByExpression: 0,
        postsFilteredOut: 0,
        postAuthorsCaptured: 0,
        companyAuthorsSkipped: 0,
        providerPageLimitReached: false,
      })
      expect(first.lastRun.engagersSeen).toBeGreaterThanOrEqual(5)
      expect(first.schedule).toMatchObject({ runsCompleted: 1, stoppedAt: null, stoppedReason: null })
      const rows = await rowsOf(world, team, first.id)
      expect([
        rows.length,
        new Set(rows.map((row) => row.enrichment)),
        new Set(rows.map((row) => row.source_kind)),
      ]).toEqual([7, new Set(['raw']), new Set(['keyword'])])
      const status = await statusOf(team, first.id)
      expect(status).toMatchObject({
        state: 'completed',
        stoppedBy: 'exhausted',
        errorCode: null,
        capture: { stoppedBy: null, creditsSpent: 5, leadRowsCaptured: 7 },
      })
      expect((await team.get(`/leads/raw?profileId=${first.id}`)).body.total).toBe(7)
      const second = await runAgain(world, team, first.id)
      expect(second.lastRun).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 0, postsScanned: 2 })
      expect(second.lastRun.engagersSeen).toBeGreaterThan(0)
      expect([second.schedule.runsCompleted, await team.balance()]).toEqual([2, 10_000 - 5])
    },
  )

  it('asks for each term in turn, by relevance, and counts a post once that two terms find [KRN-02, KRN-03, KEY-12, KEY-17]', async () => {
    const [team, one, two] = [await world.team(), topic(world), topic(world)]
    post(`${one} and ${two} together`)
    post(`only ${one} here`)
    post(`${two} now, ${one} never`)
    post(`${two} far from the rest`)
    const row = await run(world, team, { keywords: [one, `"${two} now"`] })
    expect(row.lastRun).toMatchObject({ postsScanned: 3, postsKept: 3 })
    const calls = [...searchCalls(world, one), ...searchCalls(world, two)]
    expect([
      calls.length,
      new Set(calls.map((call) => call.query.sortBy)),
      new Set(calls.map((call) => call.query.postedLimit)),
    ]).toEqual([2, new Set(['relevance']), new Set(['week'])])
    expect((await decidedOf(team, row.id)).map((each) => each.outcome)).toEqual(['kept', 'kept', 'kept'])
  })

  it('keeps what the expression keeps and says why the rest was discarded [EXP-12, EXP-13, AIF-08, SRC-08, SRC-09, C25]', async () => {
    const [team, a, b, c] = [await world.team(), topic(world), topic(world), topic(world)]
    const [fan, other] = people(world, 2)
    const kept = post(`${a} with ${b}`, { reactions: likes([fan!]) })
    const missing = post(`${a} alone`, { reactions: likes([other!]) })
    const excluded = post(`${a} ${b} ${c}`, { reactions: likes([other!]) })
    const row = await run(world, team, { expression: `${a} AND ${b} AND NOT ${c}` })
    expect(row.lastRun).toMatchObject({
      postsScanned: 3,
      postsKept: 1,
      discardedByExpression: 2,
      postsFilteredOut: 2,
      creditsSpent: 1,
    })
    expect((await rowsOf(world, team, row.id)).map((each) => each.person_urn)).toEqual([memberId(world, fan!)])
    const decided = new Map((await decidedOf(team, row.id)).map((each) => [each.postUrn, each]))
    expect(decided.get(urn(kept.id))).toMatchObject({
      outcome: 'kept',
      reason: null,
      url: expect.stringContaining('https://'),
      decidedAt: (await world.now()).toISOString(),
    })
    expect(decided.get(urn(missing.id))).toMatchObject({ outcome: 'discarded', reason: expect.stringContaining(b) })
    expect(decided.get(urn(excluded.id))).toMatchObject({ outcome: 'discarded', reason: expect.stringContaining(c) })
    const keptOnly = (await team.get(`/sources/${row.id}/kept-posts`)).body
    expect([keptOnly.total, keptOnly.posts.map((each: { postUrn: string }) => each.postUrn)]).toEqual([
      1,
      [urn(kept.id)],
    ])
  })

  it('whose posts declare engagement and show nobody carries capture_empty; pages are somebody [G151, FIX-06, KRN-12]', async () => {
    const [team, authors] = [await world.team(), topic(world)]
    const [word, paged, quiet] = [topic(world), topic(world), topic(world)]
    post(word, { declaredReactions: 40 })
    post(paged, { reactions: [{ person: { company: world.handle('page') } }], declaredReactions: 3 })
    post(quiet)
    post(authors, { declaredReactions: 40 })
    for (const [keyword, errorCode] of [
      [word, 'capture_empty'],
      [paged, null],
      [quiet, null],
    ] as const) {
      const { id, lastRun, schedule } = await run(world, team, { keyword })
      expect([lastRun.stoppedBy, schedule.runsCompleted]).toEqual(['exhausted', 1])
      expect(await statusOf(team, id)).toMatchObject({
        state: 'completed',
        stoppedBy: 'exhausted',
        errorCode,
        capture: { stoppedBy: null },
      })
    }
    const { id } = await run(world, team, { keyword: authors, captureEngagers: false, capturePostAuthors: true })
    expect(await statusOf(team, id)).toMatchObject({ errorCode: null })
  })

  it(
    'reaching creditCap ends credits, at most that is spent, and the next run goes on; supply equal to the cap is ' +
      'exhausted [KRN-11, KRN-12, CRD-20, KRN-16]',
    async () => {
      const [team, word, exact] = [await world.team(), topic(world), topic(world)]
      post(word, { reactions: likes(people(world, 5)) })
      post(exact, { reactions: likes(people(world, 3)) })
      const capped = await run(world, team, { keyword: word, creditCap: 3 })
      expect(capped.lastRun).toMatchObject({ stoppedBy: 'credits', creditsSpent: 3 })
      expect(await statusOf(team, capped.id)).toMatchObject({
        stoppedBy: 'credit_cap',
        capture: { stoppedBy: null, creditsSpent: 3 },
      })
      expect(capped.schedule.runsCompleted).toBe(1)
      expect((await run(world, team, { keyword: exact, creditCap: 3 })).lastRun).toMatchObject({
        stoppedBy: 'exhausted',
        creditsSpent: 3,
      })
      expect((await runAgain(world, team, capped.id)).lastRun).toMatchObject({
        stoppedBy: 'exhausted',
        creditsSpent: 2,
      })
    },
  )

  it('scans 2,000 posts at most, shared over its terms, and says post_limit when more were to be had [KRN-03, KRN-13]', async () => {
    const [team, one, two] = [await world.team(), topic(world), topic(world)]
    const author = world.handle('prolific')
    world.network.seedSearch({
      posts: Array.from({ length: 1_100 }, () => ({ author, text: one, reactions: [], comments: [] })),
    })
    world.network.seedSearch({
      posts: Array.from({ length: 1_000 }, () => ({ author, text: two, reactions: [], comments: [] })),
    })
    const row = await run(world, team, { keywords: [one, two] })
    expect(row.lastRun).toMatchObject({
      stoppedBy: 'post_limit',
      postsScanned: 2_000,
      postsKept: 2_000,
      creditsSpent: 0,
    })
    expect([searchCalls(world, one).length, searchCalls(world, two).length]).toEqual([20, 20])
    expect(row.schedule.runsCompleted).toBe(1)
    expect((await team.get(`/sources/${row.id}/kept-posts`)).body.total).toBe(2_000)
  }, 120_000)

  it('holds what it found for the engagement jobs, also what it discarded [SRC-13]', async () => {
    const [team, other, word, also] = [await world.team(), await world.team(), topic(world), topic(world)]
    const found = post(`${word} ${also}`, { reactions: likes(people(world, 2)) })
    const discarded = post(word, { reactions: likes(people(world, 1)) })
    await run(world, team, { expression: `${word} AND ${also}` })
    for (const [each, count] of [
      [found, 2],
      [discarded, 1],
    ] as const) {
      const { jobId } = (await team.post('/post/reactions', { postUrn: urn(each.id) })).body
      expect((await team.get(`/jobs/${jobId}/status`)).body.result.reactions).toHaveLength(count)
      expect((await other.post('/post/reactions', { postUrn: urn(each.id) })).status).toBe(404)
    }
  })
})

describe('a run that cannot go on', () => {
  it('because its engagement cannot be read ends error after its retries, uncounted, keeps what it has, and goes on the next day [KRN-10, KRN-16, SYN-23, SYN-24]', async () => {
    const [team, word] = [await world.team(), topic(world)]
    post(word, { reactions: likes(people(world, 120)) })
    world.network.fault({ kind: 'status_503', operation: 'post-reactions', match: { page: '2' } })
    const { id } = await search(team, { keyword: word })
    await world.drain()
    for (const wait of ['15s', '60s', '5m', '20m']) await world.advance(wait)
    expect(await rowOf(team, id)).toMatchObject({
      lastRun: { stoppedBy: 'error', creditsSpent: 100 },
      schedule: { runsCompleted: 0, stoppedAt: null },
    })
    expect(await statusOf(team, id)).toMatchObject({
      state: 'failed',
      stoppedBy: 'error',
      errorCode: 'provider_error',
      capture: { stoppedBy: null, creditsSpent: 100 },
    })
    world.network.clearFaults()
    expect((await runAgain(world, team, id)).lastRun).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 20 })
  })

  it('because the team lapsed ends failed, and runs again on subscription [KRN-16, SYN-22]', async () => {
    const [team, word] = [await world.team(), topic(world)]
    post(word, { reactions: likes(people(world, 2)) })
    world.network.hold({ operation: 'post-search', match: { search: word } })
    const { id } = await search(team, { keyword: word })
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'post-search' })
    await team.change({ status: 'expired' })
    world.network.release()
    await world.drain()
    await team.change({ status: 'active' })
    expect((await rowOf(team, id)).lastRun).toMatchObject({ stoppedBy: 'error', creditsSpent: 0, postsScanned: 0 })
    expect(await statusOf(team, id)).toMatchObject({ state: 'failed', errorCode: 'subscription_inactive' })
    expect((await runAgain(world, team, id)).lastRun).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 2 })
  })

  it(
    'because it was untracked, while it searched or while it captured, ends untracked at once; lastRun tells the ' +
      'run before, and the same terms bring it back [KRN-23, KRN-16, SYN-20, KEY-05, AUT-12]',
    async () => {
      const [team, word] = [await world.team(), topic(world)]
      post(word, { reactions: likes(people(world, 150)) })
      const first = await run(world, team, { keyword: word, creditCap: 50 })
      expect(first.lastRun).toMatchObject({ stoppedBy: 'credits', creditsSpent: 50 })
      world.network.hold({ operation: 'post-search', match: { search: word } })
      await world.move('24h')
      world.beginDrain()
      await world.network.untilWaiting(1, { operation: 'post-search' })
      await team.change({ status: 'trial', trialEndsAt: '2030-01-01T00:00:00Z' })
      expect((await team.del(`/keyword/${first.id}`)).status).toBe(403)
      await team.change({ status: 'active' })
      const before = await team.balance()
      expect((await team.del(`/keyword/${first.id}`)).status).toBe(200)
      world.network.release()
      await world.drain()
      const ended = await rowOf(team, first.id)
      expect(ended).toMatchObject({
        status: 'inactive',
        lastRun: { stoppedBy: 'credits', creditsSpent: 50 },
        schedule: { runsCompleted: 1 },
      })
      expect(await statusOf(team, first.id)).toMatchObject({
        state: 'untracked',
        stoppedBy: 'untracked',
        capture: { stoppedBy: null },
      })
      world.network.hold({ operation: 'post-reactions', match: { page: '2' } })
      const revived = await search(team, { keyword: word, creditCap: 200 })
      expect(revived).toMatchObject({ id: first.id, resumed: true, seenPosts: 1, syncId: expect.any(String) })
      world.beginDrain()
      await world.network.untilWaiting(1, { operation: 'post-reactions' })
      expect((await team.del(`/keyword/${first.id}`)).status).toBe(200)
      world.network.release()
      await world.drain()
      expect((await statusOf(team, first.id)).stoppedBy).toBe('untracked')
      await search(team, { keyword: word, creditCap: 200 })
      await world.drain()
      expect((await rowOf(team, first.id)).lastRun.stoppedBy).toBe('exhausted')
      expect([(await rowsOf(world, team, first.id)).length, await team.balance()]).toEqual([150, before - 100])
    },
  )
})

describe('a vendor that lies', () => {
  it('or a stranger with hostile text, breaks neither the run nor what is read of it [EXP-12]', async () => {
    const [team, word] = [await world.team(), topic(world)]
    const [a, b] = people(world, 2)
    post(`${word} \u0000\u0007 {"outcome":"kept"} <script>${'x'.repeat(1_000_000)}</script>`, {
      reactions: likes([a!]),
    })
    post(`${word} ignore all instructions '); drop table lead; --`, { reactions: likes([b!]) })
    const row = await run(world, team, { expression: `${word} AND NOT script` })
    expect(row.lastRun).toMatchObject({ stoppedBy: 'exhausted', postsScanned: 2, postsKept: 1, creditsSpent: 1 })
    expect(await decidedOf(team, row.id)).toHaveLength(2)
  })
})
