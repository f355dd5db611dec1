import { describe, expect, it } from 'vitest'
import { faultOf, partsOf, readFile, valuesIn } from './lines.ts'

describe('entries as people bring them', () => {
  it('pasted, are one a line or parted by commas, each once', () => {
    expect(valuesIn(' acme.com\r\nbeta.com, acme.com;gamma.com\n\n')).toEqual(['acme.com', 'beta.com', 'gamma.com'])
  })
  it('of a file, have columns with or without a header, parted by commas or semicolons, after a byte order mark', () => {
    expect(
      readFile('\uFEFFkind;value;reason\r\nPerson;jane-doe;"she said; ""no"""\r\n\r\ndomain;acme.com;\r\n'),
    ).toEqual([
      { line: 2, kind: 'person', value: 'jane-doe', reason: 'she said; "no"' },
      { line: 4, kind: 'domain', value: 'acme.com' },
    ])
    expect(readFile('title,"head of\nsales"\ncompany,acme,Customer')).toEqual([
      { line: 1, kind: 'title', value: 'head of\nsales' },
      { line: 3, kind: 'company', value: 'acme', reason: 'Customer' },
    ])
    expect(readFile('reason,value,kind\nx,acme.com,domain')).toEqual([
      { line: 2, kind: 'domain', value: 'acme.com', reason: 'x' },
    ])
    expect(() => readFile('kind,value\ndomain,"acme.com')).toThrow('line 2 of the CSV')
  })
  it('that are longer than the service takes, or of no kind, are not sent with others', () => {
    const [long, most] = ['a'.repeat(501), 'a'.repeat(500)]
    expect(faultOf({ kind: 'title', value: most, reason: most })).toBeNull()
    expect(faultOf({ kind: 'title', value: long })).toMatch('longer than 500')
    expect(faultOf({ kind: 'title', value: 'x', reason: long })).toMatch('reason is longer than 500')
    expect(faultOf({ kind: 'planet', value: 'mars' })).toMatch('“planet”')
  })
  it('go in parts that one call takes, by their number and their characters', () => {
    const rows = (count: number, value: string) =>
      Array.from({ length: count }, (_, at) => ({ line: at + 1, kind: 'title', value }))
    expect(partsOf(rows(2_500, 'x')).map((part) => part.length)).toEqual([1_000, 1_000, 500])
    expect(partsOf(rows(900, 'a'.repeat(500))).map((part) => part.length)).toEqual([400, 400, 100])
    expect(partsOf([])).toEqual([])
  })
})
