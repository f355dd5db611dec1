import { describe, expect, it } from 'vitest'
import { snapshot } from '../world/snapshot.ts'
import { kinds, leadsOf, refusedWithoutTrace, silent, sourceOf, syncOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })
const patch = (team: Team, path: string, body: unknown) => team.call('PATCH', path, body)
const watch = (postsPerSync: number) => ({ mode: 'posts_only', postsPerSync })

async function tracked(settings: Record<string, unknown> = {}, kind: (typeof kinds)[number] = kinds[0], credits = 100) {
  const team = await world.team({ credits })
  const username = silent(world, kind.type)
  await track(team, username, settings, kind.route)
  return { team, username, path: `/${kind.family}/${username}`, id: (await sourceOf(team, username)).id as string }
}

describe.each(kinds)('an edit of a $type', (kind) => {
  it('answers who was edited and the cap always, the rest only when named; posts only needs no yes [TRK-01, TRK-13..TRK-16, TRK-20, SPD-10]', async () => {
    const { team, username, path, id } = await tracked({ creditCapPerSync: 20 }, kind)
    const common = { sourceId: id, type: kind.type, username }
    let before: Record<string, unknown> = { creditCapPerSync: 20, captureReplies: true, enrichLeads: true }
    for (const change of [
      { captureReplies: false },
      { enrichLeads: false },
      { creditCapPerSync: 7 },
      { mode: 'engagers' },
      { ...watch(5), captureReplies: true, enrichLeads: true, creditCapPerSync: null },
    ]) {
      const previous = { ...before, ...('mode' in change ? { mode: 'engagers', postsPerSync: null } : {}) }
      const { creditCapPerSync } = before
      expect((await patch(team, path, change)).body).toEqual({ ...common, creditCapPerSync, ...change, previous })
      const { captureReplies, enrichLeads } = { ...before, ...change }
      before = { creditCapPerSync, captureReplies, enrichLeads, ...('creditCapPerSync' in change ? change : {}) }
    }
    expect(await sourceOf(team, username)).toMatchObject({
      id,
      ...watch(5),
      creditCapPerSync: null,
      captureReplies: true,
      enrichLeads: true,
      status: 'active',
    })
  })

  const raises = [
    { change: { mode: 'engagers' }, quoted: { mode: 'engagers', creditCapPerSync: null } },
    {
      change: { mode: 'engagers', creditCapPerSync: 30 },
      quoted: { mode: 'engagers', creditCapPerSync: 30, estimatedDailyMax: 30, daysToExhaustAtCap: 3 },
    },
    {
      change: watch(60),
      quoted: { ...watch(60), creditCapPerSync: null, estimatedDailyMax: 60, daysToExhaustAtCap: 1 },
    },
  ]
  it.each(raises)(
    'from a watch of 10 posts by $change without a yes is 409 with previous, cap and figures, and leaves no trace; ' +
      'with it all is made [TRK-18, TRK-19, TRK-44, SPD-01..SPD-05, SPD-09, SPD-20, ERR-17]',
    async ({ change, quoted }) => {
      const { team, username, path } = await tracked({ ...watch(10), confirmSpend: true }, kind)
      const body = { ...change, enrichLeads: false, captureReplies: false }
      for (const flag of [{}, { confirmSpend: false }]) {
        const answer = await refusedWithoutTrace(world, () => patch(team, path, { ...body, ...flag }))
        const { error, requestId, ...rest } = answer.body
        expect([answer.status, typeof error, typeof requestId, rest]).toEqual([
          409,
          'string',
          'string',
          {
            code: 'spend_confirmation_required',
            previous: { mode: 'posts_only', postsPerSync: 10 },
            remainingBalance: 100,
            ...quoted,
          },
        ])
      }
      expect(await sourceOf(team, username)).toMatchObject({ ...watch(10), enrichLeads: true, captureReplies: true })
      const made = await patch(team, path, { ...body, confirmSpend: true })
      expect([made.status, made.body]).toMatchObject([
        200,
        { ...body, previous: { mode: 'posts_only', postsPerSync: 10 } },
      ])
      expect('postsPerSync' in made.body).toBe('postsPerSync' in change)
      expect(await sourceOf(team, username)).toMatchObject({ postsPerSync: null, ...body })
    },
  )

  it('that keeps or lowers postsPerSync asks nothing [SPD-06]', async () => {
    const { team, path } = await tracked({ ...watch(10), confirmSpend: true }, kind)
    expect((await patch(team, path, watch(10))).status).toBe(200)
    expect((await patch(team, path, watch(9))).body).toMatchObject({ postsPerSync: 9, previous: { postsPerSync: 10 } })
  })

  it('that sets, raises or clears the cap never asks, in either mode [SPD-11, SPD-06, TRK-06]', async () => {
    for (const settings of [{}, { ...watch(3), confirmSpend: true }]) {
      const { team, username, path } = await tracked(settings, kind, 0)
      for (const creditCapPerSync of [1, 2_147_483_647, null, null]) {
        const answer = await patch(team, path, { creditCapPerSync })
        expect([answer.status, answer.body.creditCapPerSync]).toEqual([200, creditCapPerSync])
      }
      expect((await patch(team, path, { creditCapPerSync: 4, confirmSpend: true })).status).toBe(200)
      expect((await sourceOf(team, username)).creditCapPerSync).toBe(4)
    }
  })

  it('queues no sync, enriches nothing and charges nothing [TRK-11]', async () => {
    const { team, path } = await tracked({}, kind)
    await world.drain()
    const before = await snapshot(world.database.pool, ['source', 'armed_fault', 'audit_entry'])
    const sync = (await team.get(`${path}/sync`)).body
    expect((await patch(team, path, { enrichLeads: false, creditCapPerSync: 5, captureReplies: false })).status).toBe(
      200,
    )
    expect((await patch(team, path, watch(5))).status).toBe(200)
    expect((await patch(team, path, { mode: 'engagers', confirmSpend: true })).status).toBe(200)
    expect(await snapshot(world.database.pool, ['source', 'armed_fault', 'audit_entry'])).toEqual(before)
    expect((await team.get(`${path}/sync`)).body).toEqual(sync)
  })

  it('whose current mode cannot be read is 502 and changes nothing, with or without a yes; the next works [TRK-21, ERR-23]', async () => {
    const { team, path } = await tracked({ ...watch(10), confirmSpend: true }, kind)
    for (const body of [{ mode: 'engagers', confirmSpend: true }, { mode: 'engagers' }, { enrichLeads: false }]) {
      await world.arm('mode_read')
      const answer = await refusedWithoutTrace(world, () => patch(team, path, body), ['armed_fault'])
      expect([answer.status, answer.body.code]).toEqual([502, undefined])
    }
    expect((await patch(team, path, { mode: 'engagers', confirmSpend: true })).status).toBe(200)
  })

  it('of a handle of the other kind, of another team, untracked or unknown is 404, all with one message [TRK-17, ERR-16]', async () => {
    const { team, username, path } = await tracked({}, kind)
    const stranger = await world.team({ credits: 100 })
    const other = kind.family === 'profile' ? 'company' : 'profile'
    const answers = [
      await refusedWithoutTrace(world, () => patch(team, `/${other}/${username}`, { enrichLeads: false })),
      await refusedWithoutTrace(world, () => patch(stranger, path, { enrichLeads: false })),
      await refusedWithoutTrace(world, () =>
        patch(team, `/${kind.family}/${world.handle('nobody')}`, { mode: 'engagers' }),
      ),
    ]
    await team.del(path)
    answers.push(await refusedWithoutTrace(world, () => patch(team, path, { enrichLeads: false })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code} ${body.error}`))).toEqual(
      new Set([`404 undefined ${answers[0]!.body.error}`]),
    )
  })
})

describe('what an edit binds', () => {
  it(
    'a posts-only watch by PATCH stores and charges new posts and captures nobody; back again it captures, and ' +
      'nothing is charged twice [TRK-19, TRK-20, SYN-03, CRD-18]',
    async () => {
      const team = await world.team({ credits: 100 })
      const author = world.handle('author')
      const fans = [world.handle('fan'), world.handle('fan')]
      for (let post = 0; post < 3; post++)
        world.network.seedPost({ author, reactions: [{ person: fans[0]! }], comments: [] })
      await track(team, author)
      await world.drain()
      expect(await team.balance()).toBe(99)
      expect((await patch(team, `/profile/${author}`, watch(2))).status).toBe(200)
      await world.advance('25h')
      expect(await sourceOf(team, author)).toMatchObject({
        mode: 'posts_only',
        lastRun: { postsFetched: 2, creditsSpent: 2 },
      })
      expect(await leadsOf(team, author)).toHaveLength(3)
      expect(await team.balance()).toBe(97)
      await world.advance('25h')
      expect([(await sourceOf(team, author)).lastRun.creditsSpent, await team.balance()]).toEqual([0, 97])

      expect((await patch(team, `/profile/${author}`, { mode: 'engagers', confirmSpend: true })).status).toBe(200)
      world.network.seedPost({ author, reactions: fans.map((person) => ({ person })), comments: [] })
      await world.advance('25h')
      expect((await sourceOf(team, author)).lastRun).not.toHaveProperty('postsFetched')
      expect(await syncOf(team, author)).toMatchObject({
        state: 'completed',
        capture: { creditsSpent: 1, leadRowsCaptured: 2 },
      })
      expect(await leadsOf(team, author)).toHaveLength(5)
      expect(await team.balance()).toBe(96)
      // Back in watch mode, posts seen before are not charged again.
      await patch(team, `/profile/${author}`, watch(60))
      await world.advance('25h')
      expect((await sourceOf(team, author)).lastRun).toMatchObject({ postsFetched: 2, creditsSpent: 2 })
      expect(await team.balance()).toBe(94)
    },
  )

  it('two edits at once both stand, and the second tells what the first left [TRK-15]', async () => {
    const { team, username, path } = await tracked({ creditCapPerSync: 1 })
    const answers = await Promise.all([2, 3, 4, 5].map((creditCapPerSync) => patch(team, path, { creditCapPerSync })))
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
    const chain = new Map(answers.map(({ body }) => [body.previous.creditCapPerSync, body.creditCapPerSync]))
    let [at, steps] = [1, 0]
    while (chain.has(at)) [at, steps] = [chain.get(at)!, steps + 1]
    expect([steps, (await sourceOf(team, username)).creditCapPerSync]).toEqual([4, at])
    const mixed = await Promise.all([
      patch(team, path, { captureReplies: false }),
      patch(team, path, { enrichLeads: false }),
    ])
    expect(mixed.map((answer) => answer.status)).toEqual([200, 200])
    expect(await sourceOf(team, username)).toMatchObject({ captureReplies: false, enrichLeads: false })
  })
})
