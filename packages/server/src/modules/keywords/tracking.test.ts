import { describe, expect, it } from 'vitest'
import { Refusal } from '../../platform/refusal.ts'
import { changesBetween, freshState, mergeSettings, type RequestedSearch, type SearchState } from './rules/settings.ts'
import { requireConsent, requireEditConsent, type SearchRequest } from './tracking.ts'

const now = new Date('2026-11-21T09:00:00Z')
const fresh = freshState({ terms: ['a', 'b'], expression: null })
const after = (state: SearchState, named: RequestedSearch): SearchState => {
  const merged = mergeSettings(state, named, now)
  if (!merged.ok) throw new Error(JSON.stringify(merged))
  return merged.state
}

/** The key and details of a refusal; null when nothing is refused. */
function refusedBy(require: () => void): [string, unknown] | null {
  try {
    require()
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [error.key, error.details]
  }
}

const scope = { creditCap: 50, captureMode: 'depth', datePosted: 'PAST_WEEK' } as const
const rewriting = { ...scope, datePosted: 'PAST_MONTH' } as const

/** Asks to track a search; `before` null: it is new. */
function track(
  before: SearchState | null,
  request: Partial<SearchRequest> = {},
  heldByOther: string | null = null,
): [string, unknown] | null {
  const { named = scope, ...more } = request
  const state = after(before ?? fresh, named)
  const changed = before ? changesBetween(before, state) : []
  return refusedBy(() =>
    requireConsent(
      { before, state, changed },
      { named, contract: 'spend', confirmSpend: true, ...more },
      { heldByOther, balance: 120 },
    ),
  )
}

describe('tracking', () => {
  it.each<readonly [...Parameters<typeof track>, string | undefined]>([
    [null, { named: { creditCap: 1 }, confirmSpend: undefined }, 'held', 'scope_required'],
    [null, { confirmSpend: undefined }, 'held', 'identifier_in_use'],
    [fresh, { named: rewriting, confirmSpend: undefined }, null, 'spend_confirmation_required'],
    [fresh, { named: rewriting }, null, 'settings_conflict'],
    [fresh, { named: rewriting, confirmChanges: true }, null, undefined],
    [fresh, { named: { datePosted: 'PAST_MONTH' }, contract: 'older' }, null, 'settings_conflict'],
    [fresh, { named: { creditCap: 7 }, contract: 'older' }, null, undefined],
    [null, { named: {}, contract: 'older', confirmSpend: undefined }, null, undefined],
  ])('%# is refused in order: scope, holder, spend, rewrite [G3, C14]', (before, request, heldByOther, key) =>
    expect(track(before, request, heldByOther)?.[0]).toBe(key),
  )
  it('names the scope that is missing', () =>
    expect(track(null, { named: { creditCap: 1 } })?.[1]).toEqual({ missing: ['captureMode', 'datePosted'] }))
  it('quotes the result, and a rewrite with it where there is one [KEY-43, KEY-44]', () => {
    const figures = {
      creditCap: 50,
      captureMode: 'depth',
      datePosted: 'PAST_WEEK',
      estimatedDailyMax: 50,
      daysToExhaustAtCap: 2,
      remainingBalance: 120,
    }
    expect(track(null, { confirmSpend: undefined })?.[1]).toEqual(figures)
    expect(track(fresh, { named: rewriting, confirmSpend: undefined })?.[1]).toEqual({
      ...figures,
      datePosted: 'PAST_MONTH',
      changed: [{ field: 'datePosted', from: 'PAST_WEEK', to: 'PAST_MONTH' }],
    })
  })
  it('shows both sides of a rewrite, and only the rewrites as changed', () =>
    expect(track(fresh, { named: rewriting })?.[1]).toMatchObject({
      previous: { datePosted: 'PAST_WEEK', creditCap: 100 },
      settings: { datePosted: 'PAST_MONTH', creditCap: 50 },
      changed: [{ field: 'datePosted', from: 'PAST_WEEK', to: 'PAST_MONTH' }],
    }))
})

it('an edit asks only for what may spend more, and quotes it [KEY-65..KEY-70]', () => {
  const edit = (named: RequestedSearch, confirmSpend?: boolean) =>
    refusedBy(() => requireEditConsent({ before: fresh, state: after(fresh, named) }, { confirmSpend, balance: 202 }))
  expect(edit({ creditCap: 1 })).toBeNull()
  expect(edit({ creditCap: 101 }, true)).toBeNull()
  expect(edit({ creditCap: 101 })).toEqual([
    'spend_confirmation_required',
    {
      previous: expect.objectContaining({ creditCap: 100 }),
      creditCap: 101,
      mode: 'engagers',
      postsPerSync: null,
      raised: ['creditCap'],
      estimatedDailyMax: 101,
      daysToExhaustAtCap: 2,
      remainingBalance: 202,
    },
  ])
})
