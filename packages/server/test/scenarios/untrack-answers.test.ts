import { describe, expect, it } from 'vitest'
import { kinds, refusedWithoutTrace, silent, sourceOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })
type Kind = (typeof kinds)[number]

async function synced(
  kind: Kind,
  settings: Record<string, unknown> = {},
  account: Record<string, unknown> = { credits: 100 },
) {
  const team = await world.team(account)
  const username = world.handle(kind.type)
  const [ann, ben] = [world.handle('ann'), world.handle('ben')]
  world.network.seedPost({
    author: kind.type === 'person' ? username : { company: username },
    reactions: [{ person: ann }, { person: ben }],
    comments: [{ person: ann, text: 'Yes' }],
  })
  await track(team, username, settings, kind.route)
  await world.drain()
  const { id } = await sourceOf(team, username)
  return { team, username, id: id as string, path: `/${kind.family}/${username}` }
}

const total = async (team: Team, path: string): Promise<number> => (await team.get(path)).body.total

describe.each(kinds)('untracking a $type', (kind) => {
  it('answers ok, handle and kind; then the source is inactive and another DELETE is 404 [TRK-23, TRK-24, TRK-26, TRK-27]', async () => {
    const { team, username, path, id } = await synced(kind)
    const { status, body } = await team.del(path)
    expect([status, body]).toEqual([200, { ok: true, username, profileType: kind.type, untracked: true }])
    expect((await team.get('/sources')).body).toEqual({ sources: [], total: 0 })
    expect((await team.get('/sources?includeInactive=true')).body.sources).toMatchObject([
      { id, status: 'inactive', nextSyncAt: null },
    ])
    const again = await refusedWithoutTrace(world, () => team.del(path))
    expect([again.status, again.body.code]).toEqual([404, undefined])
  })

  it('takes its leads out of the lists and keeps them for includeInactive [TRK-28, TRK-29, TRK-30, TRK-34, ERR-16]', async () => {
    const { team, username, path, id } = await synced(kind)
    const rows = (await team.get(`/leads?username=${username}`)).body.leads
    expect([rows.length, await total(team, '/leads'), await total(team, '/engagers')]).toEqual([3, 3, 2])
    await team.del(path)
    expect([await total(team, '/leads'), await total(team, '/engagers')]).toEqual([0, 0])
    for (const scope of [`username=${username}`, `profileId=${id}`]) {
      for (const list of ['leads', 'engagers', 'leads/raw']) {
        const gone = await team.get(`/${list}?${scope}`)
        expect([list, gone.status, gone.body.code]).toEqual([list, 404, undefined])
        expect((await team.get(`/${list}?${scope}&includeInactive=false`)).status).toBe(404)
        expect((await team.get(`/${list}?${scope}&includeInactive=true`)).status).toBe(200)
      }
      expect((await team.get(`/leads?${scope}&includeInactive=true`)).body.leads).toEqual(rows)
      expect(await total(team, `/engagers?${scope}&includeInactive=true`)).toBe(2)
    }
    expect([
      await total(team, '/leads?includeInactive=true'),
      await total(team, '/engagers?includeInactive=true'),
    ]).toEqual([3, 2])
    expect(await team.balance()).toBe(98)
  })
})

describe('untracking', () => {
  const [kind] = kinds

  it('leaves the sync status readable by handle and by id, and nothing else: webhook, sync and edit are 404 [TRK-31, SYN-33]', async () => {
    const { team, path, id } = await synced(kind)
    await team.del(path)
    const byHandle = await team.get(`${path}/sync`)
    expect([byHandle.status, byHandle.body]).toMatchObject([
      200,
      { sourceId: id, nextSyncAt: null, capture: { leadRowsCaptured: 3, creditsSpent: 2 } },
    ])
    expect((await team.get(`/sources/${id}/sync`)).body).toEqual(byHandle.body)
    for (const query of ['', '?includeInactive=true']) {
      for (const base of [path, `/sources/${id}`]) {
        expect((await team.get(`${base}/webhook${query}`)).status).toBe(404)
        expect(
          (await refusedWithoutTrace(world, () => team.put(`${base}/webhook${query}`, { autoSend: false }))).status,
        ).toBe(404)
      }
      expect((await refusedWithoutTrace(world, () => team.post(`/sources/${id}/sync${query}`))).status).toBe(404)
      expect(
        (await refusedWithoutTrace(world, () => team.call('PATCH', `${path}${query}`, { enrichLeads: false }))).status,
      ).toBe(404)
    }
    await world.advance('3d')
    expect((await team.get(`${path}/sync`)).body).toEqual(byHandle.body)
  })

  it('is refused to a trial with 403 and no code, ended or not; after subscribing it succeeds [TRK-25, AUT-12..AUT-14]', async () => {
    const { team, path } = await synced(kind, {}, { status: 'trial', credits: 50 })
    const refused = await refusedWithoutTrace(world, () => team.del(path))
    expect([refused.status, refused.body.code]).toEqual([403, undefined])
    expect(refused.body.error).toContain('trial')
    expect((await refusedWithoutTrace(world, () => team.del(`/${kind.family}/${world.handle('nobody')}`))).status).toBe(
      404,
    )
    // Whatever the plan's name.
    await team.change({ plan: 'growth' })
    expect((await refusedWithoutTrace(world, () => team.del(path))).body.error).toBe(refused.body.error)
    await team.change({ trialEndsAt: '2026-01-01T00:00:00.000Z' })
    expect((await refusedWithoutTrace(world, () => team.del(path))).status).toBe(403)
    await team.change({ status: 'active' })
    expect((await team.del(path)).status).toBe(200)
  })

  it('of a handle of the other kind, of another team or of nobody is 404, all alike, and changes nothing [TRK-26, ERR-16]', async () => {
    const { team, username, path } = await synced(kind)
    const stranger = await world.team()
    const answers = [
      await refusedWithoutTrace(world, () =>
        team.del(`/${kind.family === 'profile' ? 'company' : 'profile'}/${username}`),
      ),
      await refusedWithoutTrace(world, () => stranger.del(path)),
      await refusedWithoutTrace(world, () => team.del(`/${kind.family}/${world.handle('nobody')}`)),
    ]
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.error}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(404)
    expect(await sourceOf(team, username)).toMatchObject({ status: 'active' })
  })

  it('writes waiting enrichment off with its reason, and charges, fills and delivers none of it [TRK-33, TRK-34, FIX-06]', async () => {
    const team = await world.team({ credits: 100 })
    const inbox = await world.inbox()
    const username = world.handle(kind.type)
    world.network.seedPost({
      author: kind.type === 'person' ? username : { company: username },
      reactions: 4,
      comments: 0,
    })
    await track(team, username, {}, kind.route)
    const { id } = await sourceOf(team, username)
    await team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url })
    world.network.hold({ operation: 'profile' })
    const drained = world.drain()
    await world.network.untilWaiting(1, { operation: 'profile' })
    const status = async () => (await team.get(`/sources/${id}/sync`)).body
    const leads = async () =>
      (await team.get(`/leads?profileId=${id}&includeInactive=true&includeSyncing=true`)).body.leads
    const waiting = await status()
    expect(waiting).toMatchObject({ state: 'enriching', isFinal: false, enrichment: { pending: 4, skipped: 0 } })
    for (const shown of [waiting, ...(await leads())]) expect(shown).not.toHaveProperty('skippedReason')
    expect((await team.del(`/${kind.family}/${username}`)).status).toBe(200)
    const skipped = {
      isFinal: true,
      enrichment: { pending: 0, completed: 0, failed: 0, skipped: 4 },
      skippedReason: 'source_untracked',
    }
    expect(await status()).toMatchObject(skipped)
    world.network.clearCalls()
    world.network.release()
    await drained
    await world.advance('30h')
    expect(await status()).toMatchObject(skipped)
    expect((await leads()).map((lead: Record<string, unknown>) => [lead.enrichmentStatus, lead.skippedReason])).toEqual(
      Array(4).fill(['skipped', 'source_untracked']),
    )
    expect([inbox.received.length, await team.balance()]).toEqual([0, 96])
    // Only look-ups that had begun, which run concurrently.
    expect(world.network.calls({ operation: 'profile' }).length).toBeLessThanOrEqual(4)
  })
})

it('leads of a person enriched for another source stay with that source [TRK-33, TRK-28]', async () => {
  const team = await world.team({ credits: 100 })
  const [one, two, fan] = [world.handle('author'), world.handle('author'), world.handle('fan')]
  for (const author of [one, two]) {
    world.network.seedPost({ author, reactions: [{ person: fan }], comments: [] })
    await track(team, author)
  }
  world.network.hold({ operation: 'profile' })
  const drained = world.drain()
  await world.network.untilWaiting(1, { operation: 'profile' })
  await team.del(`/profile/${one}`)
  world.network.release()
  await drained
  expect((await team.get('/leads')).body.leads).toMatchObject([{ sourceLabel: two, enrichmentStatus: 'completed' }])
  expect((await team.get(`/leads?username=${one}&includeInactive=true`)).body.leads).toMatchObject([
    { enrichmentStatus: 'skipped' },
  ])
})

it('two DELETEs at once: one 200, one 404 [TRK-26]', async () => {
  const team = await world.team()
  const username = silent(world)
  await track(team, username)
  const answers = await Promise.all([team.del(`/profile/${username}`), team.del(`/profile/${username}`)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})
