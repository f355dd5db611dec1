import { describe, expect, it } from 'vitest'
import { readLine, readLines } from './track-lines.ts'

const post = { kind: 'post', identifier: 'urn:li:activity:7395000000000000001', guessed: false }

describe('what a pasted line names', () => {
  it.each([
    ['https://www.linkedin.com/in/Jane-Doe/', { kind: 'person', identifier: 'jane-doe', guessed: false }],
    ['linkedin.com/in/jane-doe?trk=x', { kind: 'person', identifier: 'jane-doe', guessed: false }],
    ['https://de.linkedin.com/in/j%C3%BCrgen/recent-activity/', { kind: 'person', identifier: 'jürgen', guessed: false }],
    ['https://www.linkedin.com/company/acme/posts', { kind: 'company', identifier: 'acme', guessed: false }],
    ['https://www.linkedin.com/school/mit', { kind: 'company', identifier: 'mit', guessed: false }],
    ['urn:li:activity:7395000000000000001', post],
    ['https://www.linkedin.com/feed/update/urn:li:activity:7395000000000000001/', post],
    ['https://www.linkedin.com/posts/jane-doe_hiring-activity-7395000000000000001-AbCd', post],
    ['@jane-doe', { kind: 'person', identifier: 'jane-doe', guessed: true }],
    ['acme,', { kind: 'person', identifier: 'acme', guessed: true }],
  ])('%s is recognised', (text, expected) => {
    expect(readLine(text)).toMatchObject(expected)
  })

  it.each([
    ['urn:li:share:7395000000000000001', /share/],
    ['https://example.com/in/jane-doe', /another site/],
    ['https://linkedin.com.evil.example/in/jane-doe', /another site/],
    ['https://www.linkedin.com/sales/lead/ACwAA', /public profile/],
    ['https://www.linkedin.com/pulse/what-we-learnt', /Articles/],
    ['https://www.linkedin.com/in/', /not a person/],
    ['urn:li:fsd_profile:ACoAAA', /URNs of posts/],
    ['head of growth', /keyword search/],
    ['<script>', /no handle/],
  ])('%s is refused with a reason', (text, why) => {
    expect(readLine(text)).toMatchObject({ kind: 'unknown', why: expect.stringMatching(why) })
  })

  it('leaves out empty lines and what was named before', () => {
    expect(readLines('jane-doe\n\n  https://www.linkedin.com/in/jane-doe\r\nacme inc\nacme inc').map((line) => line.kind)).toEqual(['person', 'unknown'])
  })
})
