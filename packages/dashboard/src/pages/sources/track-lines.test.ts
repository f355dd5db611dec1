import { describe, expect, it } from 'vitest'
import { readLine, readLines } from './track.ts'

const post = { kind: 'post', identifier: 'urn:li:activity:7395000000000000001', guessed: false }

describe('what a pasted line names', () => {
  it.each([
    ['https://www.linkedin.com/in/Jane-Doe/', { kind: 'person', identifier: 'jane-doe', guessed: false }],
    ['linkedin.com/in/jane-doe?trk=x', { kind: 'person', identifier: 'jane-doe', guessed: false }],
    [
      'https://de.linkedin.com/in/j%C3%BCrgen/recent-activity/',
      { kind: 'person', identifier: 'jürgen', guessed: false },
    ],
    ['https://www.linkedin.com/company/acme/posts', { kind: 'company', identifier: 'acme', guessed: false }],
    ['https://www.linkedin.com/school/mit', { kind: 'company', identifier: 'mit', guessed: false }],
    ['urn:li:activity:7395000000000000001', post],
    ['https://www.linkedin.com/feed/update/urn:li:activity:7395000000000000001/', post],
    ['https://www.linkedin.com/posts/jane-doe_hiring-activity-7395000000000000001-AbCd', post],
    ['@jane-doe', { kind: 'person', identifier: 'jane-doe', guessed: true }],
    ['https://www.linkedin.com/posts/klarna_activity-7395000000000000001-Br-h', post],
    ['https://www.linkedin.com/feed/?highlightedUpdateUrn=urn%3Ali%3Aactivity%3A7395000000000000001', post],
    ['https://www.linkedin.com/mwlite/in/jane-doe', { kind: 'person', identifier: 'jane-doe', guessed: false }],
    [
      'https://www.linkedin.com/in/ACoAABwT3rXkQz_7mVn-2LsYpBd8HfJcUe0GiKo/',
      { kind: 'person', identifier: 'ACoAABwT3rXkQz_7mVn-2LsYpBd8HfJcUe0GiKo', guessed: false },
    ],
    [
      'urn:li:fsd_profile:ACoAABwT3rXkQz_7mVn-2LsYpBd8HfJcUe0GiKo',
      { kind: 'person', identifier: 'ACoAABwT3rXkQz_7mVn-2LsYpBd8HfJcUe0GiKo', guessed: false },
    ],
    ['jos%25C3%25A9', { kind: 'person', identifier: 'josé', guessed: true }],
    ['.net-makers', { kind: 'person', identifier: '.net-makers', guessed: true }],
    ['kim-%F0%9F%9A%80-jones', { kind: 'person', identifier: 'kim-🚀-jones', guessed: true }],
    ['https://www.linkedin.com/company/1035/', { kind: 'company', identifier: '1035', guessed: false }],
    ['urn:li:fsd_company:1035', { kind: 'company', identifier: '1035', guessed: false }],
    ['1035', { kind: 'company', identifier: '1035', guessed: true }],
    ['acme,', { kind: 'person', identifier: 'acme', guessed: true }],
  ])('%s is recognised [WLD-10, WLD-13, G153]', (text, expected) => {
    expect(readLine(text)).toMatchObject(expected)
  })

  it.each([
    ['urn:li:share:7395000000000000001', /share/],
    ['https://example.com/in/jane-doe', /another site/],
    ['https://linkedin.com.evil.example/in/jane-doe', /another site/],
    ['https://www.linkedin.com/sales/lead/ACwAA', /public profile/],
    ['https://www.linkedin.com/pulse/what-we-learnt', /Articles/],
    ['https://www.linkedin.com/in/', /not the address of a person/],
    ['https://lnkd.in/p/eCGuiuqE', /shortened/],
    ['urn:li:fsd_profile:ACoAAA', /URNs of posts/],
    ['head of growth', /keyword search/],
    ['50%-off', /not a handle/],
  ])('%s is refused with a reason', (text, why) => {
    expect(readLine(text)).toMatchObject({ kind: 'unknown', why: expect.stringMatching(why) })
  })

  it('leaves out empty lines and what was named before', () => {
    expect(
      readLines('jane-doe\n\n  https://www.linkedin.com/in/jane-doe\r\nacme inc\nacme inc').map((line) => line.kind),
    ).toEqual(['person', 'unknown'])
  })
})
