import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterSettleMs,
  customFieldsOf,
  inPieces,
  nextCheckAfter,
  noCounts,
  ofAnswer,
  oncePerPerson,
  pauseAfter,
  plus,
  refusalOf,
  settleMs,
  type PersonKeys,
} from './sending.ts'

describe('a campaign', () => {
  it.each([
    ['IN_PROGRESS', [1], null],
    ['PAUSED', [1], null],
    ['SCHEDULED', [1], null],
    ['STARTING', [1], null],
    ['DRAFT', [1], 'campaign_closed'],
    ['FINISHED', [1], 'campaign_closed'],
    ['CANCELED', [], 'campaign_closed'],
    ['FAILED', [1], 'campaign_closed'],
    ['SOMETHING_NEW', [1], 'campaign_closed'],
    ['PAUSED', [], 'no_senders'],
  ])('%s with senders %j: %s [ERR-11, OUT-04, OUT-14]', (status, accountIds, expected) => {
    expect(refusalOf({ status, accountIds })).toBe(expected)
  })
})

describe('recipients', () => {
  it('name each person once, by member id or by handle, and lose nobody [OUT-13]', () => {
    const keys = fc
      .record({
        personUrn: fc.option(fc.constantFrom('A', 'B', 'C')),
        handle: fc.option(fc.constantFrom('a', 'b', 'c')),
      })
      .filter((one) => one.personUrn !== null || one.handle !== null)
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 12 }), (rows: PersonKeys[]) => {
        const { once, again } = oncePerPerson(rows)
        const urns = once.flatMap((one) => one.personUrn ?? [])
        const handles = once.flatMap((one) => one.handle ?? [])
        return (
          once.length + again.length === rows.length &&
          new Set(urns).size === urns.length &&
          new Set(handles).size === handles.length &&
          rows.every((row) => once.includes(row) || again.includes(row))
        )
      }),
    )
  })
  it('are the same person by member id or by handle, and by nothing else [OUT-13]', () => {
    const row = (personUrn: string | null, handle: string | null) => ({ personUrn, handle })
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

  it('are cut into pieces in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat()),
        fc.integer({ min: 1, max: 7 }),
        (list, size) =>
          inPieces(list, size).flat().join() === list.join() &&
          inPieces(list, size).every((piece) => piece.length <= size && piece.length > 0),
      ),
    )
  })
})

describe('custom fields', () => {
  it('are sent where known, as text, and never empty [OUT-11]', () => {
    const about = {
      icpPercent: 0,
      signal: 'strong',
      postUrl: 'https://p',
      commentText: '  ',
      sourceName: 'jane',
    } as const
    const told = { icp_percent: '0', signal: 'strong', engaged_post_url: 'https://p', source_name: 'jane' }
    expect(customFieldsOf(about)).toEqual(told)
    expect(customFieldsOf({ ...about, commentText: 'Nice' })).toEqual({ ...told, comment_text: 'Nice' })
    expect(
      customFieldsOf({ icpPercent: null, signal: null, postUrl: null, commentText: null, sourceName: null }),
    ).toEqual({})
  })
})

describe('counts', () => {
  it('add up; a batch of which nobody was taken records nobody [OUT-24]', () => {
    expect(plus(plus(noCounts, ofAnswer({ added: 2, updated: 1, failed: 1 })), { alreadyInCampaign: 3 })).toEqual({
      ...noCounts,
      sent: 4,
      added: 2,
      updated: 1,
      failed: 1,
      recorded: 4,
      alreadyInCampaign: 3,
    })
    expect(ofAnswer({ added: 0, updated: 0, failed: 5 })).toMatchObject({ sent: 5, failed: 5, recorded: 0 })
  })
})

describe('waiting', () => {
  it('grows with failures to six hours, longer when asked for, up to a day', () => {
    expect([1, 2, 3, 20].map((failures) => pauseAfter(failures, undefined) / 60_000)).toEqual([1, 2, 4, 360])
    expect(pauseAfter(1, 600_000)).toBe(600_000)
    expect(pauseAfter(20, 600_000) / 60_000).toBe(360)
    expect(pauseAfter(1, 9_999_999_000) / 60_000).toBe(1_440)
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
