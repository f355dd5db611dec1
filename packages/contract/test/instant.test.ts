import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instant, isoDateTime, lastInstant, parseInstant } from '../src/values/index.ts'
import { refusals } from './refusals.ts'

const anyDate = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})
const two = (number: number) => String(number).padStart(2, '0')

describe('instant', () => {
  it('takes back what is sent in answers', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(isoDateTime.safeParse(date.toISOString()).success).toBe(true)
        expect(instant.parse(date.toISOString())).toEqual(date)
      }),
    )
  })

  it('means the same in every offset', () => {
    const years = fc.date({
      min: new Date('1000-01-01T00:00:00Z'),
      max: new Date('9000-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(years, fc.integer({ min: -23 * 60, max: 23 * 60 }), (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
        const size = Math.abs(offset)
        expect(
          parseInstant(`${local}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`),
        ).toEqual(date)
      }),
    )
  })

  it('of any text is an instant or null, never something in between', () => {
    const parts = fc.stringMatching(/^\d{4}-\d\d-\d\d([Tt]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?)?$/)
    fc.assert(
      fc.property(fc.oneof(parts, fc.string()), (text) => {
        const parsed = parseInstant(text)
        if (parsed !== null) expect(Number.isNaN(parsed.getTime())).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T12:30', '2026-11-01T12:30:00.000Z'],
    ['2026-11-01T12:30:15', '2026-11-01T12:30:15.000Z'],
    ['2026-11-01t12:30:15z', '2026-11-01T12:30:15.000Z'],
    ['2026-11-01T12:30:15.123456789Z', '2026-11-01T12:30:15.123Z'],
    ['2026-11-01T00:30:00+02:00', '2026-10-31T22:30:00.000Z'],
    ['2026-11-01T12:30:15.123456 00:00', '2026-11-01T12:30:15.123Z'],
    ['2026-11-01T00:30 02:00', '2026-10-31T22:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => expect(instant.parse(text).toISOString()).toBe(iso))

  it.each([
    'yesterday',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
    '2026-11-31',
    '0000-01-01',
    '0001-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-00:01',
    '',
    ' 2026-11-01',
    '2026-11-01 12:00',
    '2026-11-01 02:00:00',
    '2026-11-01T12:00  02:00',
    '2026-11-01T12:00Z 02:00',
    '2026-11-01T25:00Z',
    '2026-11-01T12:60Z',
    '2026-11-01T12:00:61Z',
    '2026-11-01T12:00+99:00',
    '26-11-01',
    '20261101',
    '2026-W45',
    '1793491200',
    '2026-11-01T',
    '2026-11-01Z',
    '+002026-11-01',
  ])('%j is refused in words', (text) =>
    expect(refusals(instant, text)).toEqual([
      ': must be an ISO 8601 date or date-time, for example 2026-11-01T00:00:00Z',
    ]),
  )
  it.each([undefined, null, 1793491200, true])('%j is refused: no text', (value) =>
    expect(instant.safeParse(value).success).toBe(false),
  )
})

describe('the end of a span', () => {
  it.each([
    ['2026-11-01', '2026-11-01T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T23:59:59.999Z'],
    ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T12:30', '2026-11-01T12:30:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(lastInstant.parse(text)).toEqual(new Date(expected))
  })

  it.each(['2026-02-29', '2026-11-31', 'today', ''])('%j is none', (text) => {
    expect(lastInstant.safeParse(text).success).toBe(false)
  })
})
