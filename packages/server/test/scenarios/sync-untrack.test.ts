/** Untracking in the middle of a sync. */
import { describe, expect, it } from 'vitest'
import { useWorld, workedByDrain } from '../world/world.ts'
import { hastyMachine, leadsOf, statusOf, teamAndPost, track } from './sync-stage.ts'

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
      const { team, author } = await teamAndPost(world, { reactions: 150 })
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
