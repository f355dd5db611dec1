import { describe, expect, it } from 'vitest'
import { companySizeOf, companySizeOfRange, companySizes, readCompanySize } from './company-size.ts'

describe('the size bucket of a company', () => {
  it.each([
    ['5K-10K', '5001-10000'],
    ['1k - 5k employees', '1001-5000'],
    ['5-10K', '5001-10000'],
    // The `K` applies to both sides only if the first is small enough for that.
    ['1-2K', '1001-5000'],
    ['0.5K-1K', '501-1000'],
    ['900-1.2K', '1001-5000'],
    ['1-1K', '501-1000'],
    ['10-5', '1-10'],
    ['1.000.000', '10001+'],
    ['200 +', '201-500'],
    ['1.5K', '1001-5000'],
    ['1M+', '10001+'],
    ['5.001-10.000', '5001-10000'],
    ["1'001-5'000", '1001-5000'],
    ['51 – 200', '51-200'],
    ['2-10', '1-10'],
    ['1', '1-10'],
    ['50+', '51-200'],
    ['', null],
    ['about 200', '51-200'],
    ['200 or + more', '51-200'],
    ['10k', '5001-10000'],
    ['2–4 M', '10001+'],
    ['1,5k', '1001-5000'],
    ['12km', null],
    // Only the first 200 characters are read.
    [`${' '.repeat(200)}50`, null],
    [`${' '.repeat(198)}50`, '11-50'],
    ['unknown', null],
  ] as const)('of the range %j is %j [G149]', (range, bucket) => expect(companySizeOfRange(range)).toBe(bucket))
  it('of every bucket is itself, and of its first and last number too [G149]', () => {
    for (const bucket of companySizes) {
      expect(companySizeOfRange(bucket)).toBe(bucket)
      for (const end of bucket.match(/\d+/g)!) expect(companySizeOf(Number(end))).toBe(bucket)
    }
  })
})

describe('a size that somebody asks for', () => {
  it.each([
    ['10,001+', '10001+'],
    ['10 001+', '10001+'],
    ["10'001 +", '10001+'],
    ['10K+', '10001+'],
    ['10000+', '10001+'],
    ['1M+ employees', '10001+'],
    ['1,001-5,000', '1001-5000'],
    ['1001 — 5000', '1001-5000'],
    ['1001‑5000 employees', '1001-5000'],
    ['1K–5K', '1001-5000'],
    ['５０１-1000', '501-1000'],
    ['\u200b51\u00a0to\u00a0200 ', '51-200'],
    ['10001+ employees.', '10001+'],
    ['10,000 or more', '10001+'],
    ['300', '201-500'],
    ['2-10', '1-10'],
    // Each of these means more than one bucket, or something else.
    ['1–5,000', null],
    ['11-200', null],
    ['500+', null],
    ['50 or fewer', null],
    ['11-50+', null],
    ['under 50', null],
    ['more than 500', null],
    ['1-10, 11-50', null],
    ['5000-1001', null],
    ['large', null],
    ['', null],
  ] as const)('%j is %j [WLD-17]', (text, bucket) => expect(readCompanySize(text)).toBe(bucket))
  it('of every bucket is itself [WLD-17]', () => expect(companySizes.map(readCompanySize)).toEqual(companySizes))
})
