/** Numbers, flags, and addresses as fields take them: the value on each bound and on either side of it. */
import { describe, expect, it } from 'vitest'
import {
  flag,
  postAddress,
  postUrnInPath,
  queryBoolean,
  queryInteger,
  queryNumberOr,
  webhookUrl,
  wholeNumber,
  wholeNumberOrNull,
} from '../src/values/index.ts'
import { refusals, taken } from './refusals.ts'

const itself = (value: unknown) => value
const text = (length: number) => 'x'.repeat(length)
const range = { min: 2, max: 5 }

describe('a whole number', () => {
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, '3', '', true, [3], undefined, {}]
  it('in a body lies between its bounds', () => {
    expect(taken(wholeNumber(range), itself, [1, 2, 2.5, 3, 5, 6, null, ...odd])).toEqual([2, 3, 5])
    for (const value of [1, 6, 2.5, '3', null, undefined])
      expect(refusals(wholeNumber(range, ' days'), value)).toEqual([': must be a whole number from 2 to 5 days'])
    expect(refusals(wholeNumber(range), 1)).toEqual([': must be a whole number from 2 to 5'])
  })
  it('or null lies between its bounds, or is null', () => {
    const schema = wholeNumberOrNull(range, 'no limit')
    expect(taken(schema, itself, [1, 2, 2.5, 3, 5, 6, null, ...odd])).toEqual([2, 3, 5, null])
    for (const value of [1, 6, 2.5, '3', undefined])
      expect(refusals(schema, value)).toEqual([': must be a whole number from 2 to 5, or null (no limit)'])
  })
  it('in a query is digits and lies between its bounds', () => {
    const texts = ['1', '2', '5', '6', '-2', '02', '2.0', '+2', ' 2', '2 ', '', 'x', '2x', 'x2', 2, null]
    expect(taken(queryInteger(range), itself, texts)).toEqual(['2', '5', '02'])
    expect(queryInteger(range).parse('3')).toBe(3)
    expect(queryInteger({ min: -3, max: -2 }).parse('-2')).toBe(-2)
    const digits = { min: 0, max: 10 ** 15 }
    expect(taken(queryInteger(digits), itself, ['0'.repeat(15), '0'.repeat(16)])).toEqual(['0'.repeat(15)])
    for (const value of ['1', '6', 'x', 3])
      expect(refusals(queryInteger(range), value)).toEqual([': must be a whole number from 2 to 5'])
    const usual = queryNumberOr({ ...range, default: 4 })
    expect([usual.parse(undefined), usual.parse('5')]).toEqual([4, 5])
    expect(refusals(usual, '6')).toEqual([': must be a whole number from 2 to 5'])
  })
})

describe('a yes or no', () => {
  it('in a query is true or false as text', () => {
    expect([queryBoolean.parse('true'), queryBoolean.parse('false')]).toEqual([true, false])
    for (const value of ['TRUE', '', '1', true, null])
      expect(refusals(queryBoolean, value)).toEqual([': must be true or false'])
  })
  it('in a body is true or false', () => {
    expect(taken(flag, itself, [true, false, 'true', 'false', 0, 1, null, ''])).toEqual([true, false])
    expect(refusals(flag, 1)).toEqual([': must be true or false'])
  })
})

describe('an address', () => {
  it('of a webhook has at most 2,000 characters, or is null', () => {
    expect(taken(webhookUrl, itself, ['', text(2_000), text(2_001), null, 7, undefined])).toEqual([
      '',
      text(2_000),
      null,
    ])
    for (const value of [text(2_001), 7])
      expect(refusals(webhookUrl, value)).toEqual([
        ': must be a public https URL of at most 2000 characters, or "" or null to clear it',
      ])
  })
  const forms =
    'send the address of its feed update (https://www.linkedin.com/feed/update/urn:li:activity:…), ' +
    'its share-menu link (https://www.linkedin.com/posts/…-activity-…), or its bare urn:li:activity:… or urn:li:ugcPost:…'
  const address = (length: number) => `https://www.linkedin.com/feed/update/urn:li:activity:1?x=`.padEnd(length, 'x')
  it.each<readonly [sent: unknown, refused: string | null]>([
    ['urn:li:activity:1', null],
    [address(2_000), null],
    [address(2_001), 'must be at most 2000 characters'],
    ['', `must not be empty: ${forms}`],
    [' \n', `must not be empty: ${forms}`],
    [7, `must be text: ${forms}`],
    ['urn:li:share:1', `must not name a share: ${forms}`],
    [
      'https://lnkd.in/p/x',
      'must not be a shortened link, which does not say what it leads to: ' +
        'open it and send the address it leads to (https://www.linkedin.com/posts/…)',
    ],
    ['https://www.linkedin.com/pulse/x', 'must not be an article or a newsletter: send the post that shares it'],
    ['https://www.linkedin.com/groups/1', 'must not be a post in a group, whose engagement only its members can see'],
    ['nothing', `must name a post: ${forms}`],
  ])('of a post, row %#, is refused in words', (sent, refused) =>
    expect(refusals(postAddress, sent)).toEqual(refused === null ? [] : [`: ${refused}`]),
  )
  it('of a post is kept as it was sent, with the URN it names', () => {
    const submitted = ' urn:li:ugcPost:5 '
    expect(postAddress.parse(submitted)).toEqual({ submitted, urn: 'urn:li:ugcPost:5' })
    expect(postUrnInPath.parse('urn:li:activity:5')).toBe('urn:li:activity:5')
    expect(refusals(postUrnInPath, 'urn:li:share:5')).toEqual([
      ': must be the URN of a post: urn:li:activity:… or urn:li:ugcPost:…',
    ])
  })
})
