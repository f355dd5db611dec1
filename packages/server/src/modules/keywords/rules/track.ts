/**
 * What tracking a keyword search comes to, and what an edit does (specification «Keyword searches»; KEY-01..KEY-09,
 * KEY-43..KEY-46, KEY-65..KEY-71; G3, C14, C16, C17).
 */
import { mustConfirm, type Quote } from '../../credits/rules/spend-gate.ts'
import { changesBetween, flatten, rewritesAmong, type Change, type FlatSettings } from './changes.ts'
import { missingScope, type Scope } from './contract-version.ts'
import { searchQuote } from './figures.ts'
import { revivedSchedule } from './schedule.ts'
import { freshState, mergeSettings, type RequestedSearch, type SearchSettings, type SearchState } from './settings.ts'

/** What holds the identifier now: a search with its settings, or a source of another kind. */
export type ExistingSource = { readonly type: string; readonly active: boolean; readonly state: SearchState | null }

/** What is asked; `contract` null asks for no confirmation at all, as an estimate does. */
export type TrackRequest = {
  readonly subject: Pick<SearchSettings, 'terms' | 'expression'>
  readonly named: RequestedSearch
  readonly contract: 'older' | 'spend' | null
  readonly confirmSpend: boolean | undefined
  readonly confirmChanges: boolean | undefined
  readonly balance: number
  readonly now: Date
}

type Faulty = { readonly kind: 'no_capture_target' } | { readonly kind: 'invalid'; readonly message: string }

/** What the spend gate of tracking quotes. */
export type TrackQuote = Quote &
  Pick<FlatSettings, 'creditCap' | 'captureMode' | 'datePosted'> & { readonly changed?: Change[] }

/** What tracking comes to; nothing is written unless it is `track`. */
export type TrackDecision =
  | Faulty
  | { readonly kind: 'in_use' }
  | { readonly kind: 'scope_required'; readonly missing: readonly string[] }
  | { readonly kind: 'spend'; readonly figures: TrackQuote }
  | {
      readonly kind: 'conflict'
      readonly previous: FlatSettings
      readonly settings: FlatSettings
      readonly changed: Change[]
    }
  | {
      readonly kind: 'track'
      readonly before: SearchState | null
      readonly state: SearchState
      readonly changed: Change[]
      readonly revived: boolean
    }

/** Decides what tracking comes to, in the order of G3 and C14: combinations, scope, holder, spend, conflict. */
export function decideTrack(existing: ExistingSource | null, request: TrackRequest): TrackDecision {
  const before = existing?.state ?? null
  const revived = existing !== null && !existing.active
  const base = before ?? freshState(request.subject)
  const merged = mergeSettings(
    revived ? { ...base, schedule: revivedSchedule(base.schedule) } : base,
    request.named,
    request.now,
  )
  if (!merged.ok) return merged
  const { state } = merged
  const missing = request.contract === 'spend' ? missingScope(request.named as Scope) : []
  if (missing.length > 0) return { kind: 'scope_required', missing }
  if (existing && existing.type !== 'keyword' && request.contract !== null) return { kind: 'in_use' }
  const changed = before ? changesBetween(before, state) : []
  const rewrites = request.confirmChanges === true ? [] : rewritesAmong(changed)
  if (mustConfirm({ raises: request.contract === 'spend', confirmSpend: request.confirmSpend })) {
    const { creditCap, captureMode, datePosted } = state.search
    const rewritten = rewritesAmong(changed)
    return {
      kind: 'spend',
      figures: {
        creditCap,
        captureMode,
        datePosted,
        ...searchQuote(state, request.balance),
        ...(rewritten.length > 0 ? { changed: rewritten } : {}),
      },
    }
  }
  if (before && rewrites.length > 0 && request.contract !== null)
    return { kind: 'conflict', previous: flatten(before), settings: flatten(state), changed: rewrites }
  return { kind: 'track', before, state, changed, revived }
}

/** What the spend gate of an edit quotes. */
export type EditQuote = Quote & {
  readonly previous: FlatSettings
  readonly creditCap: number
  readonly mode: FlatSettings['mode']
  readonly postsPerSync: number | null
  readonly raised: string[]
}

/** What an edit comes to; nothing is written unless it is `edit`. */
export type EditDecision =
  | Faulty
  | { readonly kind: 'spend'; readonly figures: EditQuote }
  | { readonly kind: 'edit'; readonly state: SearchState; readonly changed: Change[]; readonly restarted: boolean }

/** The settings by which a search may spend more than before: a higher bound, another mode, engagers captured again. */
function raisedBetween(before: SearchState, after: SearchState): string[] {
  const mode = before.source.mode !== after.source.mode
  return [
    ...(after.search.creditCap > before.search.creditCap ? ['creditCap'] : []),
    ...(!mode && (after.source.postsPerSync ?? 0) > (before.source.postsPerSync ?? 0) ? ['postsPerSync'] : []),
    ...(mode ? ['mode'] : []),
    ...(!mode && after.search.captureEngagers && !before.search.captureEngagers ? ['captureEngagers'] : []),
  ]
}

/** Decides what an edit comes to; values are valid. */
export function decideEdit(
  before: SearchState,
  request: {
    readonly named: RequestedSearch
    readonly confirmSpend: boolean | undefined
    readonly balance: number
    readonly now: Date
  },
): EditDecision {
  const merged = mergeSettings(before, request.named, request.now)
  if (!merged.ok) return merged
  const { state } = merged
  const raised = raisedBetween(before, state)
  if (mustConfirm({ raises: raised.length > 0, confirmSpend: request.confirmSpend })) {
    const { creditCap } = state.search
    const { mode, postsPerSync } = state.source
    return {
      kind: 'spend',
      figures: {
        previous: flatten(before),
        creditCap,
        mode,
        postsPerSync,
        raised,
        ...searchQuote(state, request.balance),
      },
    }
  }
  return {
    kind: 'edit',
    state,
    changed: changesBetween(before, state),
    restarted: before.schedule.stoppedAt !== null && state.schedule.stoppedAt === null,
  }
}
