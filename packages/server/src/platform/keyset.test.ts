import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCursor, writeCursor } from './keyset.ts'
import { Refusal } from './refusal.ts'

const id = '00000000-0000-4000-8000-000000000001'
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a cursor', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2100-01-01') }),
        fc.uuid(),
        (at, row) => {
          expect(readCursor(writeCursor({ at, id: row }))).toEqual({ at, id: row })
        },
      ),
    )
    expect(readCursor(undefined)).toBeNull()
  })
  it.each([
    '',
    'x',
    encoded(null),
    encoded({}),
    encoded([]),
    encoded(['2026-01-01T00:00:00.000Z']),
    encoded(['2026-13-01T00:00:00.000Z', id]),
    encoded(['2026', id]),
    encoded(['2026-01-01T00:00:00.000Z', 'x']),
  ])('is refused as %j', (text) => {
    expect(() => readCursor(text)).toThrow(Refusal)
  })
})
