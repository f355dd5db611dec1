import { describe, expect, it } from 'vitest'
import {
  handleInUrl,
  isCompany,
  memberIdIn,
  profileUrl,
  type RawPerson,
  readAuthor,
  readHandle,
  readPageName,
  readPerson,
} from './people.ts'

const ada = 'ACoAAB12bcdefghijklmnopqrstuvwxyzBCDEFG'

describe('a handle', () => {
  it.each([
    ['Ada-Quill', 'ada-quill'],
    [' @ada ', 'ada'],
    ['zo%C3%AB', 'zoë'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), null],
    [ada, null],
    ['ada quill', null],
    ['ada/quill', null],
    ['ada?x', null],
    ['ada#x', null],
    ['@', null],
    [' ', null],
    [undefined, null],
  ])('%j is %s', (text, handle) => expect(readHandle(text)).toBe(handle))

  it('is found behind /in/ of an address, in any case, and nowhere else', () => {
    expect(
      [
        'https://www.linkedin.com/IN/Ada#x',
        'https://www.linkedin.com/in/ada/recent',
        'https://www.linkedin.com/in/',
        'https://uk.linkedin.com/in/zo%C3%AB-x',
        'https://www.linkedin.com/pub/ada',
        'https://www.linkedin.com/company/ada',
        'https://www.linkedin.com/in/%E0%A4%A',
        `https://www.linkedin.com/in/${ada}`,
        undefined,
      ].map(handleInUrl),
    ).toEqual(['ada', 'ada', null, 'zoë-x', null, null, null, null, null])
  })

  it('makes the address of a profile, encoded', () =>
    expect(profileUrl('zoë/x')).toBe('https://www.linkedin.com/in/zo%C3%AB%2Fx'))
})

describe('the name of a page', () => {
  it.each([
    ['Dr. Oetker', 'Dr. Oetker'],
    [' Acme ', 'Acme'],
    ['x'.repeat(301), 'x'.repeat(300)],
    ['42 North', '42 North'],
    ['Area 42', 'Area 42'],
    ['LinkedIn Member Days', 'LinkedIn Member Days'],
    ['A LinkedIn Member', 'A LinkedIn Member'],
    ['About urn:li:x', 'About urn:li:x'],
    ['42', null],
    ['URN:LI:company:42', null],
    ['Hidden-User', null],
    ['private user', null],
    ['unknownMember', null],
    [ada, null],
    [' ', null],
    [undefined, null],
  ])('%j is %j', (text, name) => expect(readPageName(text)).toBe(name))
})

it.each([
  [ada, ada],
  [`urn:li:fsd_profile:${ada}`, ada],
  [`https://www.linkedin.com/in/${ada}/`, ada],
  [`urn:li:fsd_reaction:(urn:li:fsd_profile:${ada},urn:li:activity:7,0)`, ada],
  ['urn:li:member:12345', null],
  [`x${ada}`, null],
  ['acoaab', null],
  [null, null],
])('the member id in %j is %s', (text, id) => expect(memberIdIn(null, text)).toBe(id))

describe('a person', () => {
  const raw: RawPerson = { ids: [], name: null, headline: null, url: null, avatar: null }
  it('is known by the best id, or by the address; nobody without one; the others are kept [EXC-05, PRV-06]', () => {
    const zoe = `ACwAAZ9${ada.slice(7)}`
    expect(readPerson({ ...raw, ids: [null, zoe, ada] })).toMatchObject({ urn: zoe, otherUrns: [ada] })
    expect(readPerson({ ...raw, ids: [ada, `urn:li:fsd_profile:${ada}`] })).not.toHaveProperty('otherUrns')
    expect(readPerson({ ...raw, url: `https://www.linkedin.com/in/${ada}` })).toMatchObject({
      urn: ada,
      handle: null,
      linkedinUrl: `https://www.linkedin.com/in/${ada}`,
    })
    expect(readPerson({ ...raw, url: 'https://www.linkedin.com/in/ada' })).toBeNull()
  })
  it('who wrote a post is known by all ids of the record too [EXC-07, PRV-06]', () => {
    const zoe = `ACwAAZ9${ada.slice(7)}`
    const author = { ...raw, type: null, url: `https://www.linkedin.com/in/${ada}` }
    expect(readAuthor({ ...author, ids: [zoe] })).toMatchObject({ urn: zoe, otherUrns: [ada] })
    expect(readAuthor({ ...author, ids: [ada] })).not.toHaveProperty('otherUrns')
    expect(readAuthor({ ...author, ids: [ada], handle: zoe })).toMatchObject({ urn: ada, otherUrns: [zoe] })
  })
  it('has the handle that is told before that of the address', () => {
    const of = (more: Pick<RawPerson, 'handle'>) =>
      readPerson({ ...raw, ids: [ada], url: 'https://www.linkedin.com/in/ada', ...more })!
    expect(
      [of({ handle: 'own' }), of({ handle: 'no handle' }), of({ handle: null }), of({})].map((each) => [
        each.handle,
        each.linkedinUrl,
      ]),
    ).toEqual([
      ['own', 'https://www.linkedin.com/in/own'],
      ['ada', 'https://www.linkedin.com/in/ada'],
      ['ada', 'https://www.linkedin.com/in/ada'],
      ['ada', 'https://www.linkedin.com/in/ada'],
    ])
  })
  it('has name, headline and picture cleaned', () => {
    expect(
      readPerson({
        ...raw,
        ids: [ada],
        name: 'Dr. Ada Quill',
        headline: ` ${'x'.repeat(501)}`,
        avatar: 'https://img.example/a',
      }),
    ).toEqual({
      urn: ada,
      name: 'Ada Quill',
      headline: 'x'.repeat(500),
      handle: null,
      linkedinUrl: `https://www.linkedin.com/in/${ada}`,
      avatarUrl: 'https://img.example/a',
    })
  })
})

describe('a page is told from a person', () => {
  it.each([
    [{ type: 'Organization' }, true],
    [{ type: 'school' }, true],
    [{ type: 'my company' }, false],
    [{ type: 'profile' }, false],
    [{ url: 'https://www.LinkedIn.com/showcase/x' }, true],
    [{ url: 'https://www.linkedin.com/school/x' }, true],
    [{ url: 'https://example.com/company/x' }, false],
    [{ url: 'https://www.linkedin.com/companyx/' }, false],
    [{ ids: ['urn:li:fs_miniCompany:5'] }, true],
    [{ ids: ['urn:li:fsd_reaction:(urn:li:fsd_company:5,urn:li:activity:7,0)'] }, true],
    [{ url: 'https://www.linkedin.com/in/company', ids: [ada] }, false],
    [{ ids: [null, 'URN:LI:organization:5'] }, true],
    [{ ids: ['urn%3Ali%3Aschool%3A5'] }, true],
    [{ ids: ['urn:li:fsx_company:5', undefined] }, false],
    [{ type: 'profile', ids: ['urn:li:company:5'] }, true],
    [{}, false],
  ])('%j: %s', (told, company) => expect(isCompany({ type: null, url: null, ids: [], ...told })).toBe(company))
})
