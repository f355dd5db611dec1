/** Fields of vendors' answers: what is read of wrong types and around each bound; no row is lost because of a field. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  count,
  dollars,
  flag,
  listOf,
  maybe,
  millis,
  present,
  readRows,
  somebody,
  text,
  token,
  countIn,
} from './lenient.ts'

const most = 2_147_483_647
/** Values of no type that any field has. */
const odd: readonly unknown[] = [null, undefined, true, {}, [], [1], Number.NaN, Number.POSITIVE_INFINITY]

describe('a field', () => {
  it.each<readonly [name: string, schema: z.ZodType, rows: readonly (readonly [value: unknown, read: unknown])[]]>([
    [
      'token',
      token,
      [
        ['AB12==|7', 'AB12==|7'],
        [7, '7'],
        ['ä 😀', 'ä 😀'],
        ['x'.repeat(4_000), 'x'.repeat(4_000)],
        ['x'.repeat(4_001), null],
        ['a\u0000b', null],
        ['a\u001fb', null],
        ['a\u007fb', null],
        ['\ud800', null],
        [null, null],
        [{}, null],
      ],
    ],
    [
      'text',
      text,
      [['a', 'a'], ['', ''], [0, '0'], [1.5, '1.5'], [-1, '-1'], ...odd.map((value) => [value, null] as const)],
    ],
    [
      'count',
      count,
      [
        [0, 0],
        [1.9, 1],
        [-1, null],
        [-0.1, null],
        [most, most],
        [most + 1, most],
        ['0', 0],
        ['1,234', 1_234],
        ['1,234,567', 1_234_567],
        ['12', 12],
        [',1', null],
        ['', null],
        ['1.5', null],
        ['1.2K', 1_200],
        ['3.4B', most],
        ['-1', null],
        ['x1', null],
        ['1x', null],
        ...odd.map((value) => [value, null] as const),
      ],
    ],
    [
      'dollars',
      dollars,
      [
        [0, 0],
        [1.25, 1.25],
        [-0.01, null],
        ['0', 0],
        ['1.25', 1.25],
        ['9'.repeat(12), 999_999_999_999],
        ['9'.repeat(13), null],
        [`0.${'1'.repeat(9)}`, 0.111_111_111],
        [`0.${'1'.repeat(10)}`, null],
        ['1.', null],
        ['.5', null],
        ['1,000', null],
        ['x1', null],
        ['1x', null],
        ['-1', null],
        ['', null],
        ...odd.map((value) => [value, null] as const),
      ],
    ],
    [
      'millis',
      millis,
      [
        [0, 0],
        [1.9, 1],
        [8.64e15, 8.64e15],
        [8.64e15 + 2, null],
        [-1, null],
        ['1', null],
        ...odd.map((value) => [value, null] as const),
      ],
    ],
    ['flag', flag, [[true, true], ...[false, 'true', 1, null, undefined, {}].map((value) => [value, false] as const)]],
    [
      'present',
      present,
      [
        ...[0, false, 'x', {}, [0]].map((value) => [value, true] as const),
        ...[null, undefined, '', []].map((value) => [value, false] as const),
      ],
    ],
    [
      'maybe',
      maybe(z.object({ a: text })),
      [
        [{ a: 1, b: 2 }, { a: '1' }],
        [{}, { a: null }],
        ...[null, undefined, 'x', 7, []].map((value) => [value, null] as const),
      ],
    ],
    [
      'a list',
      listOf(z.object({ a: z.string() })),
      [
        [
          [{ a: 'x' }, { a: 7 }, null, 'x', { a: 'y', b: 1 }],
          [{ a: 'x' }, { a: 'y' }],
        ],
        [[], []],
        ...[null, undefined, 'x', { 0: { a: 'x' }, length: 1 }].map((value) => [value, []] as const),
      ],
    ],
  ])('%s', (_name, schema, rows) =>
    expect(rows.map(([value]) => [value, schema.parse(value)])).toEqual(rows.map(([value, read]) => [value, read])),
  )
  it('that is missing does not fail its row', () => {
    const row = z.object({
      text,
      count,
      dollars,
      millis,
      flag,
      present,
      maybe: maybe(z.object({})),
      list: listOf(text),
    })
    expect(row.parse({})).toEqual({
      text: null,
      count: null,
      dollars: null,
      millis: null,
      flag: false,
      present: false,
      maybe: null,
      list: [],
    })
  })
})

describe('the rows of a page', () => {
  const read = (...rows: readonly unknown[]) =>
    readRows(rows, z.object({ a: z.number(), by: somebody(z.object({ name: text })) }), {
      who: ({ by }) => by,
      normalise: ({ a }) => (a === 0 ? null : a > 9 ? [a, a + 1] : a),
      unreadable: () => new Error('unreadable'),
    })
  const by = null
  it('are kept one by one: what has not the shape and what is left out are dropped, one row may be several', () => {
    expect(read({ a: 1, by }, null, { a: 'x', by }, { a: 0, by }, { a: 10, by: {} }, { a: 2 })).toEqual([1, 10, 11, 2])
  })
  it('are unreadable only when there are some and not one has the shape', () => {
    expect(read()).toEqual([])
    expect(() => read({ a: 'x', by }, 7)).toThrow('unreadable')
    expect(read({ a: 0, by }, 7)).toEqual([])
  })
  it('are unreadable when none says who it is by; null, an empty object and one that names nobody say so [WLD-01]', () => {
    for (const nobody of [null, {}, { name: null }]) expect(read({ a: 1, by: nobody })).toEqual([1])
    for (const other of [undefined, 'x', 7, false, []]) expect(() => read({ a: 1, by: other })).toThrow('unreadable')
    expect(read({ a: 1 }, { a: 2, by: null })).toEqual([1, 2])
  })
})

describe('a count in a text', () => {
  it.each([
    ['0', 0],
    ['12', 12],
    [' 12 ', 12],
    ['1234567', 1_234_567],
    ['1,234', 1_234],
    ['1.234', 1_234],
    ['1 234', 1_234],
    ['1\u00a0234', 1_234],
    ['1\u202f234\u202f567', 1_234_567],
    ['1’234', 1_234],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['12,34,567', 1_234_567],
    ['1.2K', 1_200],
    ['1,2k', 1_200],
    ['1.2 K', 1_200],
    ['12K', 12_000],
    ['1.25M', 1_250_000],
    ['3,4 Mio.', 3_400_000],
    ['3,4\u00a0Mio', 3_400_000],
    ['2 Tsd.', 2_000],
    ['1.2B', 1_200_000_000],
    ['1,5 Mrd.', 1_500_000_000],
    ['1,234.5K', 1_234_500],
    ['1.234,5K', 1_234_500],
    ['4.1 million', 4_100_000],
  ])('%j is %i [G168]', (text, count) => expect(countIn(text)).toBe(count))

  it.each([
    '',
    ' ',
    'K',
    '1.234K',
    '1,234K',
    '1.5',
    '1,5',
    '12,34',
    '1.234,567',
    '1,234.567',
    '1..2K',
    '1.2.3K',
    '1,2,3',
    '-1',
    '+1',
    '1.2X',
    '1 mil',
    '2 lakh',
    '10,001+',
    'about 3',
    '1K likes',
    '١٢',
    '1.',
    '1e3',
    '1'.repeat(50),
  ])('%j is not known, and never 0 [G168]', (text) => expect(countIn(text)).toBeNull())
})
