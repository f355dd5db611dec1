import { describe, expect, it } from 'vitest'
import { kinds, leadsOf, refusedWithoutTrace, sourceOf, sourcesOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'
import { search, topic } from './keyword-run-stage.ts'
import { expireLeases, likes, people } from './sync-stage.ts'

const world = useWorld({ config: { roles: ['http'] } })
type Kind = (typeof kinds)[number]

async function seeded(kind: Kind = kinds[0], reactions = 4) {
  const team = await world.team({ credits: 100 })
  const username = world.handle(kind.type)
  const author = kind.type === 'person' ? username : { company: username }
  world.network.seedPost({ author, reactions, comments: 0 })
  return { team, username, author, path: `/${kind.family}/${username}` }
}
const statusOf = async (team: Team, path: string) => (await team.get(`${path}/sync`)).body

async function untrackInHand(team: Team, path: string): Promise<void> {
  await world.arm('enrichment.leased')
  await expect(world.drain()).rejects.toThrow('500')
  await team.del(path)
  await expireLeases(world)
  await world.drain()
}

async function untrackedWhileEnriching(kind: Kind = kinds[0], settings: Record<string, unknown> = {}) {
  const stage = await seeded(kind)
  await track(stage.team, stage.username, settings, kind.route)
  await untrackInHand(stage.team, stage.path)
  expect((await statusOf(stage.team, stage.path)).enrichment).toEqual({
    pending: 0,
    completed: 0,
    failed: 0,
    skipped: 4,
  })
  return stage
}

describe.each(kinds)('a $type tracked again', (kind) => {
  it('keeps its id, its leads and its billing memory, and a sync is queued although it had synced [TRK-34, TRK-36..TRK-38]', async () => {
    const { team, username, author, path } = await seeded(kind)
    const first = (await track(team, username, { creditCapPerSync: 50, captureReplies: false }, kind.route)).syncId
    await world.drain()
    const before = await sourceOf(team, username)
    const rows = await leadsOf(team, username)
    await team.del(path)
    await world.advance('3d')

    const { syncId, ...rest } = await track(team, username, {}, kind.route)
    expect(syncId).toMatch(/^[0-9a-f-]{36}$/)
    expect([syncId === first, rest.syncNotQueuedReason]).toEqual([false, undefined])
    expect(await sourceOf(team, username)).toMatchObject({
      id: before.id,
      status: 'active',
      creditCapPerSync: 50,
      captureReplies: false,
    })
    expect(await leadsOf(team, username)).toEqual(rows)
    expect((await team.get('/leads?includeSyncing=true')).body.total).toBe(4)
    world.network.seedPost({ author, reactions: 1, comments: 0 })
    await world.drain()
    expect(await statusOf(team, path)).toMatchObject({
      syncId,
      state: 'completed',
      stoppedBy: 'exhausted',
      capture: { creditsSpent: 1, leadRowsCaptured: 1 },
    })
    expect(await team.balance()).toBe(95)
    expect(await sourcesOf(team)).toHaveLength(1)
    expect(await track(team, username, {}, kind.route)).toMatchObject({ syncId: null })
    await world.advance('25h')
    expect((await statusOf(team, path)).syncId).not.toBe(syncId)
  })
})

describe('a person tracked again', () => {
  const [kind] = kinds

  it('has its skipped enrichment waiting again with its next sync, and then done and called skipped no more [TRK-39, FIX-06]', async () => {
    const { team, username, path } = await untrackedWhileEnriching(kind)
    await track(team, username, {}, kind.route)
    expect(await statusOf(team, path)).toMatchObject({
      enrichment: { pending: 0, skipped: 4 },
      skippedReason: 'source_untracked',
    })
    world.network.hold({ operation: 'profile' })
    const drained = world.drain()
    await world.network.untilWaiting(1, { operation: 'profile' })
    expect(await statusOf(team, path)).toMatchObject({
      state: 'enriching',
      isFinal: false,
      enrichment: { pending: 4, skipped: 0 },
    })
    world.network.release()
    await drained
    const [status, leads] = [await statusOf(team, path), await leadsOf(team, username)]
    expect(status).toMatchObject({
      state: 'completed',
      isFinal: true,
      enrichment: { pending: 0, completed: 4, skipped: 0 },
    })
    expect(leads.map((lead) => lead.enrichmentStatus)).toEqual(Array(4).fill('completed'))
    for (const shown of [status, ...leads]) expect(shown).not.toHaveProperty('skippedReason')
    expect(await team.balance()).toBe(96)
  })

  it('may be named with new settings, which the fresh sync has [TRK-36, TRK-12]', async () => {
    const { team, username, path } = await seeded(kind, 1)
    await track(team, username, {}, kind.route)
    await world.drain()
    await team.del(path)
    const refused = await refusedWithoutTrace(world, () =>
      team.post(kind.route, { username, saveTrackedProfile: true, mode: 'posts_only', postsPerSync: 3 }),
    )
    expect(refused.status).toBe(409)
    expect(await sourceOf(team, username)).toMatchObject({ status: 'inactive', mode: 'engagers' })
    await track(team, username, { mode: 'posts_only', postsPerSync: 3, confirmSpend: true }, kind.route)
    await world.drain()
    expect(await sourceOf(team, username)).toMatchObject({
      status: 'active',
      mode: 'posts_only',
      postsPerSync: 3,
      lastRun: { postsFetched: 1, creditsSpent: 1 },
    })
    await team.del(path)
    // The mode stays and needs confirmation, because untracking ended its charge (G145); posts are not charged again.
    expect(
      (await refusedWithoutTrace(world, () => team.post(kind.route, { username, saveTrackedProfile: true }))).status,
    ).toBe(409)
    await track(team, username, { confirmSpend: true }, kind.route)
    await world.drain()
    expect(await sourceOf(team, username)).toMatchObject({
      mode: 'posts_only',
      lastRun: { postsFetched: 0, creditsSpent: 0 },
    })
    expect(await team.balance()).toBe(98)
  })

  it('by the route of the other kind is 409 identifier_in_use, also while it is untracked [TRK-36, ENR-49]', async () => {
    const { team, username, path } = await seeded(kind, 1)
    await track(team, username, {}, kind.route)
    await team.del(path)
    const other = kinds.find(({ type }) => type !== kind.type)!
    const answer = await refusedWithoutTrace(world, () =>
      team.post(other.route, { username, saveTrackedProfile: true }),
    )
    expect([answer.status, answer.body.code]).toEqual([409, 'identifier_in_use'])
  })
})

describe('skipped enrichment', () => {
  it('waits for a sync that gets its first page: a revival on a silent network resumes it a day later [TRK-39, TRK-38]', async () => {
    const { team, username, path } = await untrackedWhileEnriching()
    await track(team, username)
    world.network.fault({ kind: 'status_503' })
    for (const wait of ['1m', '10m', '30m', '2h', '2h']) await world.advance(wait)
    expect(await statusOf(team, path)).toMatchObject({
      state: 'failed',
      errorCode: 'provider_error',
      enrichment: { skipped: 4 },
    })
    world.network.clearFaults()
    // Its revival has not been synced, so tracking it again queues a sync at once.
    expect((await track(team, username)).syncId).toMatch(/^[0-9a-f-]{36}$/)
    await world.drain()
    expect(await statusOf(team, path)).toMatchObject({ state: 'completed', enrichment: { completed: 4, skipped: 0 } })
  })

  it('is resumed whole or not at all when the worker dies on that page [TRK-39]', async () => {
    const { team, username, path } = await untrackedWhileEnriching()
    await track(team, username)
    await world.arm('capture.posts-written')
    await expect(world.drain()).rejects.toThrow('500')
    expect((await statusOf(team, path)).enrichment).toMatchObject({ pending: 0, skipped: 4 })
    await expireLeases(world)
    await world.drain()
    expect((await statusOf(team, path)).enrichment).toEqual({ pending: 0, completed: 4, failed: 0, skipped: 0 })
  })

  it('is written off again by another DELETE, and resumed again by another revival [TRK-33, TRK-39]', async () => {
    const { team, username, path } = await untrackedWhileEnriching()
    for (let round = 0; round < 2; round++) {
      await track(team, username)
      world.network.hold({ operation: 'profile' })
      const drained = world.drain()
      await world.network.untilWaiting(1, { operation: 'profile' })
      await team.del(path)
      world.network.release()
      await drained
      // The interrupted look-up's result is kept, so the next round may fill one lead without a call before the DELETE.
      const { completed, ...others } = (await statusOf(team, path)).enrichment
      expect(completed).toBeLessThanOrEqual(round)
      expect(others).toEqual({ pending: 0, failed: 0, skipped: 4 - completed })
    }
    await track(team, username)
    await world.drain()
    expect((await statusOf(team, path)).enrichment).toEqual({ pending: 0, completed: 4, failed: 0, skipped: 0 })
    expect(await team.balance()).toBe(96)
  })

  it.each([
    ['with the first page of its next sync', {}, 'exhausted'],
    [
      'also by a sync that has no first page, since the day of the team is used up',
      { keywordDailyCeiling: 3 },
      'team_cap',
    ],
  ])('of a search is resumed %s [TRK-39, KRN-14, KRN-10, FIX-06]', async (_of, change, stoppedBy) => {
    const [team, word] = [await world.team({ credits: 100 }), topic(world)]
    world.network.seedPost({
      author: world.handle('author'),
      text: word,
      reactions: likes(people(world, 3)),
      comments: [],
    })
    const { id } = await search(team, { keyword: word, enrichLeads: true })
    await untrackInHand(team, `/keyword/${id}`)
    expect(await statusOf(team, `/keyword/${id}`)).toMatchObject({
      enrichment: { skipped: 3, pending: 0 },
      skippedReason: 'source_untracked',
    })
    await team.change(change)
    await search(team, { keyword: word, enrichLeads: true })
    await world.drain()
    expect(await statusOf(team, `/keyword/${id}`)).toMatchObject({
      state: 'completed',
      stoppedBy,
      isFinal: true,
      enrichment: { completed: 3, skipped: 0, pending: 0 },
    })
    expect(await team.balance()).toBe(97)
  })

  it('delivers nothing while untracked; once resumed, the leads are enriched and go out by themselves [TRK-39, TRK-31]', async () => {
    const { team, username } = await seeded()
    const inbox = await world.inbox()
    await track(team, username)
    await team.put(`/profile/${username}/webhook`, { webhookUrl: inbox.url })
    await world.arm('enrichment.leased')
    await expect(world.drain()).rejects.toThrow('500')
    await team.del(`/profile/${username}`)
    await expireLeases(world)
    await world.advance('25h')
    expect(inbox.received).toEqual([])
    await track(team, username)
    expect((await team.get(`/profile/${username}/webhook`)).body.webhookUrl).toBe(inbox.url)
    await world.drain()
    expect(inbox.received).toHaveLength(4)
  })
})

it('simultaneous revivals queue one sync [TRK-38]', async () => {
  const { team, username, path } = await seeded()
  await track(team, username)
  await world.drain()
  await team.del(path)
  const answers = await Promise.all([1, 2, 3].map(() => track(team, username)))
  expect(new Set(answers.map(({ syncId }) => syncId)).size).toBe(1)
  expect(answers[0]!.syncId).not.toBeNull()
})
