import { defaultParts } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { dailyChange, differenceOf, noParts, partsFor, type Parts, type SetSource } from './differences.ts'

const webhook = { url: 'https://hooks.example.com/a', icpOnly: true, autoSend: true, syncEvents: false }
const rule = { column: 'jobTitle', operator: 'contains', value: 'growth' } as const
const criteria = { rules: [rule], matchMode: 'all' as const }
const outreach = { campaignId: '7', campaignName: 'Autumn', autoSend: true, filters: [] }
const parts: Parts = { webhook, criteria, outreach, cap: { credits: 50 } }
const source: SetSource = {
  id: 'a',
  type: 'person',
  label: 'maya',
  mode: 'engagers',
  postsPerSync: null,
  ofAgent: false,
  leads: 3,
  webhook: null,
  criteria: null,
  outreach: null,
  cap: 100,
}
const like = (change: Partial<SetSource>): SetSource => ({ ...source, ...change })
const namesOf = (change: Partial<SetSource>, of: Parts = parts) =>
  differenceOf(like(change), of, defaultParts).changes.map(({ part }) => part)

describe('defaults', () => {
  it('of a kind come before those of all, part by part', () => {
    expect(partsFor({ ...noParts, cap: { credits: null } }, parts)).toEqual({ ...parts, cap: { credits: null } })
    expect(partsFor(undefined, undefined)).toEqual(noParts)
  })

  it('change what differs, in words', () => {
    expect(differenceOf(source, parts, defaultParts).changes).toEqual([
      { part: 'webhook', from: 'none', to: 'https://hooks.example.com/a, only leads that fit' },
      { part: 'criteria', from: 'none', to: '1 row' },
      { part: 'outreach', from: 'none', to: 'Autumn' },
      { part: 'cap', from: 'at most 100 credits', to: 'at most 50 credits' },
    ])
    expect(differenceOf(source, parts, ['cap']).changes.map(({ part }) => part)).toEqual(['cap'])
    expect(namesOf({}, noParts)).toEqual([])
  })

  it('change nothing on a source that is set so, however its rows are spelled', () => {
    const same = {
      webhook: { ...webhook, isDisabled: false },
      criteria: { ...criteria, rules: [{ value: 'growth', operator: 'contains', column: 'jobTitle' } as const] },
      outreach: { ...outreach, isPaused: false },
      cap: 50,
    }
    expect(namesOf(same)).toEqual([])
    for (const change of [{ url: 'https://x.example/' }, { icpOnly: false }, { autoSend: false }, { syncEvents: true }])
      expect(namesOf({ ...same, webhook: { ...same.webhook, ...change } })).toEqual(['webhook'])
    expect(namesOf({ ...same, criteria: { ...criteria, matchMode: 'any' } })).toEqual(['criteria'])
    expect(namesOf({ ...same, criteria: { rules: [{ ...rule, value: 'sales' }], matchMode: 'all' } })).toEqual([
      'criteria',
    ])
    expect(namesOf({ ...same, outreach: { ...same.outreach, campaignId: '8' } })).toEqual(['outreach'])
    expect(namesOf({ ...same, outreach: { ...same.outreach, autoSend: false } })).toEqual(['outreach'])
    expect(namesOf({ ...same, outreach: { ...same.outreach, filters: [rule] } })).toEqual(['outreach'])
    const none = { rules: [], matchMode: 'any' as const }
    expect(namesOf({ ...same, criteria: null }, { ...parts, criteria: none })).toEqual([])
  })

  it('set an endpoint that was switched off and a rule that stands still going again', () => {
    const { changes } = differenceOf(
      like({ webhook: { ...webhook, isDisabled: true }, outreach: { ...outreach, isPaused: true } }),
      parts,
      ['webhook', 'outreach'],
    )
    expect(changes.map(({ from }) => from)).toEqual([
      'https://hooks.example.com/a, only leads that fit (switched off)',
      'Autumn (paused)',
    ])
  })

  it('leave alone what an agent sets, the cap of a watch of posts, and a search that would lose its cap', () => {
    const keptOf = (change: Partial<SetSource>, of = parts) => differenceOf(like(change), of, defaultParts)
    expect(keptOf({ ofAgent: true })).toMatchObject({
      changes: [],
      kept: defaultParts.map((part) => ({ part, reason: 'agent' })),
    })
    expect(keptOf({ mode: 'posts_only', postsPerSync: 5 }).kept).toEqual([{ part: 'cap', reason: 'posts_only' }])
    const unlimited = { ...parts, cap: { credits: null } }
    expect(keptOf({ type: 'keyword' }, unlimited).kept).toEqual([{ part: 'cap', reason: 'needs_a_cap' }])
    expect(keptOf({ type: 'keyword' }).kept).toEqual([])
  })
})

describe('what defaults cost', () => {
  const daily = (sources: readonly SetSource[], of = parts) =>
    dailyChange(
      sources.map((each) => differenceOf(each, of, defaultParts)),
      () => of.cap?.credits ?? null,
    )
  it('is every source’s most a day, before and after', () => {
    const searches = [
      like({ type: 'keyword', cap: 30 }),
      like({ type: 'keyword', cap: 30, mode: 'posts_only', postsPerSync: 10 }),
    ]
    expect(daily([source, source, ...searches])).toEqual({ before: 240, after: 160 })
    expect(daily([source, like({ ofAgent: true })])).toEqual({ before: 200, after: 150 })
    expect(daily([source, like({ mode: 'posts_only', postsPerSync: 5 })])).toEqual({ before: 105, after: 55 })
  })

  it('is nobody’s to say where a source has no limit', () => {
    expect(daily([source, like({ cap: null })])).toEqual({ before: null, after: 100 })
    expect(daily([source], { ...parts, cap: { credits: null } })).toEqual({ before: 100, after: null })
  })
})
