/** Member ids and percent-encoding: what is an id, what is a handle, and that a person has one spelling [G146]. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  unwrapId,
  companySlug,
  decodeFully,
  isMemberId,
  memberIdIn,
  normalizeHandle,
  personHandle,
  readMemberId,
} from '../src/values/index.ts'

const id = 'ACoAABwT3rXkQz_7mVn-2LsYpBd8HfJcUe0GiKo'
const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-']
const memberId = fc
  .tuple(
    fc.constantFrom('o', 'w', 'T', 'x'),
    fc.string({ unit: fc.constantFrom(...alphabet), minLength: 30, maxLength: 40 }),
  )
  .map(([letter, rest]) => `AC${letter}A${rest}`)
const encoded = (text: string, times: number): string =>
  times === 0 ? text : encoded(encodeURIComponent(text), times - 1)

describe('a member id', () => {
  it('keeps its case wherever a person is named: bare, in a URN, encoded any number of times', () => {
    fc.assert(
      fc.property(
        memberId,
        fc.constantFrom('', 'urn:li:person:', 'urn:li:fsd_profile:', 'urn:li:fs_miniProfile:', 'URN:LI:fsd_profile:'),
        fc.nat(3),
        (member, wrap, times) => {
          const written = encoded(`${wrap}${member}`, times)
          expect([
            personHandle.parse(written),
            normalizeHandle(` @${written}\n`),
            readMemberId(written),
            memberIdIn(null, written),
            unwrapId('fromPerson', written),
          ]).toEqual([member, member, member, member, member])
          expect(memberIdIn(encoded(`https://www.linkedin.com/in/${member}/`, times))).toBe(member)
          expect(companySlug.safeParse(written).success).toBe(false)
        },
      ),
    )
  })

  it.each([
    ['ACoAAB12', false],
    [`ACoA${'x'.repeat(29)}`, false],
    [`ACoA${'x'.repeat(30)}`, true],
    [id.toLowerCase(), false],
    [`x${id}`, false],
    [`${id}.`, false],
    [`AC1A${'x'.repeat(34)}`, false],
    [`urn:li:person:${id}`, false],
  ])('%s: %s', (text, expected) => expect(isMemberId(text)).toBe(expected))

  it("in lower case is a handle, since it is nobody's id", () =>
    expect(personHandle.parse(id.toLowerCase())).toBe(id.toLowerCase()))

  it.each([
    [`https://www.linkedin.com/in/jane?miniProfileUrn=urn%3Ali%3Afsd_profile%3A${id}`, id],
    [`https://www.linkedin.com/in/jane?miniProfileUrn=urn%253Ali%253Afs_miniProfile%253A${id}`, id],
    [`https://www.linkedin.com/in/jane?trk=x&miniProfileUrn=${id}`, id],
    [`https://www.linkedin.com/profile/view?id=${id}&trk=x`, id],
    [`urn:li:fsd_reaction:(urn:li:fsd_profile:${id},urn:li:activity:7,0)`, id],
    [`urn%3Ali%3Afsd_profile%3A${id}`, id],
    [`https://www.linkedin.com/posts/jane_x-activity-7395000000000000001-ab?rcm=${id}`, null],
    [`https://www.linkedin.com/in/jane?trk=${id}`, null],
    ['urn:li:member:12345', null],
    ['%', null],
  ])('in %s is %s', (text, expected) => expect(memberIdIn(text)).toBe(expected))
})

describe('percent-encoding', () => {
  it.each([
    ['jos%C3%A9-garc%C3%ADa', 'josé-garcía'],
    ['jos%c3%a9-garc%c3%ada', 'josé-garcía'],
    ['jos%25C3%25A9-garc%2525C3%2525ADa', 'josé-garcía'],
    ['JOS%C3%89-garci%CC%81a', 'josé-garcía'],
    ['%6A%61ne', 'jane'],
    ['%40jane', 'jane'],
  ])('%s is %s, in a body as in a path', (text, handle) => {
    expect([personHandle.parse(text), companySlug.parse(text), normalizeHandle(text)]).toEqual([handle, handle, handle])
  })

  it.each([
    '50%',
    'a%zz',
    '%',
    'jos%C3',
    'x%FFy',
    'jane%00',
    'jane%0A-doe',
    'a%2Fb',
    'a%3Fb',
    'jane%20doe',
    '%2525252525',
  ])('%s is refused: no character of a handle is left over or let in', (text) => {
    expect([personHandle.safeParse(text).success, companySlug.safeParse(text).success]).toEqual([false, false])
  })

  it('is undone to a fixed point, in reasonable time, and brings no control characters in', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('%', '2', '5', '0', 'C', '3', 'a', '9', 'é') }), (text) => {
        const plain = decodeFully(text)
        expect(decodeFully(plain)).toBe(plain)
        expect(/\p{Cc}/u.test(plain)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
    expect(decodeFully(`%${'25'.repeat(1_900)}`)).toBe('%')
    expect(decodeFully('%25'.repeat(100_000))).toHaveLength(300_000)
  })
})
