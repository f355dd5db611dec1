/** The filters of lead lists. */
import { describe, expect, it } from 'vitest'
import { operationsById } from '../src/index.ts'

const { query } = operationsById.listLeads
const refusedFields = (fields: object): unknown[] =>
  (query.safeParse(fields).error?.issues ?? []).map(({ path }) => path[0])
const profileId = '0198c3f0-5a5e-7b60-8f3e-2f6d1c0b9a77'

describe('query booleans', () => {
  it.each(['isIcp', 'includeSyncing', 'includeInactive'])('%s is true or false, nothing else', (field) => {
    expect(query.parse({ [field]: 'true' })).toHaveProperty(field, true)
    expect(query.parse({ [field]: 'false' })).toHaveProperty(field, false)
    expect(
      ['TRUE', '1', '0', '', 'yes', null, true, ['true', 'false']].filter(
        (value) => query.safeParse({ [field]: value }).success,
      ),
    ).toEqual([])
  })
})

describe('combinations', () => {
  it('profileId and username exclude each other', () => {
    expect(refusedFields({ profileId, username: 'jane' })).toEqual(['profileId'])
    expect([{ profileId }, { username: 'jane' }].flatMap(refusedFields)).toEqual([])
  })
  it('a malformed profileId is still a profileId', () => {
    expect(query.parse({ profileId: 'nonsense' }).profileId).toBeNull()
    expect(refusedFields({ profileId: 'nonsense', username: 'jane' })).toEqual(['profileId'])
  })
  it.each(['keyword', 'post', 'profile', 'all'])('sourceKind %s goes with neither', (sourceKind) => {
    expect(refusedFields({ sourceKind })).toEqual([])
    expect(refusedFields({ sourceKind, profileId })).toEqual(['sourceKind'])
    expect(refusedFields({ sourceKind, username: 'jane' })).toEqual(['sourceKind'])
  })
  it('until may equal since, but not be before it', () => {
    expect(refusedFields({ since: '2026-11-01', until: '2026-11-01' })).toEqual([])
    expect(refusedFields({ since: '2026-11-01T00:00:00.001Z', until: '2026-11-01T00:00:00Z' })).toEqual(['until'])
  })
})

describe('values', () => {
  it.each([
    ['engagementType', ['Like', 'Comment', 'Author'], ['like', 'Reaction', '']],
    ['webhookStatus', ['pending', 'sent', 'failed', 'no_webhook'], ['none', 'Sent', '']],
    ['sourceKind', ['keyword', 'post', 'profile', 'all'], ['company', 'person', 'discover', '']],
  ])('%s is one of %j', (field, good, bad) => {
    expect(good.flatMap((value) => refusedFields({ [field]: value }))).toEqual([])
    expect(bad.flatMap((value) => refusedFields({ [field]: value }))).toEqual(bad.map(() => field))
  })
  it('a refusal lists them', () =>
    expect(query.safeParse({ engagementType: 'x' }).error?.issues[0]?.message).toBe('must be Like, Comment or Author'))
  it('a username is written as handles are, and kept as typed for the terms of a search', () =>
    expect(query.parse({ username: ' @Jan%C3%89 ' }).username).toEqual({ name: 'jané', terms: 'jan%c3%89' }))
  it('names it does not know are ignored', () => expect(query.parse({ foo: '1' })).toEqual({ limit: 50, offset: 0 }))
})
