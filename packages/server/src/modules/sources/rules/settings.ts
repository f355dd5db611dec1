/**
 * What a request makes of a source's settings, by tracking (ENR-21..ENR-49, TRK-36..TRK-38; C8, C9, C27, G25, G128, G144, G145)
 * and by editing (TRK-13..TRK-20; C2, C10); and the bounds of one run.
 */
import {
  bounds,
  initialSettings,
  pickSettings,
  settingsCopiedToRun,
  type SettingOf,
  type SourceSettings,
} from '@les/contract'
import { mustConfirm, quote, type Quote } from '../../credits/rules/spend-gate.ts'
import type { RunSettings } from '../runs/rules/policy.ts'
import type { Source } from '../source.ts'

/** Most credits a source can cost a day: its posts up to its cap, or the cap on its lead rows; null without a limit. */
export const dailyMax = (settings: SourceSettings): number | null =>
  settings.mode === 'posts_only' && settings.postsPerSync !== null
    ? Math.min(settings.postsPerSync, settings.creditCapPerSync ?? settings.postsPerSync)
    : settings.creditCapPerSync

/** The bounds of a run: the first one reads further back (SYN-04, ENR-35, ENR-38). */
export function runSettings(settings: SourceSettings, isFirst: boolean): RunSettings {
  const shared = {
    mode: settings.mode,
    rowCap: settings.creditCapPerSync,
    ...pickSettings(settings, settingsCopiedToRun),
  }
  if (settings.mode === 'posts_only')
    return { ...shared, maxPosts: settings.postsPerSync ?? bounds.postsPerSync.max, sinceDays: null }
  if (!isFirst) return { ...shared, maxPosts: bounds.laterSyncPosts, sinceDays: null }
  const unlessNamed = settings.firstSyncDays === null ? bounds.firstSyncPosts.default : bounds.firstSyncPosts.max
  return { ...shared, maxPosts: settings.firstSyncPosts ?? unlessNamed, sinceDays: settings.firstSyncDays }
}

/** The settings a request names; others stay. */
export type RequestedSettings = { readonly [K in keyof SourceSettings]?: SourceSettings[K] | undefined }

type ExistingSource = {
  readonly type: string
  readonly active: boolean
  /** A run has ended for another reason than an empty balance. */
  readonly everCompleted: boolean
  /** Tracked again, and not synced since. */
  readonly revived: boolean
  readonly openSyncId: string | null
  readonly settings: SourceSettings
}

export type TrackRequest = {
  readonly type: string
  readonly named: RequestedSettings
  readonly confirmSpend: boolean
  readonly balance: number
  readonly captureAllowed: boolean
}

type SpendQuote = Quote & { readonly mode: 'engagers' | 'posts_only'; readonly postsPerSync: number | null }

/** What callers read when no sync was queued. */
export const notQueuedReasons = {
  synced: 'Already tracked and synced; the settings apply from the next scheduled run.',
  notAllowed: 'The plan does not allow capture; the source is tracked and nothing is swept.',
  noCredits: 'No enriching credits are left; the source is tracked and its sync runs as soon as there are some.',
} as const

type FirstSyncField = 'firstSyncPosts' | 'firstSyncDays'

type TrackDecision =
  | { readonly kind: 'in_use' }
  | { readonly kind: 'misplaced'; readonly field: FirstSyncField }
  | { readonly kind: 'refused'; readonly figures: SpendQuote }
  | { readonly kind: 'track'; readonly settings: SourceSettings; readonly revived: boolean; readonly sync: TrackedSync }

/** A new sync, the open one, none, or one that begins once there are credits (`due`, G144). */
type TrackedSync =
  | { readonly kind: 'open' }
  | { readonly kind: 'running'; readonly id: string }
  | { readonly kind: 'none' | 'due'; readonly reason: string }

/** Named settings over the present ones; engagers mode has no posts per sync. */
export function applyRequested(present: SourceSettings, named: RequestedSettings): SourceSettings {
  const given = Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  ) as Partial<SourceSettings>
  const next = { ...present, ...given }
  return next.mode === 'engagers' ? { ...next, postsPerSync: null } : next
}

/**
 * True when the request creates a recurring charge that must be confirmed: posts_only, named or stored, unless nothing is named
 * and the watch is active; or leaving posts_only for engagers. Untracking ended a watch's charge (G145).
 */
const needsYes = (existing: ExistingSource | null, named: RequestedSettings, settings: SourceSettings): boolean => {
  if (settings.mode === 'posts_only') return named.mode === 'posts_only' || !existing?.active
  return named.mode === 'engagers' && existing?.settings.mode === 'posts_only'
}

/** A first-sync setting with a value on a source that is, and stays, a posts_only watch (ENR-34, ENR-37; G3). */
const misplacedIn = (settings: SourceSettings, named: RequestedSettings): FirstSyncField | undefined =>
  settings.mode === 'posts_only'
    ? (['firstSyncPosts', 'firstSyncDays'] as const).find((field) => (named[field] ?? null) !== null)
    : undefined

/** Decides what tracking does; the values are valid. */
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

type RequestedEdit = { readonly [K in SettingOf<'edit'>]?: SourceSettings[K] | undefined }

type EditQuote = Quote & {
  readonly previous: Pick<SourceSettings, 'mode' | 'postsPerSync'>
  readonly mode: SourceSettings['mode']
  readonly postsPerSync?: number
  readonly creditCapPerSync: number | null
}

type EditDecision =
  | { readonly kind: 'refused'; readonly figures: EditQuote }
  | { readonly kind: 'edit'; readonly settings: SourceSettings }

/** True when an edit creates or raises a recurring charge: leaving posts_only, or more posts per sync; a cap never does. */
function raises(present: SourceSettings, next: SourceSettings): boolean {
  if (present.mode !== 'posts_only') return false
  return next.mode === 'engagers' || (next.postsPerSync ?? 0) > (present.postsPerSync ?? Number.POSITIVE_INFINITY)
}

/** Decides what an edit does; the values are valid. */
export function decideEdit(
  present: SourceSettings,
  request: { readonly named: RequestedEdit; readonly confirmSpend: boolean | undefined; readonly balance: number },
): EditDecision {
  const next = applyRequested(present, request.named)
  if (!mustConfirm({ raises: raises(present, next), confirmSpend: request.confirmSpend }))
    return { kind: 'edit', settings: next }
  return {
    kind: 'refused',
    figures: {
      previous: { mode: present.mode, postsPerSync: present.postsPerSync },
      mode: next.mode,
      ...(next.postsPerSync === null ? {} : { postsPerSync: next.postsPerSync }),
      creditCapPerSync: next.creditCapPerSync,
      ...quote({ per: 'day', credits: dailyMax(next) }, request.balance),
    },
  }
}

const trackedBy: Readonly<Record<Source['type'], string>> = {
  person: 'POST /enrich/profile with saveTrackedProfile: true',
  company: 'POST /enrich/company with saveTrackedProfile: true',
  post: 'POST /post/track',
  keyword: 'POST /keyword/track',
}

/** How to track what was asked for as well; impossible for a post. */
const alternative: Readonly<Record<Source['type'], string>> = {
  person: ' To track the person beside it, name them by member id (GET /profile/{username}/urn).',
  company: ' To track the company page beside it, name it by its number.',
  post: '',
  keyword: ' To search for these words beside it, send them in double quotes.',
}

/** Names the source that holds an identifier, its state, and what to do: an identifier stays with its source for ever. */
export function heldMessage(
  asked: { readonly type: Source['type']; readonly username: string },
  holder: Pick<Source, 'id' | 'type' | 'status'>,
): string {
  const what = holder.type === 'keyword' ? 'keyword search' : holder.type
  const use =
    holder.status === 'active'
      ? 'Use that source: untracking it would not free the identifier.'
      : `It is no longer tracked, which does not free the identifier: revive it with ${trackedBy[holder.type]}.`
  return (
    `${asked.username} is held by a source of another kind, the ${what} ${holder.id} (${holder.status}): ` +
    `one identifier is one source. ${use}${alternative[asked.type]}`
  )
}
