/** Posts: keys, addresses, whose they are, and what they show. */
import { describe, expect, it } from 'vitest'
import {
  activityNumber,
  announcesRepost,
  contentTypeOf,
  contentTypeOfLink,
  postAddress,
  postUrlOf,
  readPostKeys,
  readPostUrl,
  readReaction,
} from './posts.ts'

describe('the keys of a post', () => {
  const none = { id: null, url: null, others: [] }
  it.each([
    [{ id: 'urn:li:activity:7', url: 'https://x/activity-8' }, '7', []],
    [{ url: 'https://x/activity-8', others: ['urn:li:activity:9'] }, '8', []],
    [{ id: 'URN:LI:ACTIVITY:7' }, '7', []],
    [{ id: '7', number: '8' }, '7', []],
    [{ id: '77' }, '77', []],
    [{ id: '1'.repeat(24), others: [`urn:li:share:${'2'.repeat(25)}`] }, '1'.repeat(24), []],
    [{ id: 'x7', number: '8' }, '8', []],
    [{ id: '7x', number: '8' }, '8', []],
    [{ number: '8', url: 'https://x/ugcPost-9' }, '8', ['urn:li:ugcPost:9']],
    [
      { number: '8', others: ['urn:li:share:9', null, 'urn:li:UGCPOST:5', 'urn:li:share:9'] },
      '8',
      ['urn:li:share:9', 'urn:li:ugcPost:5'],
    ],
    [{ id: '9', number: '8', url: 'https://x/share-9' }, '8', ['urn:li:share:9']],
    [{ id: 'urn:li:activity:7', others: ['urn:li:groupPost:5-6'] }, '7', []],
  ])('told as %j are the activity %s and %j', (names, number, aliases) =>
    expect(readPostKeys({ ...none, ...names })).toEqual({ urn: `urn:li:activity:${number}`, aliases }),
  )
  it.each([
    [{ number: '9', others: ['urn:li:groupPost:5-6'] }],
    [{ number: null }],
    [{ id: 'activity' }],
    [{ id: 'activity:x' }],
    // No number of the network: a row with it fits no index, and would take its whole page along.
    [{ id: '1'.repeat(25), number: '2'.repeat(25) }],
    [{ id: `urn:li:activity:${'1'.repeat(25)}`, url: `https://x/activity-${'1'.repeat(9_000)}` }],
  ])('told as %j are none', (names) => expect(readPostKeys({ ...none, ...names })).toBeNull())
})

describe('the address of a post', () => {
  const urn = 'urn:li:activity:7'
  it.each([
    ['https://linkedin.com/posts/a-activity-7?x=1#y', 'https://linkedin.com/posts/a-activity-7'],
    ['https://de.linkedin.com/posts/a', 'https://de.linkedin.com/posts/a'],
    ['https://notlinkedin.com/posts/a', postUrlOf(urn)],
    ['https://linkedin.com.example/posts/a', postUrlOf(urn)],
    ['http://linkedin.com/posts/a', postUrlOf(urn)],
    ['nothing', postUrlOf(urn)],
  ])('served as %s is %s', (url, read) => expect(readPostUrl(url, urn)).toBe(read))

  it.each([
    [urn, 'https://www.linkedin.com/posts/a-activity-7-x', 'https://www.linkedin.com/posts/a-activity-7-x'],
    [urn, 'https://www.linkedin.com/posts/a-activity-7-x?y=1', postUrlOf(urn)],
    [urn, 'https://example.com/posts/7', postUrlOf(urn)],
    [urn, 'https://www.linkedin.com/posts/a-activity-8-x', postUrlOf(urn)],
    ['urn:li:share:7', 'https://www.linkedin.com/posts/a-share-7-x', postUrlOf('urn:li:share:7')],
  ])('of %s at %s is %s', (of, url, address) => expect(postAddress({ urn: of, url })).toBe(address))

  it('is made of the whole URN', () =>
    expect(postUrlOf(urn)).toBe('https://www.linkedin.com/feed/update/urn:li:activity:7'))

  it('holds the number of an activity and of nothing else', () =>
    expect(
      ['urn:li:activity:77', '77', 'urn:li:share:77', 'urn:li:activity:', 'x77', '77x', 'urn:li:activity:7x'].map(
        activityNumber,
      ),
    ).toEqual(['77', '77', null, null, null, null, null]))
})

describe('a post in a feed', () => {
  it.each([
    ['Ada reposted this', true],
    ['Repost', true],
    ['Ada prereposted', false],
    ['Ada likes this', false],
    [null, false],
  ])('under %j is announced as a repost: %s', (header, repost) => expect(announcesRepost(header)).toBe(repost))
})

describe('what a post shows', () => {
  it.each([
    ['video', 'VIDEO'],
    ['Images', 'IMAGE'],
    ['live_video', 'LIVE_VIDEO'],
    ['Collaborative-Article', 'COLLABORATIVE_ARTICLE'],
    ['poll', null],
    ['', null],
    [null, null],
  ])('by the word %j is %s', (word, type) => expect(contentTypeOf(word)).toBe(type))

  it.each([
    ['https://www.LinkedIn.com/jobs/view/1', 'JOB'],
    ['https://www.linkedin.com/JOBS/VIEW/1', 'JOB'],
    ['https://www.linkedin.com/Advice/0/x', 'COLLABORATIVE_ARTICLE'],
    ['https://www.linkedin.com/video/live/x', 'LIVE_VIDEO'],
    ['https://www.linkedin.com/events/x/', 'LIVE_VIDEO'],
    ['https://www.linkedin.com/video/x', null],
    ['https://www.linkedin.com/jobs/', null],
    ['https://blog.example/events/x/', null],
    [null, null],
  ])('by the link %j is %s', (link, type) => expect(contentTypeOfLink(link)).toBe(type))

  it.each([
    ['love', 'Empathy'],
    ['Support', 'Appreciation'],
    ['INSIGHTFUL', 'Interest'],
    ['', 'Like'],
    [null, 'Like'],
  ])('as the reaction %j is %s', (word, reaction) => expect(readReaction(word)).toBe(reaction))
})
