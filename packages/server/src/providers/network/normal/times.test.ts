/** Instants of vendors' answers, on either side of what is believed. */
import { describe, expect, it } from 'vitest'
import { instant } from './posts.ts'

const earliest = Date.UTC(2003, 0, 1)
const latest = Date.UTC(2100, 0, 1)
const iso = (ms: number) => new Date(ms).toISOString()

describe('a time stamp', () => {
  it.each([
    [earliest - 1, null],
    [earliest, iso(earliest)],
    [latest - 1, iso(latest - 1)],
    [latest, null],
    [String(earliest), iso(earliest)],
    ['12345678901', null],
    ['1041379200000x', null],
    ['x1041379200000', null],
    ['104137920000000', null],
    [undefined, null],
  ])('%s is %s', (stamp, read) => expect(instant(stamp, null)).toBe(read))

  it('that is not believed leaves the date to say it', () => {
    expect(instant(1, '2020-01-02')).toBe('2020-01-02T00:00:00.000Z')
    expect(instant(earliest, '2020-01-02')).toBe(iso(earliest))
  })
})

describe('a date', () => {
  it.each([
    ['2002-12-31T23:59:59.999Z', null],
    ['2003-01-01', '2003-01-01T00:00:00.000Z'],
    ['2099-12-31T23:59:59Z', '2099-12-31T23:59:59.000Z'],
    ['2100-01-01', null],
    ['2020-05-06T07:08:09', '2020-05-06T07:08:09.000Z'],
    ['2020-05-06 07:08:09.5', '2020-05-06T07:08:09.500Z'],
    ['2020-05-06T07:08:09.123456Z', '2020-05-06T07:08:09.123Z'],
    ['2020-05-06T07:08:09-0130', '2020-05-06T08:38:09.000Z'],
    ['2020-05-06T07:08:09+01:30', '2020-05-06T05:38:09.000Z'],
    ['2020-05-06 07:08:09   +0200', '2020-05-06T05:08:09.000Z'],
    ['on 2020-05-06', null],
    ['2020-13-01', null],
    ['7h', null],
    ['', null],
    [undefined, null],
  ])('%j is %s', (text, read) => expect(instant(null, text)).toBe(read))
})
