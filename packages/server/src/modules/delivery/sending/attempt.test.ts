import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { excerptOf } from './attempt.ts'

describe('the excerpt of an answer', () => {
  it('has at most 16 KB of UTF-8 and no control characters', () => {
    expect(excerptOf(Buffer.from('a\u0000b\u001b[31mc\r\nd\te\u0085f'))).toBe('ab[31mc d ef')
    for (const hostile of [
      Buffer.alloc(70_000, 0xff),
      Buffer.from('李'.repeat(30_000)),
      randomBytes(65_536),
      Buffer.from(`${'x'.repeat(16_383)}😀`),
    ]) {
      const kept = excerptOf(hostile)
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(16_384)
      expect(kept).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
      expect(kept.isWellFormed()).toBe(true)
    }
  })
})
