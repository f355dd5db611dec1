/** Untracking in the middle of a sync, and coming back. */
import { describe, expect, it } from 'vitest'
import { useWorld, workedByDrain } from '../world/world.ts'
import { hastyMachine, leadsOf, likes, people, sourceOf, statusOf, sweep, track } from './sync-stage.ts'

const world = useWorld({ config: workedByDrain, overrides: { system: hastyMachine } })

describe('untracking in the middle of a sync', () => {
  it(
    'ends the run untracked; the page under way writes nothing, waiting enrichment is written off, nobody is ' +
      'charged or refunded [SYN-20, SYN-22, SYN-33, CRD-31, CRD-32]',
    async () => {
      // The vendor says in its first answer how many calls may be under way at once; until then it is one.
      const earlier = world.handle('earlier')
      world.network.seedPost({ author: earlier, reactions: 1 })
      await track(await world.team(), earlier)
      await world.drain()
      const team = await world.team()
      const author = world.handle('author')
      world.network.seedPost({ author, reactions: 150 })
      world.network.hold({ operation: 'post-reactions', match: { page: '2' } })
      world.network.hold({ operation: 'profile', match: { main: 'true' } })
      world.network.clearCalls()
      const { syncId } = await track(team, author)
      // One unit reads the second page, one looks up whom the first has brought, eight at once, and one the author.
      for (let unit = 0; unit < 3; unit++) world.beginDrain()
      await world.network.untilWaiting(1, { operation: 'post-reactions' })
      await world.network.untilWaiting(8 + 1, { operation: 'profile' })
      const asked = () =>
        world.network.calls({ operation: 'profile' }).filter((call) => call.query.profileId !== undefined).length
      expect(await team.balance()).toBe(10_000 - 100)
      expect((await team.del(`/profile/${author}`)).body).toEqual({
        ok: true,
        username: author,
        profileType: 'person',
        untracked: true,
      })
      const ended = await statusOf(team, author)
      expect(ended).toMatchObject({
        syncId,
        state: 'untracked',
        isFinal: true,
        stoppedBy: 'untracked',
        errorCode: null,
        enrichment: { pending: 0, completed: 0, skipped: 100 },
      })
      expect(ended.capture).toMatchObject({ stoppedBy: null, creditsSpent: 100, leadRowsCaptured: 100 })
      world.network.release()
      await world.drain()
      expect(await statusOf(team, author)).toEqual(ended)
      expect((await team.get(`/sources/${ended.sourceId}/sync`)).body).toEqual(ended)
      // Only those that were being looked up already, eight in each of two turns: a look-up costs money.
      expect(asked()).toBeLessThanOrEqual(2 * 8)
      expect(await team.balance()).toBe(10_000 - 100)
      expect((await team.get(`/leads?username=${author}`)).status).toBe(404)
      const kept = await leadsOf(team, author, '&includeInactive=true')
      expect([kept.length, kept.every((lead) => lead.enrichmentStatus === 'skipped')]).toEqual([100, true])
      await world.advance('48h')
      expect(await statusOf(team, author)).toEqual(ended)
    },
  )

  it("while leads wait for their facts cuts that off: untracked, the capture's ending stays [SYN-20, SYN-33, CRD-31]", async () => {
    const team = await world.team()
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 3)) })
    world.network.hold({ operation: 'profile', match: { main: 'true' } })
    await track(team, author)
    // The author is looked up as well, by a unit of its own.
    world.beginDrain()
    world.beginDrain()
    await world.network.untilWaiting(3 + 1, { operation: 'profile' })
    await expect.poll(async () => (await statusOf(team, author)).state).toBe('enriching')
    await team.del(`/profile/${author}`)
    world.network.release()
    await world.drain()
    expect(await statusOf(team, author)).toMatchObject({
      state: 'untracked',
      isFinal: true,
      capture: { stoppedBy: 'exhausted', creditsSpent: 3 },
      enrichment: { skipped: 3, completed: 0 },
    })
    expect(await team.balance()).toBe(10_000 - 3)
  })

  it('before the first page leaves nothing behind, for a company too [SYN-20, SYN-33]', async () => {
    const team = await world.team()
    const slug = world.handle('page')
    world.network.seedPost({ author: { company: slug }, reactions: 3 })
    world.network.hold({ operation: 'company-posts' })
    await track(team, slug, {}, 'company')
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'company-posts' })
    await team.del(`/company/${slug}`)
    world.network.release()
    await world.drain()
    expect(await statusOf(team, slug, 'company')).toMatchObject({
      state: 'untracked',
      stoppedBy: 'untracked',
      capture: { stoppedBy: null, creditsSpent: 0, leadRowsCaptured: 0 },
    })
    expect(await team.balance()).toBe(10_000)
  })

  it('races with the pages of a sync without ever losing count, whatever comes first [SYN-20, CRD-32]', async () => {
    const team = await world.team()
    for (let round = 0; round < 6; round += 1) {
      const author = world.handle('author')
      world.network.seedPost({ author, reactions: 220 })
      world.network.hold({ operation: 'post-reactions', match: { page: '2' } })
      await track(team, author, { enrichLeads: round % 2 === 0 })
      world.beginDrain()
      await world.network.untilWaiting(1, { operation: 'post-reactions' })
      world.network.release()
      expect((await team.del(`/profile/${author}`)).status).toBe(200)
    }
    await world.drain()
    const { rows } = await world.database.pool.query(
      'select coalesce(sum(credits_spent), 0)::int as spent from sync where team_id = $1',
      [team.id],
    )
    expect(await team.balance()).toBe(10_000 - rows[0].spent)
  })
})

describe('tracking again what was untracked', () => {
  it('keeps id, leads and who is paid for, sweeps at once, and takes up dropped enrichment [SYN-33, CRD-14, CRD-32]', async () => {
    const team = await world.team()
    const author = world.handle('author')
    const fans = people(world, 4)
    world.network.seedPost({ author, reactions: likes(fans) })
    world.network.hold({ operation: 'profile', match: { main: 'true' } })
    const first = await track(team, author)
    // The author is looked up as well, by a unit of its own.
    world.beginDrain()
    world.beginDrain()
    await world.network.untilWaiting(fans.length + 1, { operation: 'profile' })
    await expect.poll(async () => (await statusOf(team, author)).state).toBe('enriching')
    const { id } = await sourceOf(team, author)
    await team.del(`/profile/${author}`)
    world.network.release()
    await world.drain()
    expect((await statusOf(team, author)).enrichment.skipped).toBe(4)

    world.network.seedPost({ author, reactions: likes([...fans, world.handle()]) })
    const again = await track(team, author)
    expect([typeof again.syncId, again.syncId === first.syncId]).toEqual(['string', false])
    await world.drain()
    const status = await statusOf(team, author)
    expect(status).toMatchObject({
      sourceId: id,
      syncId: again.syncId,
      state: 'completed',
      capture: { creditsSpent: 1, leadRowsCaptured: 5 },
      enrichment: { pending: 0, skipped: 0, failed: 0, completed: 9 },
    })
    expect(await leadsOf(team, author)).toHaveLength(9)
    expect(await team.balance()).toBe(10_000 - 5)
    expect((await track(team, author)).syncId).toBeNull()
  })

  it('a source that had synced is swept again although nothing is new, free of charge [CRD-14, CRD-32]', async () => {
    const team = await world.team()
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 3)) })
    const before = await sweep(world, team, author)
    await team.del(`/profile/${author}`)
    const after = await sweep(world, team, author)
    expect([
      after.sourceId,
      after.syncId === before.syncId,
      after.capture.creditsSpent,
      after.capture.leadRowsCaptured,
    ]).toEqual([before.sourceId, false, 0, 0])
    expect(await team.balance()).toBe(10_000 - 3)
  })
})
