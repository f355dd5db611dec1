/** CSV for `les config import`: read as in RFC 4180, and refused with the line number. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutFormulas, withoutGuards } from '@les/contract'
import { csvBounds, csvRecords } from '../src/declared/csv.ts'
import { peopleIn } from '../src/declared/people-csv.ts'
import { csvRecord } from '../src/output/csv.ts'
import { les } from './shell.ts'

const cellsOf = (text: string): string[][] => [...csvRecords(text)].map(({ cells }) => [...cells])

describe('a record', () => {
  it.each([
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a,b\nc\rd', [['a', 'b'], ['c'], ['d']]],
    ['"a,b",c', [['a,b', 'c']]],
    ['"say ""hi""",x', [['say "hi"', 'x']]],
    ['"",""', [['', '']]],
    ['"""",x', [['"', 'x']]],
    ['"one\r\ntwo\nthree",x\r\ny', [['one\r\ntwo\nthree', 'x'], ['y']]],
    ['\uFEFFa,b', [['a', 'b']]],
    ['\uFEFF"a"', [['a']]],
    ['a,', [['a', '']]],
    [',\r\n', [['', '']]],
    ['\r\n\r\n  \n a \r\n', [[' a ']]],
    ['', []],
  ])('%j is read', (text, records) => expect(cellsOf(text)).toEqual(records))

  it.each([
    ['a\r\n"b', 'line 2 of the CSV: a value begins with a quote that is never closed'],
    ['"', 'line 1 of the CSV: a value begins with a quote that is never closed'],
    ['"a""', 'line 1 of the CSV: a value begins with a quote that is never closed'],
    ['x\n"a\n\nb" c', 'line 4 of the CSV: something follows the quote that closes a value'],
    ['"a\r\n\r\nb"\r\nok\r\nc, "d"', 'line 5 of the CSV: a quote stands in a value without quotes'],
    ['6" pipe', 'line 1 of the CSV: a quote stands in a value without quotes'],
    [`a\n${','.repeat(csvBounds.cells)}`, 'line 2 of the CSV: it has more than 1000 values'],
    ['a\n'.repeat(csvBounds.records + 1), 'line 100001 of the CSV: the file has more than 100000 records'],
  ])('of text %# is refused with its line', (text, message) => expect(() => cellsOf(text)).toThrow(message))

  it('says at which line it begins, also behind values of several lines and blank lines', () => {
    const lines = [...csvRecords('a\r\n"b\nc\r\rd"\r\n\n\ne\r"f\r\n"\ng')].map(({ line }) => line)
    expect(lines).toEqual([1, 2, 8, 9, 11])
  })

  it('written by our own export holds what was exported, whatever that was', () => {
    const unit = fc.constantFrom('a', 'é', ' ', ',', '"', '\r', '\n', ';', '\t', '=', '-', '＠', '\u3000')
    const value = fc.string({ unit, maxLength: 12 })
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constant('row'), value, value), { maxLength: 5 }), (rows) => {
        expect(cellsOf(rows.map(csvRecord).join(''))).toEqual(rows)
      }),
    )
  })
})

it('an apostrophe that our exports put before a formula is taken away, and no other [FIX-09]', () => {
  for (const text of ['=1', '\t=1', 'a;=1', '@jane', "O'Neil", "'quoted'", '', '\r\n＋1', ' -x', '﹦1', '\u200b=1'])
    expect([text, withoutGuards(withoutFormulas(text))]).toEqual([text, text])
})

describe('people in a CSV', () => {
  it.each([
    ['Name,LinkedIn URL\n"Doe, Jane",https://www.linkedin.com/in/jane-doe/?x=1\nJoe,\n', ['jane-doe'], 1],
    ['jane-doe\njoe\njane-doe\n', ['jane-doe', 'joe'], 0],
    ['handle\r\nann\r\n', ['ann'], 0],
    ['"About\nher","handle"\r\n"says ""hi, you""\r\nand more",ann\r\n"no",\r\n', ['ann'], 1],
    ['name,profile url\r\nshort\r\nAnn,linkedin.com/in/%E0%A4%A\r\nBo,linkedin.com/in/j%C3%BCrgen', ['jürgen'], 2],
  ])('%j', (text, names, skipped) => {
    const found = peopleIn(text)
    expect([found.people.map(({ name }) => name), found.skipped]).toEqual([names, skipped])
  })
  const connections = `Notes:
"When exporting your connection data, you may notice, that some URL is missing."
Profile, URL and more
First Name,Last Name,URL,Email Address,Company,Position,Connected On
Robin,Doe,https://www.linkedin.com/in/robin-doe-1,,Acme,CEO,01 Jan 2024
Kim,Roe,,,Acme,,01 Jan 2024
`
  it.each([
    ['notes above the header', connections, ['robin-doe-1'], 1],
    ['an unknown header above addresses', 'Who,Where\nAnn,https://www.linkedin.com/in/ann-1\n', ['ann-1'], 1],
    ['a login of another system', 'Username,LinkedIn URL\nrobin,linkedin.com/in/robin-1\n', ['robin-1'], 0],
    ['a column of any addresses', 'name,url\nAnn,acme.com\nBo,linkedin.com/in/bo-1\nCy,cy-2\n', ['bo-1'], 2],
    ['words for nothing', 'handle\nnone\nN.A.\nnull\nann\n', ['ann'], 3],
    ['a page of a company', 'LinkedIn\nhttps://www.linkedin.com/company/acme\nlinkedin.com/in/ann\n', ['ann'], 1],
  ])('%s: people are told by their header or their addresses [WLD-02]', (_what, text, names, skipped) => {
    const found = peopleIn(text)
    expect([found.people.map(({ name }) => name), found.skipped]).toEqual([names, skipped])
  })

  it.each([
    ['First Name\nRobin\nAnna\n'],
    ['Robin\nAnna\n'],
    ['name\nrobin\nanna\n'],
    ['First Name,Last Name\nRobin,Doe\n'],
    ['robin,doe\n'],
    ['jane-doe\nAcme Inc.\n'],
    ['a,https://www.linkedin.com/in/a-1,https://www.linkedin.com/in/b-1\n'],
  ])('%j is refused, and nobody is guessed [WLD-02]', (text) => {
    expect(() => peopleIn(text)).toThrow(/needs a column called one of/)
  })

  it.each([
    ['profileUrl;firstName\nhttps://www.linkedin.com/in/robin-doe-1;Robin\n'],
    ['profileUrl\tfirstName\nhttps://www.linkedin.com/in/robin-doe-1\tRobin, Dr.\n'],
    ['sep=;\r\nfirst;linkedin url\r\n"Doe; R";https://www.linkedin.com/in/robin-doe-1\r\n'],
    ['\uFEFF"sep=;"\nNotes, as ever\nfirst;url\nRobin;https://www.linkedin.com/in/robin-doe-1\n'],
    ['sep=\t\na\turl\nRobin\thttps://www.linkedin.com/in/robin-doe-1\n'],
    ['Robin;https://www.linkedin.com/in/robin-doe-1\n'],
  ])('%j is read: commas, semicolons and tabs are told apart [WLD-11, G169]', (text) => {
    expect(peopleIn(text)).toMatchObject({ people: [{ name: 'robin-doe-1' }] })
  })

  it('an unknown separator is refused by name, and so is a file that names nobody [WLD-11, G169]', () => {
    expect(() => peopleIn('sep=|\nurl|x\n')).toThrow('«|» separates values: save the file with commas')
    expect(() => peopleIn('username;x\n')).toThrow('names nobody: the column «username»')
    expect(() => peopleIn('url\n=HYPERLINK(x)\n')).toThrow('(1 records)')
    expect(() => peopleIn('')).toThrow('the file is empty')
    expect(() => peopleIn('sep=;\nurl;x\n"a\n')).toThrow('line 3 of the CSV: a value begins with a quote')
  })

  const memberId = `ACoAA${'Bc3_'.repeat(9)}`
  it('whoever the interface takes as a person is read, in every form [WLD-13]', () => {
    const cells = [
      'https://www.linkedin.com/in/john.doe',
      'https://www.linkedin.com/in/o%E2%80%99neill-3',
      'https://www.linkedin.com/in/%E0%A4%B0%E0%A4%BE%E0%A4%B9%E0%A5%81%E0%A4%B2-12',
      '@kim-roe-5',
      'https://www.linkedin.com/mwlite/in/kim-doe-4',
      memberId,
    ]
    const names = ['john.doe', 'o’neill-3', 'राहुल-12', 'kim-roe-5', 'kim-doe-4', memberId]
    for (const text of [cells.join('\n'), `Name,LinkedIn URL\n${cells.map((cell) => `x,${cell}`).join('\n')}`])
      expect(peopleIn(text)).toMatchObject({ people: names.map((name) => ({ name })), skipped: 0 })
  })

  it.each([
    'profileUrl|firstName\nhttps://www.linkedin.com/in/robin-doe-1|Robin\n',
    '"profileUrl;firstName"\n"https://www.linkedin.com/in/robin-doe-1;Robin"\n',
    'person\n"doe,robin"\n',
  ])('%j has several values where a handle belongs, and is refused by name [WLD-11]', (csv) => {
    expect(() => peopleIn(csv)).toThrow(/is no one handle: separate values by commas, semicolons or tabs/)
  })

  it.each([
    'robin@example.com\nkim@example.com\n',
    'Person,Company\nRobin,Acme\nKim,Acme\n',
    'Name,Profile\nRobin,Manager\n',
    'Name,LinkedIn\nRobin,yes\nKim,-\n',
  ])('%j holds words that are no handles, and nobody is tracked by a guess [WLD-02]', (csv) => {
    expect(() => peopleIn(csv)).toThrow(/names nobody|needs a column/)
  })

  it('a count below the profiles, or a dash for none, is nobody [WLD-02]', () => {
    const id = 'ACoAABcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgHi'
    const csv = `Name,LinkedIn\nRobin,https://www.linkedin.com/in/robin-doe-1\nKim,-\nLee,${id}\nTotal,3\n`
    const { people, skipped } = peopleIn(csv)
    expect([people.map(({ name }) => name), skipped]).toEqual([['robin-doe-1', id], 2])
  })
})

describe('les config import', () => {
  let folder: string
  const file = (name: string) => join(folder, name)
  const imported = (csv: string) => les(['config', 'import', csv, '--file', file('les.yaml')])
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'les-csv-'))))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('takes what the command line exports, with names of several lines and formulas in it', async () => {
    const rows = [
      ['name', 'headline', 'linkedinUrl'],
      ['Doe, "Jane"', '=cmd|calc\nand, more', 'https://www.linkedin.com/in/jane-doe'],
      ['@joe', "it's", 'https://www.linkedin.com/in/joe'],
    ]
    writeFileSync(file('people.csv'), `\uFEFF${rows.map(csvRecord).join('')}`)
    expect(await imported(file('people.csv'))).toMatchObject({ code: 0 })
    expect(readFileSync(file('les.yaml'), 'utf8')).toMatch(/- person: jane-doe\n {2}- person: joe\n$/)
  })

  it.each([
    ['utf-16le with a mark', Buffer.from('\uFEFFName;URL\r\nZoë;linkedin.com/in/zoë-1\r\n', 'utf16le')],
    ['utf-16le without', Buffer.from('Name;URL\r\nZoë;linkedin.com/in/zoë-1\r\n', 'utf16le')],
    ['utf-16be', Buffer.from('\uFEFFName\tURL\r\nZoë\tlinkedin.com/in/zoë-1\r\n', 'utf16le').swap16()],
    ['windows-1252', Buffer.from('Name;URL\r\nZoë;linkedin.com/in/zoë-1\r\n', 'latin1')],
  ])('reads a file in %s [WLD-11, G169]', async (_encoding, bytes) => {
    writeFileSync(file('encoded.csv'), bytes)
    const target = file('encoded.yaml')
    expect(await les(['config', 'import', file('encoded.csv'), '--file', target])).toMatchObject({ code: 0 })
    expect(readFileSync(target, 'utf8')).toContain('- person: zoë-1\n')
    rmSync(target)
  })

  it.each([
    ['open.csv', Buffer.from('handle\r\nann\r\n"bo\r\n'), 'line 3 of the CSV: a value begins with a quote'],
    ['binary.csv', Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, 0]), 'is no text: save it as «CSV UTF-8»'],
    ['nobody.csv', Buffer.from('profileUrl;name\r\n;Ann\r\n'), 'names nobody'],
    ['large.csv', Buffer.alloc(csvBounds.bytes + 1, 'ann\n'), 'is larger than 16 MB'],
    ['missing.csv', null, 'missing.csv cannot be read'],
  ])('refuses %s with what is wrong, and writes nothing', async (name, bytes, message) => {
    if (bytes !== null) writeFileSync(file(name), bytes)
    const before = readFileSync(file('les.yaml'), 'utf8')
    const { code, stderr } = await imported(file(name))
    expect([code, stderr]).toEqual([2, expect.stringContaining(message) as string])
    expect(readFileSync(file('les.yaml'), 'utf8')).toBe(before)
  })

  it.runIf(process.platform !== 'win32')('reads no further than the bound of a file without an end', async () => {
    expect(await imported('/dev/zero')).toMatchObject({ code: 2, stderr: expect.stringContaining('16 MB') as string })
  })
})
