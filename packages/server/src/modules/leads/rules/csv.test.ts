import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutFormulas } from '@les/contract'
import { csvCell, csvLine } from './csv.ts'

/** Reads CSV as RFC 4180 writes it. */
function read(text: string): string[][] {
  const lines: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (let match = cells.exec(text); match; match = cells.exec(text)) {
    lines.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2]!)
    if (match[3] === '\r\n') lines.push([])
  }
  return lines.slice(0, -1)
}

describe('a cell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '=cmd|"/c calc"!A1'])(
    '%j cannot become a formula',
    (text) => {
      expect(read(`${csvCell(text)}\r\n`)).toEqual([[`'${text}`]])
    },
  )
  it.each([
    [null, ''],
    [true, 'true'],
    [120, '120'],
    [-5, '-5'],
    ['', ''],
    ['plain', 'plain'],
    ['a, b', '"a, b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
  ])('%j is written %j', (value, cell) => expect(csvCell(value)).toBe(cell))
})

describe('a line', () => {
  it('is read back as it was written, whatever strangers wrote', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\r', '\n', '=', ';', 'ß') }), {
            minLength: 2,
            maxLength: 4,
          }),
          { maxLength: 4 },
        ),
        (rows) => {
          expect(read(rows.map(csvLine).join(''))).toEqual(rows.map((row) => row.map(withoutFormulas)))
        },
      ),
    )
  })
})
