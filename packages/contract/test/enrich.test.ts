/** The combination rules of `POST /enrich/profile` and `POST /enrich/company` (ENR-13..ENR-37), as the contract judges them. */
import { describe, expect, it } from 'vitest'
import { operationsById } from '../src/index.ts'

const { enrichProfile, enrichCompany } = operationsById

describe.each([enrichProfile, enrichCompany])('$id', ({ body, renamed }) => {
  const refusedFields = (fields: object): unknown[] =>
    (body.safeParse({ username: 'acme', ...fields }).error?.issues ?? []).map(({ path }) => path[0])

  it('needs a username', () => {
    expect(body.safeParse({}).error?.issues[0]?.path).toEqual(['username'])
    expect(refusedFields({ username: '' })).toEqual(['username'])
    expect(refusedFields({})).toEqual([])
  })

  const settings = {
    captureReplies: true,
    enrichLeads: false,
    creditCapPerSync: 5,
    mode: 'engagers',
    postsPerSync: 5,
    firstSyncPosts: 5,
    firstSyncDays: 5,
  }
  it.each(Object.entries(settings))('%s needs saveTrackedProfile: true', (field, value) => {
    expect(refusedFields({ [field]: value })).toEqual([field])
    expect(refusedFields({ [field]: value, saveTrackedProfile: false })).toEqual([field])
  })
  it.each(['creditCapPerSync', 'firstSyncPosts', 'firstSyncDays'])(
    '%s: null needs saveTrackedProfile: true as well',
    (field) => {
      expect(refusedFields({ [field]: null })).toEqual([field])
      expect(refusedFields({ [field]: null, saveTrackedProfile: true })).toEqual([])
    },
  )
  it('confirmSpend stands alone', () => expect(refusedFields({ confirmSpend: true })).toEqual([]))
  it('names every setting that cannot be', () => expect(refusedFields(settings)).toEqual(Object.keys(settings)))

  const tracked = { saveTrackedProfile: true }
  it('mode is engagers or posts_only', () => {
    expect(['both', 'ENGAGERS', '', null, 1].map((mode) => refusedFields({ ...tracked, mode }))).toEqual([
      ['mode'],
      ['mode'],
      ['mode'],
      ['mode'],
      ['mode'],
    ])
    expect(refusedFields({ ...tracked, mode: 'engagers' })).toEqual([])
  })
  it('posts_only needs postsPerSync, and nothing else takes it', () => {
    expect(refusedFields({ ...tracked, mode: 'posts_only' })).toEqual(['postsPerSync'])
    expect(refusedFields({ ...tracked, mode: 'posts_only', postsPerSync: 5 })).toEqual([])
    expect(refusedFields({ ...tracked, mode: 'engagers', postsPerSync: 5 })).toEqual(['postsPerSync'])
    expect(refusedFields({ ...tracked, postsPerSync: 5 })).toEqual(['postsPerSync'])
  })
  it.each(['firstSyncPosts', 'firstSyncDays'])('posts_only goes without %s', (field) => {
    const postsOnly = { ...tracked, mode: 'posts_only', postsPerSync: 5 }
    expect(refusedFields({ ...postsOnly, [field]: 5 })).toEqual([field])
    expect(refusedFields({ ...postsOnly, [field]: null })).toEqual([])
    expect(refusedFields({ ...tracked, mode: 'engagers', [field]: 5 })).toEqual([])
  })
  it('both limits of the first sync go together', () =>
    expect(refusedFields({ ...tracked, firstSyncPosts: 5, firstSyncDays: 5 })).toEqual([]))

  it('keeps null and absent apart, for both are echoed differently', () => {
    const parsed = body.parse({ username: 'ACME', ...tracked, creditCapPerSync: null })
    expect(parsed).toEqual({ username: 'acme', ...tracked, creditCapPerSync: null })
    expect(parsed).not.toHaveProperty('firstSyncPosts')
  })
  it('ignores what it does not know, and names creditCap as renamed', () => {
    expect(body.parse({ username: 'acme', foo: 1 })).toEqual({ username: 'acme' })
    expect(renamed).toEqual({ creditCap: 'creditCapPerSync' })
  })
})

describe('username', () => {
  const url = 'https://www.linkedin.com/company/acme/'
  it('of a company may be the address of its page', () =>
    expect(enrichCompany.body.parse({ username: url })).toEqual({ username: 'acme' }))
  it('of a person may not be an address', () =>
    expect(enrichProfile.body.safeParse({ username: url }).success).toBe(false))
})
