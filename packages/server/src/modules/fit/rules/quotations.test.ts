/** Quotations in a text: every place between quotation marks, none outside, none after a mark that is never closed. */
import { describe, expect, it } from 'vitest'
import { quotations } from './quotations.ts'

function within(text: string): string {
  const isQuoted = quotations(text)
  return [...text.matchAll(/[a-z0-9]/gu)]
    .filter(({ index }) => isQuoted(index))
    .map(([sign]) => sign)
    .join('')
}

describe('a quotation', () => {
  it.each<[text: string, quoted: string]>([
    ['a "b c" d', 'bc'],
    ['“a” b', 'a'],
    ['“a“ b', 'a'],
    ['“a" b', 'a'],
    ['„a“ b', 'a'],
    ['„a” b', 'a'],
    ['„a" b', 'a'],
    ['«a» b', 'a'],
    ['»a« b', 'a'],
    ['‘a’ b', 'a'],
    ['‚a‘ b', 'a'],
    ['‚a’ b', 'a'],
    ["'a' b", 'a'],
    ['"a" b "c" d', 'ac'],
    ['"a"b"c" d', 'a'],
    // The closing mark of another kind does not close a quotation.
    ['“a» b', ''],
    ['«a" b» c', 'ab'],
    ['"a” b" c', 'ab'],
    ['”a” b', ''],
    // Straight marks open only after a non-letter and before something; an apostrophe within a word neither opens nor closes.
    ['a"b" c', ''],
    ['1"b" c', ''],
    ['" a" b', ''],
    ['a "', ''],
    ["it's a boy's b", ''],
    ["'it's a' b", 'itsa'],
    ["a'b' c", ''],
    ["a 'b", ''],
    ['‘it’s a’ b', 'itsa'],
    ['"a', ''],
    ['“a b', ''],
    ['"', ''],
    ['', ''],
    ['abc', ''],
  ])('in %j holds %j', (text, quoted) => expect(within(text)).toBe(quoted))

  it('of a thousand signs is one; of more its mark was never closed, and a later one opens anew', () => {
    expect(within(`"${'a'.repeat(999)}" b`)).toHaveLength(999)
    expect(within(`"${'a'.repeat(1_000)}" b`)).toBe('')
    expect(within(`"${'a'.repeat(1_000)} "b" c`)).toBe('b')
  })
  it('says nothing of its own marks', () => {
    const isQuoted = quotations('"a"b')
    expect([0, 1, 3].map(isQuoted)).toEqual([false, true, false])
  })
})
