/**
 * What tracking an identifier comes to (specification «Enrichment»; ENR-21..ENR-49, TRK-36..TRK-38; C8, C9, C27, G25,
 * G128, G144, G145).
 */
import { initialSettings, type SourceSettings } from '@les/contract'
import { mustConfirm, quote, type Quote } from '../../credits/rules/spend-gate.ts'
import { dailyMax } from './settings.ts'

/** The settings a request names; what it does not name stays. */
export type RequestedSettings = { readonly [K in keyof SourceSettings]?: SourceSettings[K] | undefined }

/** What holds the identifier now, if anything. */
export type ExistingSource = {
  readonly type: string
  readonly active: boolean
  /** Its first sync was made: a run has ended for another reason than an empty balance. */
  readonly everCompleted: boolean
  /** Tracked again and not yet synced since. */
  readonly revived: boolean
  readonly openSyncId: string | null
  readonly settings: SourceSettings
}

/** What is asked. */
export type TrackRequest = {
  readonly type: string
  readonly named: RequestedSettings
  readonly confirmSpend: boolean
  readonly balance: number
  readonly captureAllowed: boolean
}

/** Figures that a refusal quotes; one without an honest number is left out. */
export type SpendQuote = Quote & { readonly mode: 'engagers' | 'posts_only'; readonly postsPerSync: number | null }

/** Why no sync was queued, in words for the caller. */
export const notQueuedReasons = {
  synced: 'Already tracked and synced; the settings apply from the next scheduled run.',
  notAllowed: 'The plan does not allow capture; the source is tracked and nothing is swept.',
  noCredits: 'No enriching credits are left; the source is tracked and its sync runs as soon as there are some.',
} as const

type FirstSyncField = 'firstSyncPosts' | 'firstSyncDays'

/** What is to be done. */
export type TrackDecision =
  | { readonly kind: 'in_use' }
  | { readonly kind: 'misplaced'; readonly field: FirstSyncField }
  | { readonly kind: 'refused'; readonly figures: SpendQuote }
  | { readonly kind: 'track'; readonly settings: SourceSettings; readonly revived: boolean; readonly sync: TrackedSync }

/** What becomes of the sync: a new one, the one under way, none, or none now: it is due and begins when there are credits (G144). */
export type TrackedSync =
  | { readonly kind: 'open' }
  | { readonly kind: 'running'; readonly id: string }
  | { readonly kind: 'none' | 'due'; readonly reason: string }

/** The settings after a request: named ones over the present ones; engagers mode has no posts per sync. */
export function applyRequested(present: SourceSettings, named: RequestedSettings): SourceSettings {
  const given = Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  ) as Partial<SourceSettings>
  const next = { ...present, ...given }
  return next.mode === 'engagers' ? { ...next, postsPerSync: null } : next
}

/**
 * True when the request creates a recurring charge that needs a yes: posts_only, named or stored, unless nothing is named and the
 * source is an active watch already; or leaving it for engagers. The charge of a watch ended with its untracking (G145).
 */
const needsYes = (existing: ExistingSource | null, named: RequestedSettings, settings: SourceSettings): boolean => {
  if (settings.mode === 'posts_only') return named.mode === 'posts_only' || !existing?.active
  return named.mode === 'engagers' && existing?.settings.mode === 'posts_only'
}

/** A setting of the first sync that a request gives a value although the source is, and stays, a posts-only watch (ENR-34, ENR-37; G3). */
const misplacedIn = (settings: SourceSettings, named: RequestedSettings): FirstSyncField | undefined =>
  settings.mode === 'posts_only'
    ? (['firstSyncPosts', 'firstSyncDays'] as const).find((field) => (named[field] ?? null) !== null)
    : undefined

/** Decides what tracking comes to; nothing else is judged here, values are valid. */
export function decideTrack(existing: ExistingSource | null, request: TrackRequest): TrackDecision {
  if (existing && existing.type !== request.type) return { kind: 'in_use' }
  const settings = applyRequested(existing?.settings ?? initialSettings, request.named)
  const misplaced = misplacedIn(settings, request.named)
  if (misplaced) return { kind: 'misplaced', field: misplaced }
  if (mustConfirm({ raises: needsYes(existing, request.named, settings), confirmSpend: request.confirmSpend }))
    return {
      kind: 'refused',
      figures: {
        mode: settings.mode,
        postsPerSync: settings.postsPerSync,
        ...quote({ per: 'day', credits: dailyMax(settings) }, request.balance),
      },
    }
  const revived = existing !== null && !existing.active
  const decided = (sync: TrackedSync): TrackDecision => ({ kind: 'track', settings, revived, sync })
  const owed: TrackedSync = request.balance > 0 ? { kind: 'open' } : { kind: 'due', reason: notQueuedReasons.noCredits }
  if (!request.captureAllowed) return decided({ kind: 'none', reason: notQueuedReasons.notAllowed })
  if (!existing || revived) return decided(owed)
  if (existing.everCompleted && !existing.revived) return decided({ kind: 'none', reason: notQueuedReasons.synced })
  return decided(existing.openSyncId === null ? owed : { kind: 'running', id: existing.openSyncId })
}
