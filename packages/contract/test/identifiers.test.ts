import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { companySlug, idInPath, personHandle, readPersonName } from '../src/values/index.ts'

const messageOf = (schema: typeof personHandle, text: unknown): string | undefined =>
  schema.safeParse(text).error?.issues[0]?.message

describe.each([
  ['personHandle', personHandle],
  ['companySlug', companySlug],
] as const)('%s', (_, schema) => {
  it.each([
    ['jane-doe', 'jane-doe'],
    ['  Jane-Doe\n', 'jane-doe'],
    ['@Jane', 'jane'],
    ['JOSÉ-Müller', 'josé-müller'],
    ['Jose\u0301', 'josé'],
    ['王小明', '王小明'],
    ['ivan-иванов-42', 'ivan-иванов-42'],
    ['0198c3f0-5a5e-7b60-8f3e-2f6d1c0b9a77', '0198c3f0-5a5e-7b60-8f3e-2f6d1c0b9a77'],
    ['x', 'x'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['🚀'.repeat(200), '🚀'.repeat(200)],
    ['kim-🚀-jones', 'kim-🚀-jones'],
    ['Kim-%F0%9F%9A%80-Jones', 'kim-🚀-jones'],
    ['&-Friends', '&-friends'],
    ['.net-makers', '.net-makers'],
    ['-jane', '-jane'],
    ['_jane_', '_jane_'],
    ['o’neill-3', 'o’neill-3'],
    ['राहुल-12', 'राहुल-12'],
    ['%E0%A4%B0%E0%A4%BE%E0%A4%B9%E0%A5%81%E0%A4%B2-12', 'राहुल-12'],
    ['a:b', 'a:b'],
    ['team(eu),ltd.', 'team(eu),ltd.'],
    ['www.acme.example', 'www.acme.example'],
    ['\u200b\u202ajane\u200f-doe\ufeff', 'jane-doe'],
  ])('%j is %j [WLD-10]', (text, handle) => expect(schema.parse(text)).toBe(handle))

  it.each(['', '   ', '@', ' @ ', '\u200b', '@\u200b', '\u200d\u200d'])('%j is refused as empty', (text) =>
    expect(messageOf(schema, text)).toMatch(/^must not be empty/),
  )
  it.each([
    'jane doe',
    'jane\u00a0doe',
    'jane\u0000',
    'jane\tdoe',
    'jane\u0085',
    'jane%00',
    'jane%',
    '50%-off',
    'jane?x=1',
    'jane#x',
    '@@jane',
    '.',
    '..',
    '%2e%2e',
    'x'.repeat(201),
    '🚀'.repeat(201),
    // A lone surrogate, and a combining mark without a letter.
    'jane\ud83d',
    '\u0301',
  ])('%j is refused with what is true of it [WLD-10]', (text) =>
    expect(messageOf(schema, text)).toMatch(/as the network shows it: without blanks, slashes, \?, #, % and control/),
  )
  it.each([undefined, null, 7, true, ['jane'], { username: 'jane' }])('%j is refused: no text', (value) =>
    expect(schema.safeParse(value).success).toBe(false),
  )
  it.each([
    'https://www.linkedin.com/in/jane-doe',
    'linkedin.com/in/jane-doe',
    'www.linkedin.com',
    'in/jane-doe',
    '//host/x',
    'mailto:jane@example.com',
    'urn:li:person:ACoAAB',
    'https%3A%2F%2Fwww.linkedin.com%2Fin%2Fjane',
  ])('%j is refused as a URL', (text) => expect(messageOf(schema, text)).toMatch(/URL/))
  it('what it accepts it accepts again unchanged', { timeout: 120_000 }, () => {
    const written = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      // Any characters: the unit `binary` takes seconds because it lists them all first.
      fc
        .array(fc.integer({ min: 0, max: 0x10_f7_ff }), { maxLength: 10 })
        .map((at) => String.fromCodePoint(...at.map((one) => (one < 0xd8_00 ? one : one + 0x8_00)))),
      fc.string({ maxLength: 10 }),
      fc.constantFrom('İstanbul', 'ΑΣ', 'ẞ', '\u01C5', '\u1E9E', 'H\u0331', 'aJ\u030C', '\u0130\u0316'),
    )
    fc.assert(
      fc.property(written, (text) => {
        const once = schema.safeParse(text)
        if (once.success) expect(schema.parse(once.data)).toBe(once.data)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('personHandle', () => {
  it('refuses the page of a company too', () =>
    expect(personHandle.safeParse('https://www.linkedin.com/company/acme').success).toBe(false))
})

describe('companySlug', () => {
  it.each([
    ['LINKEDIN.com/Company/ACME', 'acme'],
    ['  https://www.linkedin.com/company/acme/posts/?a=b  ', 'acme'],
    ['https://dk.linkedin.com/company/&-friends', '&-friends'],
    ['https://www.linkedin.com/company/.net-makers/', '.net-makers'],
    ['https://www.linkedin.com/company/%F0%9F%9A%80-labs', '🚀-labs'],
    ['1035', '1035'],
    ['urn:li:company:1035', '1035'],
    ['urn%3Ali%3Afsd_company%3A1035', '1035'],
    ['urn:li:organization:1035', '1035'],
  ])('%j is unwrapped to %j [WLD-10, G153]', (text, slug) => expect(companySlug.parse(text)).toBe(slug))

  it.each([
    'https://evil.example/company/acme',
    'https://linkedin.com.evil.example/company/acme',
    'https://evil.example/linkedin.com/company/acme',
    'https://linkedin.com@evil.example/company/acme',
    'ftp://linkedin.com/company/acme',
  ])('%j is refused', (text) => expect(companySlug.safeParse(text).success).toBe(false))
})

describe('whom a text names', () => {
  const id = 'ACoAABwT3rXkQz_7mVn-2LsYpBd8HfJcUe0GiKo'
  it.each([
    ['jane-doe', 'jane-doe'],
    ['@kim-roe-5', 'kim-roe-5'],
    ['https://www.linkedin.com/in/o%E2%80%99neill-3', 'o’neill-3'],
    ['https://www.linkedin.com/in/%E0%A4%B0%E0%A4%BE%E0%A4%B9%E0%A5%81%E0%A4%B2-12', 'राहुल-12'],
    ['https://dk.linkedin.com/in/kim-%F0%9F%9A%80-jones/?originalSubdomain=dk', 'kim-🚀-jones'],
    [id, id],
    [`urn:li:person:${id}`, id],
    [`https://www.linkedin.com/in/${id}`, id],
    ['https://www.linkedin.com/sales/lead/ACwAAABwT3rXkQz_7mVn,NAME_SEARCH,x7', null],
    ['https://www.linkedin.com/company/acme', null],
    ['https://www.linkedin.com/in/', null],
    ['https://example.com/in/jane', null],
    ['urn:li:company:1035', null],
    ['Jane Doe', null],
    ['', null],
  ])('in %j is %j [WLD-13]', (text, name) => {
    expect(readPersonName(text)).toBe(name)
    if (name !== null) expect(personHandle.parse(name)).toBe(name)
  })
})

describe('idInPath', () => {
  it.each([
    ['0198C3F0-5A5E-7B60-8F3E-2F6D1C0B9A77', '0198c3f0-5a5e-7b60-8f3e-2f6d1c0b9a77'],
    ['0198c3f0-5a5e-7b60-8f3e-2f6d1c0b9a7', null],
    ['0198c3f05a5e7b608f3e2f6d1c0b9a77', null],
    ['{0198c3f0-5a5e-7b60-8f3e-2f6d1c0b9a77}', null],
    [' 0198c3f0-5a5e-7b60-8f3e-2f6d1c0b9a77', null],
    ['jane', null],
    ['', null],
  ])('%j is %j: a malformed id is an unknown one', (text, id) => expect(idInPath.parse(text)).toBe(id))
})
