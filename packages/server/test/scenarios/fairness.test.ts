/** One team's mountain of work does not hold up another's molehill: teams take turns, one vendor page at a time. */
import { describe, expect, it } from 'vitest'
import { useWorld } from '../world/world.ts'
import { people, statusOf, track } from './sync-stage.ts'

const world = useWorld()

describe('turns of teams', () => {
  it("a team with 40 queued sources and long posts does not delay another team's single source by more than its turn [SYN-01, SYN-02]", async () => {
    const [big, small] = [await world.team(), await world.team()]
    const crowd = people(world, 40, 'crowd')
    for (const author of crowd) world.network.seedPost({ author, reactions: 120 })
    const one = world.handle('one')
    const mine = world.network.seedPost({ author: one, reactions: 120, comments: 1 }).id
    world.network.clearCalls()
    world.network.hold()
    for (const author of crowd) await track(big, author, { enrichLeads: false })
    await world.network.untilWaiting(3)
    await track(small, one, { enrichLeads: false })
    world.network.release()
    await world.drain()
    const pages = world.network.calls().filter((call) => ['profile-posts', 'post-reactions', 'post-comments'].includes(call.operation))
    const mineToo = [one, world.network.person(one)!.id, mine]
    const order = pages.map(({ query }) => (mineToo.some((name) => [query.profilePublicIdentifier, query.profileId].includes(name) || query.post?.includes(name)) ? 'small' : 'big'))
    const turns = order.flatMap((who, at) => (who === 'small' ? [at] : []))
    // Its four pages (posts, two of reactions, one of comments); what was claimed before it came may still go first.
    expect([turns.length, order.filter((who) => who === 'big').length]).toEqual([4, 40 * 3])
    const between = turns.map((at, index) => at - (turns[index - 1] ?? 0))
    expect(Math.max(...between)).toBeLessThanOrEqual(16)
    expect((await statusOf(small, one)).capture.leadRowsCaptured).toBe(121)
    expect(await big.balance()).toBe(10_000 - 40 * 120)
  }, 60_000)

  it('enrichment takes turns too [SYN-09]', async () => {
    const [big, small] = [await world.team(), await world.team()]
    const [crowd, one] = people(world, 2, 'author')
    const fan = world.handle()
    world.network.seedPost({ author: crowd!, reactions: 100 })
    world.network.seedPost({ author: one!, reactions: [{ person: fan }] })
    world.network.clearCalls()
    world.network.hold({ operation: 'profile' })
    await track(big, crowd!)
    await expect.poll(async () => (await statusOf(big, crowd!)).state).toBe('enriching')
    await track(small, one!)
    await expect.poll(async () => (await statusOf(small, one!)).state).toBe('enriching')
    world.network.release()
    await world.drain()
    const id = world.network.person(fan)!.id
    const order = world.network.calls({ operation: 'profile' }).flatMap((call) => call.query.profileId ?? [])
    expect([order.length, order.includes(id)]).toEqual([101, true])
    expect(order.indexOf(id)).toBeLessThanOrEqual(16)
  }, 60_000)
})
