import { describe, expect, it } from 'vitest'
import { isHeld, readJobDate } from './jobs.ts'

describe('when a job began or ended', () => {
  it.each<readonly [value: unknown, date: unknown]>([
    [
      { month: 'Aug', year: 2020, text: 'Aug 2020' },
      { year: 2020, month: 8 },
    ],
    [
      { month: 'August', year: '2020' },
      { year: 2020, month: 8 },
    ],
    [
      { year: 2020, month: 8, day: 0 },
      { year: 2020, month: 8 },
    ],
    [
      { year: 2020, month: 0, day: 0 },
      { year: 2020, month: null },
    ],
    [
      { year: 2020, text: '2020' },
      { year: 2020, month: null },
    ],
    [
      { year: 2020, month: 1 },
      { year: 2020, month: 1 },
    ],
    [
      { year: 2020, month: ' 12 ' },
      { year: 2020, month: 12 },
    ],
    [
      { year: 2020, month: ' August ' },
      { year: 2020, month: 8 },
    ],
    ...[13, 1.5, '13', 'xyz', true].map(
      (month) =>
        [
          { year: 2020, month },
          { year: 2020, month: null },
        ] as const,
    ),
    ...[1900, 2100].flatMap((year) => [
      [year, { year, month: null }] as const,
      [{ year: ` ${year} ` }, { year, month: null }] as const,
    ]),
    ...[1899, 2101, 2020.5, '2020x'].map((year) => [{ year }, null] as const),
    [
      { year: 1899, text: 'May 2020' },
      { year: 2020, month: 5 },
    ],
    [{ year: '0' }, 'now'],
    [{ year: 0, text: '  ' }, 'now'],
    [{ year: 0, text: 'ages ago' }, null],
    [' Present ', 'now'],
    ['2020-08-01', { year: 2020, month: 8 }],
    ['from 2020/8', { year: 2020, month: 8 }],
    ['2020-081', { year: 2020, month: null }],
    ['12020', null],
    [{ text: 'Aug 2020' }, { year: 2020, month: 8 }],
    ['Aug 2020', { year: 2020, month: 8 }],
    ['2020-08', { year: 2020, month: 8 }],
    ['2020', { year: 2020, month: null }],
    [2020, { year: 2020, month: null }],
    [{ text: 'Present' }, 'now'],
    ['present', 'now'],
    ['heute', 'now'],
    [{ year: 0, month: 0, day: 0 }, 'now'],
    [{ month: 'Aug' }, null],
    [{ text: '' }, null],
    ['', null],
    ['ages ago', null],
    [['2020'], null],
    [-1, null],
    [null, null],
    [undefined, null],
  ])('%j is %j', (value, date) => {
    expect(readJobDate(value)).toEqual(date)
  })
  it.each([
    [{ month: 'Aug', year: 2020 }, { text: 'Present' }, true],
    [{ month: 'Aug', year: 2020 }, null, true],
    [{ month: 'Aug', year: 2020 }, undefined, true],
    [{ month: 'Aug', year: 2020 }, {}, true],
    [{ year: 2020, month: 8, day: 0 }, { year: 0, month: 0, day: 0 }, true],
    [{ year: 0, month: 0, day: 0 }, { year: 0, month: 0, day: 0 }, true],
    [null, { text: 'Present' }, true],
    [{ year: 2020 }, { month: 'Mar', year: 2024 }, false],
    [{ year: 2020 }, { year: 2024, month: 0, day: 0 }, false],
    [{ year: 2020 }, 'ages ago', false],
    [{ year: 2020 }, '', true],
    [{ year: 2020 }, { year: null, month: undefined, text: '' }, true],
    [{ year: 2020 }, { month: 8 }, false],
    [{ year: 2020 }, { year: '', day: 0 }, false],
    [{ year: 2020 }, 5, false],
    [{ year: 2020 }, true, false],
    [{ year: 0, month: 0, day: 0 }, null, false],
    [null, null, false],
    [undefined, undefined, false],
  ])('a job from %j to %j is held: %j', (start, end, held) => {
    expect(isHeld({ start, end })).toBe(held)
  })
})
