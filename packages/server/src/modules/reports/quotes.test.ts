import { describe, expect, it } from 'vitest'
import { quoteOf } from './quotes.ts'

describe('a quote', () => {
  it('adds up the caps, now and each day, against the balance', () => {
    expect(quoteOf([{ cap: 100 }, { cap: 100 }, { cap: 100 }, { cap: 100 }], true, 1_000)).toEqual({
      sources: 4,
      perSync: 100,
      now: 400,
      daily: 400,
      balance: 1_000,
      days: 2,
    })
  })

  it('of one sync adds nothing to the days after', () => {
    expect(quoteOf([{ cap: 50 }, { cap: 20 }], false, 10)).toEqual({
      sources: 2,
      perSync: null,
      now: 70,
      daily: 0,
      balance: 10,
      days: null,
    })
  })

  it('says where nothing but the balance bounds it', () => {
    expect(quoteOf([{ cap: 50 }, { cap: null }], true, 1_000)).toMatchObject({ now: null, daily: null, days: 0 })
    expect(quoteOf([], true, 5)).toEqual({ sources: 0, perSync: null, now: 0, daily: 0, balance: 5, days: null })
  })
})
