import { describe, expect, it } from 'vitest'
import { answering, stillClock, type Served } from '../../../test/providers/answers.ts'
import { createMemoryBudget } from '../../../test/providers/memory-budget.ts'
import { createHeyReach } from './heyreach.ts'

const profileUrl = 'https://www.linkedin.com/in/ada'
const rowOf = (more: Record<string, unknown> = {}) => ({ linkedInUserProfile: { profileUrl }, ...more })

function reading(...served: (Served | Error)[]) {
  const egress = answering(...served)
  const system = stillClock()
  const platform = createHeyReach({
    baseUrl: 'https://vendor.example',
    egress,
    budget: createMemoryBudget({ system }),
    system,
    random: { next: () => 0.5 },
  })
  return {
    read: (offset = 0) => platform.readProgress('key', '77', offset),
    asked: () => egress.asked.map(({ body }) => JSON.parse(String(body)) as unknown),
  }
}
const page = (items: unknown[], totalCount = items.length): Served => ({ body: { totalCount, items } })

describe('how far somebody is', () => {
  it.each([
    [{ leadConnectionStatus: 'None', leadMessageStatus: 'None' }, 'none', 'none'],
    [{ leadConnectionStatus: 'ConnectionSent', leadMessageStatus: null }, 'sent', 'none'],
    [{ leadConnectionStatus: 'ConnectionAccepted', leadMessageStatus: 'MessageSent' }, 'accepted', 'sent'],
    [{ leadConnectionStatus: 'None', leadMessageStatus: 'MessageReply' }, 'none', 'replied'],
    [{ leadConnectionStatus: 'Withdrawn', leadMessageStatus: 'Seen' }, 'none', 'none'],
    [{}, 'none', 'none'],
  ])('%j', async (states, connection, message) => {
    const { members } = await reading(page([rowOf(states)])).read()
    expect(members).toEqual([{ profileUrl, connection, message, lastActionAt: null }])
  })
  it.each([
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00.1234567', '2026-11-21T10:00:00.123Z'],
    ['2026-11-21T12:00:00+02:00', '2026-11-21T10:00:00.000Z'],
  ])('since %s', async (lastActionTime, at) => {
    expect((await reading(page([rowOf({ lastActionTime })])).read()).members[0]?.lastActionAt?.toISOString()).toBe(at)
  })
})

describe('a campaign', () => {
  it('is read page by page to its end, by what was served', async () => {
    const { read, asked } = reading(page([rowOf()], 3), page([rowOf(), rowOf()], 3))
    expect([(await read()).next, (await read(1)).next]).toEqual([1, null])
    expect(asked()).toEqual([
      { campaignId: 77, offset: 0, limit: 100 },
      { campaignId: 77, offset: 1, limit: 100 },
    ])
  })
  it.each([
    [{ body: { items: [] } }, 'unreadable'],
    [{ status: 401, body: {} }, 'invalid_key'],
    [{ status: 429, body: {} }, 'rate_limited'],
  ] as const)('that answers %j fails as %s', async (served, kind) => {
    await expect(reading(served as Served).read()).rejects.toMatchObject({ kind })
  })
})
