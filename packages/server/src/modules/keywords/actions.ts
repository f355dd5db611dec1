/** Use cases of keyword searches that other modules call. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Caller } from '../accounts/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { sha256 } from '../../platform/secrets.ts'
import { confirmIn, lockAccount } from '../credits/index.ts'
import {
  findByIdentity,
  heldMessage,
  insertSource,
  mayTrackMore,
  lockSourceByIdentity,
  openRun,
  saveDue,
  saveSchedule,
  saveTracked,
  type Source,
} from '../sources/index.ts'
import { stateOf } from './present.ts'
import type { Change } from './rules/changes.ts'
import type { RequestedSearch, SearchState } from './rules/settings.ts'
import { readSubject, type SentSubject, type Subject } from './rules/subject.ts'
import { decideTrack, type TrackDecision } from './rules/track.ts'
import { findSearch, insertSearch, saveSearch, type KeywordSearch } from './store.ts'

/** What is to be tracked, under which contract, and which yeses it carries. */
export type SearchRequest = SentSubject & {
  readonly named: RequestedSearch
  readonly contract: 'older' | 'spend'
  readonly confirmSpend?: boolean | undefined
  readonly confirmChanges?: boolean | undefined
}

/** What tracking a search has done. */
export type TrackedSearch = {
  readonly sourceId: string
  readonly syncId: string | null
  readonly syncNotQueuedReason: string | null
  readonly created: boolean
  readonly changed: readonly Change[]
}

/** Why no run was queued, in words for the caller. */
export const notQueuedReasons = {
  synced: 'Already tracked and run before; the settings apply from the next scheduled run.',
  stopped:
    'The schedule of this search has come to its end: raise maxRuns, send runOnce: false, or move endAt into the future.',
  notAllowed: 'The plan does not allow capture; the search is tracked and nothing is swept.',
  noCredits: 'No enriching credits are left; the search runs as soon as there are some.',
} as const

/** Reads what is to be searched for; refuses a malformed term or expression, naming it. */
export function subjectOf(sent: SentSubject): Subject {
  const read = readSubject(sent)
  return read.ok ? read.subject : refuse('invalid_request', {}, read.message)
}

/** Finds the tracked search of these terms, whatever its other settings. */
export async function findActiveSearchByTerms(
  db: Reader,
  teamId: string,
  terms: readonly string[],
): Promise<KeywordSearch | undefined> {
  const source = await findByIdentity(db, teamId, sha256(subjectOf({ keywords: terms }).identity))
  return source?.type === 'keyword' && source.status === 'active' ? findSearch(db, teamId, source.id) : undefined
}

/** What is set now, when the identifier is held by a search. */
export async function presentState(db: Reader, existing: Source | undefined): Promise<SearchState | null> {
  if (existing?.type !== 'keyword') return null
  const search = await findSearch(db, existing.teamId, existing.id)
  if (!search) throw new Error(`the search of keyword source ${existing.id} is missing`)
  return stateOf(existing, search)
}

/** Refuses what a decision about settings has found wrong. */
export function refuseFaulty(decision: Extract<TrackDecision, { kind: 'invalid' | 'no_capture_target' }>): never {
  return decision.kind === 'invalid' ? refuse('invalid_request', {}, decision.message) : refuse('no_capture_target')
}

function accepted(
  decision: TrackDecision,
  {
    subject,
    existing,
    mode,
  }: {
    readonly subject: Subject
    readonly existing: Source | undefined
    readonly mode: Source['settings']['mode']
  },
): Extract<TrackDecision, { kind: 'track' }> {
  switch (decision.kind) {
    case 'track':
      return decision
    case 'in_use':
      return refuse('identifier_in_use', {}, heldMessage({ type: 'keyword', username: subject.username }, existing!))
    case 'scope_required':
      return refuse(
        'scope_required',
        { missing: [...decision.missing] },
        `The spend contract requires ${decision.missing.map((field) => `\`${field}\``).join(' and ')}: name what the search may spend`,
      )
    case 'spend':
      return refuse('spend_confirmation_required', decision.figures, confirmIn(mode))
    case 'conflict':
      return refuse('settings_conflict', {
        previous: decision.previous,
        settings: decision.settings,
        changed: decision.changed,
      })
    default:
      return refuseFaulty(decision)
  }
}

/**
 * Opens a run at once where one is owed and may begin; a source that may not begin now stays due. The source is locked
 * and as it stands now.
 */
export async function startRun(
  tx: Tx,
  {
    caller,
    source,
    standing,
  }: { readonly caller: Caller; readonly source: Source; readonly standing: { owed: boolean; balance: number } },
): Promise<{ syncId: string | null; syncNotQueuedReason: string | null }> {
  const none = (reason: keyof typeof notQueuedReasons) => ({
    syncId: null,
    syncNotQueuedReason: notQueuedReasons[reason],
  })
  if (source.openSyncId !== null) return { syncId: source.openSyncId, syncNotQueuedReason: null }
  if (source.schedule.stoppedAt !== null) return none('stopped')
  if (!caller.captureAllowed) return none('notAllowed')
  if (!standing.owed) return none('synced')
  if (standing.balance <= 0) {
    await saveDue(tx, source)
    return none('noCredits')
  }
  return { syncId: (await openRun(tx, source, 'track')).syncId, syncNotQueuedReason: null }
}

/** Writes the settings of a search whose source is locked; one whose stop is lifted is due now. */
export async function saveState(tx: Tx, source: Source, state: SearchState): Promise<void> {
  const lifted = source.schedule.stoppedAt !== null && state.schedule.stoppedAt === null
  await saveSchedule(tx, { source, schedule: state.schedule, nextSyncAt: lifted ? tx.now : undefined })
  await saveSearch(tx, { ...state.search, teamId: source.teamId, sourceId: source.id })
}

async function create(
  tx: Tx,
  { teamId, subject, state }: { readonly teamId: string; readonly subject: Subject; readonly state: SearchState },
): Promise<Source> {
  const source = await insertSource(tx, {
    teamId,
    type: 'keyword',
    username: subject.username,
    identity: sha256(subject.identity),
    settings: state.source,
    schedule: state.schedule,
  })
  // The account's lock is held, so no other request of the team can have made the source meanwhile.
  if (!source) throw new Error('a source appeared under the lock of its team')
  await insertSearch(tx, { ...state.search, teamId, sourceId: source.id })
  return source
}

/**
 * Tracks a search: makes it, revives it, or changes its settings, and opens a run where one is owed. Refuses, in the order of G3
 * and C14, settings that do not go together, a missing scope, an identifier of another kind, an unconfirmed charge and an
 * unacknowledged rewrite; a refusal writes nothing.
 */
export async function trackSearch(tx: Tx, caller: Caller, request: SearchRequest): Promise<TrackedSearch> {
  const subject = subjectOf(request)
  const { balance } = await lockAccount(tx, caller.teamId)
  const existing = await lockSourceByIdentity(tx, caller.teamId, {
    username: subject.username,
    identity: sha256(subject.identity),
  })
  const before = await presentState(tx.db, existing)
  const present = existing ? { type: existing.type, active: existing.status === 'active', state: before } : null
  const { state, revived, changed } = accepted(
    decideTrack(present, {
      ...request,
      subject,
      confirmSpend: request.confirmSpend,
      confirmChanges: request.confirmChanges,
      balance,
      now: tx.now,
    }),
    { subject, existing, mode: request.named.mode ?? before?.source.mode ?? 'engagers' },
  )
  if ((!existing || revived) && !(await mayTrackMore(tx, caller.teamId))) return refuse('source_limit_reached')
  if (existing) {
    await saveTracked(tx, { source: existing, settings: state.source, revived, onTrial: caller.status === 'trial' })
    await saveState(tx, existing, state)
  }
  const source: Source = existing
    ? { ...existing, status: 'active', settings: state.source, schedule: state.schedule }
    : await create(tx, { teamId: caller.teamId, subject, state })
  const restarted = before !== null && before.schedule.stoppedAt !== null && state.schedule.stoppedAt === null
  const owed = !existing || revived || restarted || !existing.everCompleted || existing.revived
  const started = await startRun(tx, { caller, source, standing: { owed, balance } })
  return { sourceId: source.id, ...started, created: !existing, changed }
}
