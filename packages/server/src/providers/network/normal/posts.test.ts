import { describe, expect, it } from 'vitest'
import {
  announcesRepost,
  contentTypeOf,
  contentTypeOfLink,
  postAddress,
  postUrlOf,
  readPostKeys,
  readPostUrl,
  readReaction,
  commentKeysInUrl,
  commentNumber,
  instant,
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
    [{ id: '1', url: 'https://www.linkedin.com/posts/ada_some-activity-739-AbCd' }, '739', []],
    [{ id: 'urn:li:groupPost:5-6', url: 'https://www.linkedin.com/feed/update/urn%3Ali%3Aactivity%3A739' }, '739', []],
    [
      { id: '77', url: 'https://www.linkedin.com/posts/ada_some-ugcPost-77-AbCd', others: ['urn:li:activity:7'] },
      '7',
      ['urn:li:ugcPost:77'],
    ],
  ])('told as %j are the activity %s and %j', (names, number, aliases) =>
    expect(readPostKeys({ ...none, ...names })).toEqual({ urn: `urn:li:activity:${number}`, aliases }),
  )
  it.each([
    [{ number: '9', others: ['urn:li:groupPost:5-6'] }],
    [{ id: '77', url: 'https://www.linkedin.com/posts/ada_some-ugcPost-77-AbCd' }],
    [{ id: '88', url: 'https://www.linkedin.com/posts/ada_some-share-88-AbCd', number: '88' }],
    [{ id: '6', url: 'https://www.linkedin.com/feed/update/urn:li:groupPost:5-6', number: '6' }],
    [{ id: 'urn:li:share:88' }],
    [{ number: null }],
    [{ id: 'activity' }],
    [{ id: 'activity:x' }],
    // Too long for a number of the network: the row would not fit an index, and its whole page would fail.
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

describe('the number of a comment', () => {
  it.each([
    ['733', '733'],
    [' 733 ', '733'],
    ['urn:li:comment:(activity:7,733)', '733'],
    ['urn:li:COMMENT:(activity:7, 733)', '733'],
    ['urn:li:fsd_Comment:(733,urn:li:activity:7)', '733'],
    ['urn%3Ali%3Acomment%3A%28activity%3A7%2C733%29', '733'],
    // The second number of this form is the post's.
    ['urn:li:fsd_comment:(733,urn:li:comment:(activity:7,9))', '733'],
    ['x733', null],
    ['733x', null],
    ['urn:li:comment:(activity:7,733', null],
    ['urn:li:comment:(activity:7,x733)', null],
    ['urn:li:comment:(activity:(7),733)', null],
    ['urn:li:fsd_comment:(x733,urn:li:activity:7)', null],
    ['fsd_comment:733,', null],
    ['', null],
    ['  ', null],
    ['1'.repeat(24), '1'.repeat(24)],
    // Too long for a number of the network and for an index.
    ['1'.repeat(25), null],
    [`urn:li:comment:(activity:7,${'1'.repeat(25)})`, null],
    [`urn:li:fsd_comment:(${'1'.repeat(25)},urn:li:activity:7)`, null],
    [undefined, null],
    [null, null],
  ])('in %j is %s', (text, number) => expect(commentNumber(text)).toBe(number))
})

describe('the keys in an address', () => {
  const base = 'https://www.linkedin.com/feed/update/urn:li:activity:7'
  it.each([
    ['commentUrn=733', { id: '733', parentId: null }],
    ['dashCommentUrn=733', { id: '733', parentId: null }],
    ['commentUrn=none&dashCommentUrn=733', { id: '733', parentId: null }],
    ['commentUrn=733&dashCommentUrn=9', { id: '733', parentId: null }],
    ['replyUrn=744', { id: '744', parentId: null }],
    ['commentUrn=733&dashReplyUrn=744', { id: '744', parentId: '733' }],
    ['commentUrn=733&replyUrn=none&dashReplyUrn=744', { id: '744', parentId: '733' }],
    // A reply that names itself as its comment is not a reply to itself.
    ['commentUrn=744&replyUrn=744', { id: '744', parentId: null }],
    ['commentUrn=none&replyUrn=none', null],
    [
      'dashCommentUrn=urn%3Ali%3Afsd_comment%3A%28733%2Curn%3Ali%3Aactivity%3A7%29&' +
        'dashReplyUrn=urn%3Ali%3Afsd_comment%3A%28744%2Curn%3Ali%3Aactivity%3A7%29',
      { id: '744', parentId: '733' },
    ],
  ])('with %s are %j', (query, keys) => expect(commentKeysInUrl(`${base}?${query}`)).toEqual(keys))
})

const earliest = Date.UTC(2003, 0, 1)
const latest = Date.UTC(2100, 0, 1)
const iso = (ms: number) => new Date(ms).toISOString()

describe('a time stamp', () => {
  it.each([
    [earliest - 1, null],
    [earliest, iso(earliest)],
    [latest - 1, iso(latest - 1)],
    [latest, null],
    [String(earliest), iso(earliest)],
    ['12345678901', null],
    ['1041379200000x', null],
    ['x1041379200000', null],
    ['104137920000000', null],
    [undefined, null],
  ])('%s is %s', (stamp, read) => expect(instant(stamp, null)).toBe(read))
})

describe('a date', () => {
  it.each([
    ['2026-11-19 10:00:00 +0000 UTC', '2026-11-19T10:00:00.000Z'],
    ['2026-11-19 12:00:00 +0200', '2026-11-19T10:00:00.000Z'],
    ['2026-99-99', null],
    ['2002-12-31T23:59:59.999Z', null],
    ['2003-01-01', '2003-01-01T00:00:00.000Z'],
    ['2099-12-31T23:59:59Z', '2099-12-31T23:59:59.000Z'],
    ['2100-01-01', null],
    ['2020-05-06T07:08:09', '2020-05-06T07:08:09.000Z'],
    ['2020-05-06 07:08:09.5', '2020-05-06T07:08:09.500Z'],
    ['2020-05-06T07:08:09.123456Z', '2020-05-06T07:08:09.123Z'],
    ['2020-05-06T07:08:09-0130', '2020-05-06T08:38:09.000Z'],
    ['2020-05-06T07:08:09+01:30', '2020-05-06T05:38:09.000Z'],
    ['2020-05-06 07:08:09   +0200', '2020-05-06T05:08:09.000Z'],
    ['on 2020-05-06', null],
    ['2020-13-01', null],
    ['7h', null],
    ['', null],
    [undefined, null],
  ])('%j is %s', (text, read) => expect(instant(null, text)).toBe(read))
})
