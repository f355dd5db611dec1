import { describe, expect, it } from 'vitest'
import { ofAnswer } from './counts.ts'
import { customFieldsOf } from './fields.ts'
import { oncePerPerson } from './recipients.ts'
import { afterSettleMs, nextCheckAfter, settleMs } from './retry.ts'

describe('recipients', () => {
  const row = (personUrn: string | null, handle: string | null) => ({ personUrn, handle })
  it('are the same person by member id or by handle, and by nothing else [OUT-13]', () => {
    const rows = [
      row('A', null),
      row('B', null),
      row(null, 'a'),
      row(null, 'b'),
      row('A', 'c'),
      row(null, 'c'),
      row('C', 'c'),
      row('a', null),
    ]
    const { once, again } = oncePerPerson(rows)
    expect([once, again]).toEqual([
      [rows[0], rows[1], rows[2], rows[3], rows[7]],
      [rows[4], rows[5], rows[6]],
    ])
  })
})

describe('an answer of the platform', () => {
  it.each([
    [
      { added: 0, updated: 3, failed: 0 },
      { sent: 3, recorded: 3 },
    ],
    [
      { added: 2, updated: 2, failed: 1 },
      { sent: 5, recorded: 5 },
    ],
    [
      { added: 0, updated: 0, failed: 2 },
      { sent: 2, recorded: 0 },
    ],
  ])('%j records everybody unless nobody was taken [OUT-24]', (answer, expected) => {
    expect(ofAnswer(answer)).toMatchObject(expected)
  })
})

describe('custom fields', () => {
  it('carry each its name [OUT-11]', () => {
    expect(
      customFieldsOf({ icpPercent: 87, signal: 'weak', postUrl: 'https://p', commentText: 'Nice', sourceName: 'jane' }),
    ).toEqual({
      icp_percent: '87',
      signal: 'weak',
      engaged_post_url: 'https://p',
      comment_text: 'Nice',
      source_name: 'jane',
    })
  })
})

describe('a lost answer', () => {
  it('is looked up after ten minutes, then later still each time, and its people wait until after that', () => {
    expect([settleMs / 60_000, afterSettleMs / 60_000]).toEqual([10, 15])
    expect([1, 2, 3, 4, 9, 10].map((checks) => nextCheckAfter(checks)).map((ms) => ms && ms / 60_000)).toEqual([
      10,
      20,
      40,
      80,
      360,
      null,
    ])
  })
})
