import { describe, expect, it } from 'vitest'
import { postUrnInPath, readPostReference, readPostUrn } from '../src/values/index.ts'

const n = '7395000000000000001'
const activity = { kind: 'post', urn: `urn:li:activity:${n}` }
const ugcPost = { kind: 'post', urn: `urn:li:ugcPost:${n}` }

describe('a text that names a post [POS-02, POS-03, POS-04, POS-05, POS-07]', () => {
  it.each([
    [`urn:li:activity:${n}`, activity],
    [`  URN:li:Activity:${n}\n`, activity],
    [`urn:li:UGCPOST:${n}`, ugcPost],
    [`urn%3Ali%3AugcPost%3A${n}`, ugcPost],
    [`https://www.linkedin.com/feed/update/urn:li:activity:${n}`, activity],
    [`http://linkedin.com/feed/update/urn:li:activity:${n}/?a=b#c`, activity],
    [`www.linkedin.com/feed/update/urn:li:ugcPost:${n}/`, ugcPost],
    [`https://m.linkedin.com/feed/update/urn%3ali%3aactivity%3a${n}`, activity],
    [`https%3A%2F%2Fwww.linkedin.com%2Ffeed%2Fupdate%2Furn%3Ali%3Aactivity%3A${n}%2F`, activity],
    [`https://www.linkedin.com/posts/jane-doe_hello-activity-${n}-aB_9`, activity],
    [`https://www.linkedin.com/posts/jane-doe_market-share-12-activity-5-ugcPost-${n}-aB-9/?utm_source=share`, ugcPost],
    [`https://www.linkedin.com/posts/acme-activity-${n}`, activity],
    [`https://www.linkedin.com/posts/j%C3%BCrgen_%E2%9C%A8-activity-${n}-x`, activity],
  ])('%s', (text, expected) => {
    expect(readPostReference(text)).toEqual(expected)
  })

  it.each([
    `urn:li:share:${n}`,
    `urn%3Ali%3Ashare%3A${n}`,
    `https://www.linkedin.com/feed/update/urn:li:share:${n}/`,
    `https://www.linkedin.com/posts/jane_activity-5-share-${n}-ab?x=urn:li:activity:${n}`,
  ])('%s is a share', (text) => {
    expect(readPostReference(text)).toEqual({ kind: 'share' })
  })

  it.each([
    '',
    'jane',
    n,
    'urn:li:activity:',
    'urn:li:activity:1x',
    `urn:li:activity:${'1'.repeat(26)}`,
    `urn:li:comment:(activity:${n},1)`,
    `xurn:li:activity:${n}`,
    `https://example.com/feed/update/urn:li:activity:${n}`,
    `https://evillinkedin.com/feed/update/urn:li:activity:${n}`,
    `https://www.linkedin.com@example.com/feed/update/urn:li:activity:${n}`,
    `https://www.linkedin.com/feed/update/urn:li:activity:${n}/more`,
    `https://www.linkedin.com/posts/a/b-activity-${n}-x`,
    `javascript:urn:li:activity:${n}`,
    'https://',
    '%',
    '%E0%A4%A',
    `https://www.linkedin.com/in/jane?u=urn:li:activity:${n}`,
  ])('%j names nothing', (text) => {
    expect(readPostReference(text)).toEqual({ kind: 'other' })
  })
})

describe('a URN in a path [POS-19, POS-21]', () => {
  it('is an activity or ugcPost URN, raw or encoded, and no address', () => {
    for (const text of [`urn:li:activity:${n}`, `urn%3Ali%3Aactivity%3A${n}`])
      expect(readPostUrn(text)).toEqual(activity)
    expect(postUrnInPath.parse(`urn:li:ugcPost:${n}`)).toBe(ugcPost.urn)
    for (const text of ['track', n, `urn:li:share:${n}`, `https://www.linkedin.com/feed/update/urn:li:activity:${n}`])
      expect(postUrnInPath.safeParse(text).success).toBe(false)
  })
})
