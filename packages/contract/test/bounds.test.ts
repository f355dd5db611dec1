/** Every bounded value of the interface against the numbers of the specification, written out here a second time on purpose. */
import { describe, expect, it } from 'vitest'
import { operationsById } from '../src/index.ts'

type Parser = (value: unknown) => boolean

const tracked = { username: 'jane', saveTrackedProfile: true }
const enrich =
  (field: string, more: object = {}): Parser =>
  (value) =>
    operationsById.enrichProfile.body.safeParse({ ...tracked, ...more, [field]: value }).success
const leads =
  (field: string): Parser =>
  (value) =>
    operationsById.listLeads.query.safeParse({ [field]: value }).success

describe('whole numbers in bodies', () => {
  it.each([
    ['creditCapPerSync', enrich('creditCapPerSync'), 1, 2_147_483_647, true],
    ['postsPerSync', enrich('postsPerSync', { mode: 'posts_only' }), 1, 60, false],
    ['firstSyncPosts', enrich('firstSyncPosts'), 1, 50, true],
    ['firstSyncDays', enrich('firstSyncDays'), 1, 90, true],
  ] as const)('%s', (_, accepts, min, max, nullable) => {
    expect([min - 1, min, max, max + 1].map(accepts)).toEqual([false, true, true, false])
    expect([min + 0.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53].map(accepts)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
    expect([String(min), '', true, [min], { min }].map(accepts)).toEqual([false, false, false, false, false])
    expect(accepts(null)).toBe(nullable)
  })

  it.each([91, 0, 1.5, '5', Number.NaN])('the refusal of %j says the field and its bounds', (firstSyncDays) => {
    const { error } = operationsById.enrichProfile.body.safeParse({ ...tracked, firstSyncDays })
    expect(error?.issues).toMatchObject([
      { path: ['firstSyncDays'], message: 'must be a whole number from 1 to 90, or null (no time limit)' },
    ])
  })
  it.each([61, 0, 1.5, '5', null])('the refusal of %j does so where null is none', (postsPerSync) => {
    const { error } = operationsById.enrichProfile.body.safeParse({ ...tracked, mode: 'posts_only', postsPerSync })
    expect(error?.issues[0]).toMatchObject({ path: ['postsPerSync'], message: 'must be a whole number from 1 to 60' })
  })
})

describe('whole numbers in queries', () => {
  it.each([
    ['limit', 1, 100],
    ['offset', 0, 2_147_483_647],
  ])('%s is from %i to %i', (field, min, max) => {
    const accepts = leads(field)
    expect([min - 1, min, max, max + 1].map((value) => accepts(String(value)))).toEqual([false, true, true, false])
    expect([`${min}.5`, '', ' 1', '+1', '1e1', '0x1', 'ten', '١', null, 1, ['1', '2']].filter(accepts)).toEqual([])
  })

  it('left out they are 50 and 0', () =>
    expect(operationsById.listLeads.query.parse({})).toEqual({ limit: 50, offset: 0 }))
})

describe('texts', () => {
  it.each(['name', 'jobTitle', 'company', 'companyDomain', 'country', 'companyIndustry'])(
    'filter %s takes 1 to 200 characters',
    (field) => {
      expect(['', 'x', 'x'.repeat(200), 'x'.repeat(201), null].map(leads(field))).toEqual([
        false,
        true,
        true,
        false,
        false,
      ])
    },
  )

  it('a key name takes 1 to 60 characters and is trimmed', () => {
    const accepts: Parser = (name) => operationsById.createKey.body.safeParse({ name }).success
    expect(
      ['', '   ', 'x', 'x'.repeat(60), 'x'.repeat(61), '🙂'.repeat(60), '🙂'.repeat(61), null, 7].map(accepts),
    ).toEqual([false, false, true, true, false, true, false, false, false])
    expect(accepts(undefined)).toBe(false)
    expect(operationsById.createKey.body.parse({ name: '  CI ' })).toEqual({ name: 'CI' })
  })
})

describe('flags in bodies', () => {
  it.each(['saveTrackedProfile', 'confirmSpend', 'captureReplies', 'enrichLeads'])(
    '%s is true or false, nothing else',
    (field) => {
      expect(['true', 'false', 1, 0, null, ''].filter(enrich(field))).toEqual([])
    },
  )
})
