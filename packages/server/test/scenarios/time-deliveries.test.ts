/** Deliveries whose endpoint is disabled and enabled again between two attempts, hours and weeks apart. */
import { expect, it, vi } from 'vitest'
import type { Inbox, ReceivedRequest } from '../world/inbox.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { leadsOf, ok, trackWith, type Tracked } from './fit-stage.ts'
import { retryWaits as waits } from './webhook-stage.ts'

// Much time and many people take long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })
const world = useWorld({ config: drainOnlyUnlessLongRun })

const put = (team: Team, source: Tracked, change: Record<string, unknown>) =>
  ok(team.put(`${source.path}/webhook`, change))
const statesOf = async (team: Team, source: Tracked): Promise<string[]> =>
  (await leadsOf(team, source)).map((lead) => lead.webhookStatus)
const idsOf = (received: readonly ReceivedRequest[]): string[] => [
  ...new Set(received.map(({ headers }) => String(headers['webhook-id']))),
]
/** Lets one wait of the retry schedule pass; the attempt must come within it and not before. */
async function passWait(wait: number, inbox: Inbox, before: number): Promise<void> {
  await world.advance(`${Math.floor(wait * 0.79)}s`)
  expect([wait, inbox.received.length]).toEqual([wait, before])
  await world.advance(`${Math.ceil(wait * 0.42)}s`)
  expect([wait, inbox.received.length]).toEqual([wait, before + 1])
}
it('a disabled endpoint that is let go begins its schedule anew: ten attempts more, its bad record forgotten [WHK-17, WHK-27, G134]', async () => {
  const [team, inbox] = [await world.team({ credits: 100 }), await world.inbox()]
  inbox.answer(500)
  const source = await trackWith(world, team, [{ title: 'CTO' }], { hook: { webhookUrl: inbox.url } })
  expect([inbox.received.length, await statesOf(team, source)]).toEqual([1, ['pending']])
  for (const [at, wait] of waits.slice(0, 3).entries()) await passWait(wait, inbox, at + 1)
  inbox.answer(410)
  await passWait(waits[3]!, inbox, 4)
  // Far beyond the rest of the schedule, and beyond the five days after which failures alone disable.
  await world.advance('30d')
  expect([inbox.received.length, await statesOf(team, source)]).toEqual([5, ['pending']])
  inbox.answer(500)
  await put(team, source, { webhookUrl: inbox.url })
  await world.drain()
  expect(inbox.received).toHaveLength(6)
  for (const [at, wait] of waits.entries()) {
    expect(await statesOf(team, source)).toEqual(['pending'])
    await passWait(wait, inbox, at + 6)
  }
  expect(await statesOf(team, source)).toEqual(['failed'])
  expect(idsOf(inbox.received)).toHaveLength(1)
  inbox.answer(200)
  await world.advance('30d')
  expect(inbox.received).toHaveLength(15)
})

it('what was due before its endpoint was let go leaves the old schedule: all held goes at once, once [WHK-17, G134]', async () => {
  const team = await world.team({ credits: 100 })
  const inbox = await world.inbox()
  inbox.answer(500)
  const source = await trackWith(world, team, [{ title: 'CTO' }, { title: 'CFO' }, { title: 'CMO' }], {
    hook: { webhookUrl: inbox.url },
  })
  for (const wait of ['6s', '6m', '36m', '144m']) await world.advance(wait)
  const before = inbox.received.length
  expect(before).toBeGreaterThanOrEqual(9)
  inbox.answer(410)
  await world.advance('12h')
  inbox.answer(200)
  await world.advance('1h')
  expect(await statesOf(team, source)).toEqual(['pending', 'pending', 'pending'])
  inbox.received.splice(0)
  await put(team, source, { webhookUrl: inbox.url })
  await world.drain()
  expect([inbox.received.length, idsOf(inbox.received).length, await statesOf(team, source)]).toEqual([
    3,
    3,
    ['sent', 'sent', 'sent'],
  ])
  await world.advance('30d')
  expect(inbox.received).toHaveLength(3)
})
