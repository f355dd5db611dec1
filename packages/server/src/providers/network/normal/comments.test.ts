/** Numbers and addresses of comments: every spelling of an id, and what only looks like one. */
import { describe, expect, it } from 'vitest'
import type { Comment } from '../../ports.ts'
import { commentKeysInUrl, commentNumber, commentUrl, parentsFirst } from './posts.ts'

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
    // No number of the network: it fits no index.
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
    // A reply that names itself as its comment is no reply to itself.
    ['commentUrn=744&replyUrn=744', { id: '744', parentId: null }],
    ['commentUrn=none&replyUrn=none', null],
  ])('with %s are %j', (query, keys) => expect(commentKeysInUrl(`${base}?${query}`)).toEqual(keys))
})

it('an address that is none has no keys', () =>
  expect(['no url', '', null, undefined].map(commentKeysInUrl)).toEqual([null, null, null, null]))

it('the address of a comment names post and comment, and is read back', () => {
  const url = commentUrl('urn:li:activity:7', '733')
  expect(url).toBe(
    'https://www.linkedin.com/feed/update/urn:li:activity:7?commentUrn=urn%3Ali%3Acomment%3A(activity%3A7%2C733)',
  )
  expect(commentKeysInUrl(url)).toEqual({ id: '733', parentId: null })
  expect(commentUrl('urn:li:ugcPost:8', '1')).toContain('comment%3A(ugcPost%3A8%2C1)')
})

it('replies come behind all comments that are none, both in their order', () => {
  const comment = (id: string, parentId: string | null) => ({ id, parentId }) as Comment
  const given = [comment('1', '3'), comment('2', null), comment('3', null), comment('4', '2')]
  expect(parentsFirst(given).map(({ id }) => id)).toEqual(['2', '3', '1', '4'])
})
