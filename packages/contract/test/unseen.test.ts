/** Invisible characters: one set of them, removed wherever they stand in a name, number or address. */
import { describe, expect, it } from 'vitest'
import {
  bareDomain,
  memberIdIn,
  normalizeCompany,
  normalizeHandle,
  readCompanyNumber,
  readExclusionValue,
  readMemberId,
  readPersonName,
} from '../src/values/index.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_each, at) => from + at)
/** Unicode's ignorable characters and annotation marks; of long ranges only the ends. */
const unseen = [
  ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xfeff, 0xffa0],
  ...range(0x180b, 0x180f),
  ...range(0x200b, 0x200f),
  ...range(0x202a, 0x202e),
  ...range(0x2060, 0x206f),
  ...range(0xfe00, 0xfe0f),
  ...range(0xfff9, 0xfffb),
  ...[0xe0001, 0xe0020, 0xe0041, 0xe007f, 0xe0100, 0xe01ef],
].map((point) => String.fromCodePoint(point))

const memberId = 'ACoAABwT3rXkQz_7mVn-2LsYpBd8HfJcUe0GiKo'

const withSign = (text: string, sign: string) => [
  `${sign}${text}`,
  `${text}${sign}`,
  `${text.slice(0, 3)}${sign}${text.slice(3)}`,
]

describe.each([
  ['a handle', 'jane-doe', normalizeHandle, 'jane-doe'],
  ['a person', 'jane-doe', readPersonName, 'jane-doe'],
  ['the address of a profile', 'https://www.linkedin.com/in/Jane-Doe/', readPersonName, 'jane-doe'],
  ['a member id', memberId, readMemberId, memberId],
  ['a member id in a list', `urn:li:fsd_profile:${memberId}`, (text: string) => memberIdIn(null, text), memberId],
  ['a slug', 'acme-corp', normalizeCompany, 'acme-corp'],
  ['the address of a page', 'linkedin.com/company/acme-corp', normalizeCompany, 'acme-corp'],
  ['the number of a page', '10350', readCompanyNumber, '10350'],
  ['a domain', 'acme.example', bareDomain, 'acme.example'],
  ['a mail address', 'jane@acme.example', keyOf('email'), 'jane@acme.example'],
  ['a title', 'Chief Intern', keyOf('title'), 'chief intern'],
  ['a country', 'Germany', keyOf('country'), 'germany'],
] as const)('%s', (_what, text, read, expected) => {
  it('is the same with any of them in it [EXC-01, PRV-04]', () => {
    for (const sign of unseen)
      for (const written of withSign(text, sign)) expect(read(written), JSON.stringify(written)).toBe(expected)
  })
})

function keyOf(kind: string) {
  return (text: string) => {
    const read = readExclusionValue(kind, text)
    return 'key' in read ? read.key : read.error
  }
}

it('a handle that a vendor or somebody encodes with them is the same as well [EXC-01, PRV-04]', () => {
  for (const sign of unseen) expect(normalizeHandle(`jane${encodeURIComponent(sign)}-doe`)).toBe('jane-doe')
})

it('a control is no part of a name that is taken [WLD-10]', () => {
  for (const sign of ['\u0000', '\u0007', '\u0085'])
    expect([readPersonName(`ja${sign}ne`), normalizeCompany(`ac${sign}me`)]).toEqual([null, `ac${sign}me`])
})
