import { describe, expect, it } from 'vitest'
import { newestOf } from './just-added.ts'
import { readFile, textOf, valuesIn } from './lines.ts'

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
  it('of a file that Excel wrote, keep their letters, whatever they are written in [EXC-07]', () => {
    const text = 'title,Geschäftsführer'
    const codes = (said: string) => [...said].map((letter) => letter.charCodeAt(0))
    const written = {
      utf8: new TextEncoder().encode(text),
      latin1: Uint8Array.from(codes(text)),
      utf16: new Uint8Array(Uint16Array.from(codes(`\uFEFF${text}`)).buffer),
    }
    for (const bytes of Object.values(written))
      expect(readFile(textOf(bytes))).toMatchObject([{ value: 'Geschäftsführer' }])
  })
})

it('what was just added is known by what it is, not by being the newest: what was added since stays excluded [EXC-07]', () => {
  const entries = ['https://www.linkedin.com/in/Ada/', 'old'].map((value) => ({ kind: 'person', value }))
  const listed = ['later', 'ada', 'old'].map((value, at) => ({ id: `id-${at}`, kind: 'person', value }))
  expect(newestOf(entries, listed, 1)).toEqual(['id-1'])
  expect(newestOf(entries, listed, 2)).toEqual(['id-1', 'id-2'])
})
