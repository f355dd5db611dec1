/** Deliveries whose address, secret or endpoint changes between two attempts, hours and weeks apart. */
import { createHmac } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import type { Inbox, Received } from '../world/inbox.ts'
import { useWorld, type Team, workedByDrain } from '../world/world.ts'
import { leadsOf, ok, trackWith, type Tracked } from './fit-stage.ts'

// Much time and many people: a busy machine takes its own over them.
vi.setConfig({ testTimeout: 120_000 })
const world = useWorld({ config: workedByDrain })

/** Waits before the second to the tenth attempt, in seconds; each is spread by 20 %. */
const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

const put = (team: Team, source: Tracked, change: Record<string, unknown>) =>
  ok(team.put(`${source.path}/webhook`, change))
const statesOf = async (team: Team, source: Tracked): Promise<string[]> =>
  (await leadsOf(team, source)).map((lead) => lead.webhookStatus)
const idsOf = (received: readonly Received[]): string[] => [
  ...new Set(received.map(({ headers }) => String(headers['webhook-id']))),
]
const stampOf = ({ headers }: Received): number => Number(headers['x-service-timestamp'])
const signs = (secret: string, { headers, raw }: Received): boolean => {
  const hex = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers['x-service-timestamp']}.`)
    .update(raw)
    .digest('hex')
  return String(headers['x-service-signature']).split(',').includes(`v1=${hex}`)
}
/** Lets one wait of the schedule pass, and shows that the attempt comes within it and not before. */
async function passWait(wait: number, inbox: Inbox, before: number): Promise<void> {
  await world.advance(`${Math.floor(wait * 0.79)}s`)
  expect([wait, inbox.received.length]).toEqual([wait, before])
  await world.advance(`${Math.ceil(wait * 0.42)}s`)
  expect([wait, inbox.received.length]).toEqual([wait, before + 1])
}
/** A source with one captured lead whose delivery to a failing receiver has been tried once. */
async function failing(team: Team, inbox: Inbox): Promise<Tracked> {
  inbox.answer(500)
  const source = await trackWith(world, team, [{ title: 'CTO' }], { hook: { webhookUrl: inbox.url } })
  expect([inbox.received.length, await statesOf(team, source)]).toEqual([1, ['pending']])
  return source
}

it.each(['the same address', 'another address'])(
  'a disabled endpoint that is let go, naming %s, begins its schedule anew: ten attempts more, its bad record ' +
    'forgotten ' +
    '[WHK-17, WHK-27, G134]',
  async (which) => {
    const team = await world.team({ credits: 100 })
    const [inbox, other] = [await world.inbox(), await world.inbox()]
    const source = await failing(team, inbox)
    for (const [at, wait] of waits.slice(0, 3).entries()) await passWait(wait, inbox, at + 1)
    inbox.answer(410)
    await passWait(waits[3]!, inbox, 4)
    // Far beyond what the schedule had left, and beyond the five days after which failures alone disable.
    await world.advance('30d')
    expect([inbox.received.length, await statesOf(team, source)]).toEqual([5, ['pending']])
    const next = which === 'another address' ? other : inbox
    next.answer(500)
    next.received.splice(0)
    await put(team, source, { webhookUrl: next.url })
    await world.drain()
    expect(next.received).toHaveLength(1)
    for (const [at, wait] of waits.entries()) {
      expect(await statesOf(team, source)).toEqual(['pending'])
      await passWait(wait, next, at + 1)
    }
    expect(await statesOf(team, source)).toEqual(['failed'])
    expect(idsOf([...inbox.received, ...next.received])).toHaveLength(1)
    next.answer(200)
    await world.advance('30d')
    expect(next.received).toHaveLength(10)
  },
)

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

it(
  'an address and a secret that change between two attempts of one delivery: each attempt goes where it is due ' +
    'now, signed with what is valid now, under one id [WHK-07, WHK-13, WHK-15, WHK-16, G47, G134]',
  async () => {
    const team = await world.team({ credits: 100 })
    const [first, second, third] = [await world.inbox(), await world.inbox(), await world.inbox()]
    const source = await failing(team, first)
    second.answer(503)
    const rotatedAt = (await world.now()).getTime() / 1_000
    const { signingSecret: fresh } = (await world.operator('POST', `/operator/teams/${team.id}/signing-secret`)).body
    await put(team, source, { webhookUrl: second.url })
    // The last wait is longer than the longest that chance makes of 14 hours.
    for (const wait of ['10s', '7m', '50m', '3h', '6h', '12h', '3h', '17h']) await world.advance(wait)
    const old = team.signingSecret
    expect(first.received.map((each) => [signs(old, each), signs(fresh, each)])).toEqual([[true, false]])
    const [during, after] = [
      second.received.filter((each) => stampOf(each) < rotatedAt + 86_400),
      second.received.filter((each) => stampOf(each) >= rotatedAt + 86_400),
    ]
    expect([during.length, after.length]).toEqual([
      expect.toSatisfy((count: number) => count >= 5),
      expect.toSatisfy((count: number) => count >= 1),
    ])
    expect(during.map((each) => [signs(old, each), signs(fresh, each)])).toEqual(during.map(() => [true, true]))
    expect(after.map((each) => [signs(old, each), signs(fresh, each)])).toEqual(after.map(() => [false, true]))
    const tried = second.received.length
    await put(team, source, { webhookUrl: third.url })
    // Longer than chance makes of 24 hours.
    await world.advance('29h')
    expect([second.received.length, third.received.length, await statesOf(team, source)]).toEqual([tried, 1, ['sent']])
    const all = [...first.received, ...second.received, ...third.received]
    expect(idsOf(all)).toHaveLength(1)
    expect(all.every((each) => each.raw.equals(all[0]!.raw))).toBe(true)
  },
)

it('an address changed between two deliveries: what was sent stays sent, the next goes to the new one [WHK-07, WHK-17, G134]', async () => {
  const team = await world.team({ credits: 100 })
  const [before, after] = [await world.inbox(), await world.inbox()]
  const source = await trackWith(world, team, [{ title: 'CTO' }], { hook: { webhookUrl: before.url } })
  expect(before.received).toHaveLength(1)
  await put(team, source, { webhookUrl: after.url })
  world.network.seedPost({
    author: source.author,
    postedAt: (await world.now()).toISOString(),
    reactions: [{ person: world.handle('late') }],
  })
  await world.advance('24h')
  expect([before.received.length, after.received.length, await statesOf(team, source)]).toEqual([
    1,
    1,
    ['sent', 'sent'],
  ])
  expect(idsOf([...before.received, ...after.received])).toHaveLength(2)
})
