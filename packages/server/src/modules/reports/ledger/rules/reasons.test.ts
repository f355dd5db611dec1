import { describe, expect, it } from 'vitest'
import { kindOf, reasonOf, type KeptLine } from './reasons.ts'

const id = '019aa0d1-5c00-7000-8000-000000000001'

describe('a line of the ledger', () => {
  it.each<[KeptLine['kind'], number, string, string | null, string, string]>([
    ['charge', -1, `source:${id}:person:ACoAAx`, 'source', 'charge', 'new_person'],
    ['charge', -1, `source:${id}:post:urn:li:activity:1`, 'source', 'charge', 'new_post'],
    ['charge', -1, `erased:${id}`, 'source', 'charge', 'new_person'],
    ['charge', -1, `discover:${id}:person:ACoAAx`, 'discover', 'charge', 'influencer'],
    ['charge', -1, `enrich:${id}:${id}`, 'enrichment', 'charge', 'enrichment'],
    ['charge', -1, `read:${id}:post:urn:li:activity:1`, 'posts_read', 'charge', 'post_read'],
    ['free', 0, '', 'seen_before', 'free', 'seen_before'],
    ['grant', 10, 'grant:opening', null, 'grant', 'opening'],
    ['grant', 10, 'grant:team:2026-12-21T09:00:00.000Z', null, 'grant', 'period'],
    ['topup', 10, `topup:${id}`, null, 'grant', 'top_up'],
    ['adjust', 10, `adjust:${id}`, null, 'grant', 'adjustment'],
    ['adjust', -10, `adjust:${id}`, null, 'lapse', 'adjustment'],
    ['lapse', -10, 'lapse:team:2026-12-21T09:00:00.000Z', null, 'lapse', 'period'],
    ['refund', 1, `refund:${id}`, null, 'refund', 'dispute'],
  ])('%s of %i under %s (%s) is a %s: %s [LDG-01, LDG-02]', (kind, amount, key, category, shown, reason) => {
    const line = { kind, amount, key, category }
    expect([kindOf(line), reasonOf(line)]).toEqual([shown, reason])
  })
})
