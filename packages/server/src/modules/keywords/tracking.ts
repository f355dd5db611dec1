/**
 * Tracking, estimating and editing a keyword search. A refusal writes nothing; refusals come in the order of G3 and C14: settings
 * that exclude each other, a missing scope, an identifier of another kind, an unconfirmed charge, an unacknowledged rewrite.
 */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Caller } from '../accounts/index.ts'
import { confirmIn, lockAccount, mustConfirm } from '../credits/index.ts'
import {
  findByIdentity,
  heldMessage,
  insertSource,
  lockSourceByIdentity,
  mayTrackMore,
  openRun,
  saveDue,
  saveSchedule,
  saveSettings,
  saveTracked,
  type Source,
} from '../sources/index.ts'
import {
  changesBetween,
  flatten,
  freshState,
  mergeSettings,
  revivedSchedule,
  rewritesAmong,
  type Change,
  type RequestedSearch,
  type SearchState,
} from './rules/settings.ts'
import { missingScope, raisedBetween, searchQuote, type SpendContract } from './rules/spend.ts'
import { readSubject, type SentSubject, type Subject } from './rules/subject.ts'
import { findSearch, saveSearch, type KeywordSearch } from './store.ts'

type SearchRequest = SentSubject & {
  readonly named: RequestedSearch
  readonly contract: SpendContract
  readonly confirmSpend?: boolean | undefined
  readonly confirmChanges?: boolean | undefined
}

/** The run that tracking or editing left open, or why it queued none. */
export type StartedRun = { readonly syncId: string | null; readonly syncNotQueuedReason: string | null }

type TrackedSearch = StartedRun & { readonly sourceId: string; readonly created: boolean }

const notQueuedReasons = {
  synced: 'Already tracked and run before; the settings apply from the next scheduled run.',
  stopped:
    'The schedule of this search has come to its end: raise maxRuns, send runOnce: false, or move endAt into the future.',
  notAllowed: 'The plan does not allow capture; the search is tracked and nothing is swept.',
  noCredits: 'No enriching credits are left; the search runs as soon as there are some.',
} as const

/** Reads what to search for; refuses a malformed term or expression, naming it. */
export function subjectOf(sent: SentSubject): Subject {
  const read = readSubject(sent)
  return read.ok ? read.subject : refuse('invalid_request', {}, read.message)
}

/** Finds the tracked search of these terms, regardless of its other settings. */
export async function findActiveSearchByTerms(
  db: Reader,
  teamId: string,
  terms: readonly string[],
): Promise<KeywordSearch | undefined> {
  const source = await findByIdentity(db, teamId, sha256(subjectOf({ keywords: terms }).identity))
  return source?.type === 'keyword' && source.status === 'active' ? findSearch(db, teamId, source.id) : undefined
}

async function readState(db: Reader, source: Source): Promise<SearchState | null> {
  if (source.type !== 'keyword') return null
  const search = await findSearch(db, source.teamId, source.id)
  if (!search) throw new Error(`the search of keyword source ${source.id} is missing`)
  return { search, source: source.settings, schedule: source.schedule }
}

function merge(before: SearchState, named: RequestedSearch, now: Date): SearchState {
  const merged = mergeSettings(before, named, now)
  if (merged.ok) return merged.state
  return merged.kind === 'invalid' ? refuse('invalid_request', {}, merged.message) : refuse('no_capture_target')
}

/** What tracking would make of a search; `before` is null when there is none, or a source of another kind has the identifier. */
export type TrackPlan = {
  readonly before: SearchState | null
  readonly state: SearchState
  readonly changed: readonly Change[]
  readonly revived: boolean
}

/** Plans tracking; refuses settings that exclude each other. */
export async function planTrack(
  db: Reader,
  existing: Source | undefined,
  { subject, named, now }: { subject: Subject; named: RequestedSearch; now: Date },
): Promise<TrackPlan> {
  const before = existing ? await readState(db, existing) : null
  const revived = existing !== undefined && existing.status !== 'active'
  const { terms, expression } = subject
  const base = before ?? freshState({ terms, expression })
  const state = merge(revived ? { ...base, schedule: revivedSchedule(base.schedule) } : base, named, now)
  return { before, state, changed: before ? changesBetween(before, state) : [], revived }
}

/** Refuses a scope that is not named, a charge not confirmed, a rewrite not acknowledged. */
function requireConsent(
  { before, state, changed }: Pick<TrackPlan, 'before' | 'state' | 'changed'>,
  { named, contract, confirmSpend, confirmChanges }: SearchRequest,
  { heldByOther, balance }: { heldByOther: string | null; balance: number },
): void {
  const missing = contract === 'spend' ? missingScope(named) : []
  if (missing.length > 0)
    refuse(
      'scope_required',
      { missing },
      `The spend contract requires ${missing.map((field) => `\`${field}\``).join(' and ')}: name what the search may spend`,
    )
  if (heldByOther !== null) refuse('identifier_in_use', {}, heldByOther)
  const rewrites = rewritesAmong(changed)
  if (mustConfirm({ raises: contract === 'spend', confirmSpend })) {
    const { creditCap, captureMode, datePosted } = state.search
    const figures = { creditCap, captureMode, datePosted, ...searchQuote(state, balance) }
    refuse(
      'spend_confirmation_required',
      { ...figures, ...(rewrites.length > 0 ? { changed: rewrites } : {}) },
      confirmIn(state.source.mode),
    )
  }
  if (before && rewrites.length > 0 && confirmChanges !== true)
    refuse('settings_conflict', { previous: flatten(before), settings: flatten(state), changed: rewrites })
}

/** Opens a run of a locked source when one is owed and may begin; without credits the source stays due. */
async function startRun(
  tx: Tx,
  caller: Caller,
  { source, owed, balance }: { source: Source; owed: boolean; balance: number },
): Promise<StartedRun> {
  const none = (reason: keyof typeof notQueuedReasons) => ({
    syncId: null,
    syncNotQueuedReason: notQueuedReasons[reason],
  })
  if (source.openSyncId !== null) return { syncId: source.openSyncId, syncNotQueuedReason: null }
  if (source.schedule.stoppedAt !== null) return none('stopped')
  if (!caller.captureAllowed) return none('notAllowed')
  if (!owed) return none('synced')
  if (balance <= 0) {
    await saveDue(tx, source)
    return none('noCredits')
  }
  return { syncId: (await openRun(tx, source, 'track')).syncId, syncNotQueuedReason: null }
}

const isLifted = (before: SearchState, after: SearchState): boolean =>
  before.schedule.stoppedAt !== null && after.schedule.stoppedAt === null

async function saveState(tx: Tx, source: Source, state: SearchState): Promise<void> {
  const lifted = source.schedule.stoppedAt !== null && state.schedule.stoppedAt === null
  await saveSchedule(tx, { source, schedule: state.schedule, nextSyncAt: lifted ? tx.now : undefined })
  await saveSearch(tx, { ...state.search, teamId: source.teamId, sourceId: source.id })
}

async function create(
  tx: Tx,
  teamId: string,
  { subject, state }: { subject: Subject; state: SearchState },
): Promise<Source> {
  const source = await insertSource(tx, {
    teamId,
    type: 'keyword',
    username: subject.username,
    identity: sha256(subject.identity),
    settings: state.source,
    schedule: state.schedule,
  })
  // The account's lock is held, so no other request of the team can have created the source.
  if (!source) throw new Error('a source appeared under the lock of its team')
  await saveSearch(tx, { ...state.search, teamId, sourceId: source.id })
  return source
}

/** Tracks a search: creates or revives it, or changes its settings, and opens a run when one is owed. */
export async function trackSearch(tx: Tx, caller: Caller, request: SearchRequest): Promise<TrackedSearch> {
  const { teamId } = caller
  const subject = subjectOf(request)
  const { username } = subject
  const { balance } = await lockAccount(tx, teamId)
  const existing = await lockSourceByIdentity(tx, teamId, { username, identity: sha256(subject.identity) })
  const plan = await planTrack(tx.db, existing, { subject, named: request.named, now: tx.now })
  const { before, state, revived } = plan
  const isOther = existing !== undefined && existing.type !== 'keyword'
  requireConsent(plan, request, {
    heldByOther: isOther ? heldMessage({ type: 'keyword', username }, existing) : null,
    balance,
  })
  if ((!existing || revived) && !(await mayTrackMore(tx, teamId))) return refuse('source_limit_reached')
  if (existing) {
    await saveTracked(tx, existing, { settings: state.source, revived, onTrial: caller.status === 'trial' })
    await saveState(tx, existing, state)
  }
  const source: Source = existing
    ? { ...existing, status: 'active', settings: state.source, schedule: state.schedule }
    : await create(tx, teamId, { subject, state })
  const owed = !existing || revived || !existing.everCompleted || existing.revived || isLifted(before!, state)
  return { sourceId: source.id, created: !existing, ...(await startRun(tx, caller, { source, owed, balance })) }
}

function requireEditConsent(
  { before, state }: { before: SearchState; state: SearchState },
  { confirmSpend, balance }: { confirmSpend: boolean | undefined; balance: number },
): void {
  const raised = raisedBetween(before, state)
  if (!mustConfirm({ raises: raised.length > 0, confirmSpend })) return
  const { creditCap } = state.search
  const { mode, postsPerSync } = state.source
  refuse(
    'spend_confirmation_required',
    { previous: flatten(before), creditCap, mode, postsPerSync, raised, ...searchQuote(state, balance) },
    confirmIn(mode),
  )
}

/** Edits a search whose account and source are locked; lifting its stop starts a run. */
export async function editSearch(
  tx: Tx,
  caller: Caller,
  request: {
    readonly source: Source
    readonly named: RequestedSearch
    readonly confirmSpend: boolean | undefined
    readonly balance: number
  },
): Promise<StartedRun & { readonly before: SearchState; readonly changed: readonly Change[] }> {
  const { source, balance } = request
  const before = (await readState(tx.db, source))!
  const state = merge(before, request.named, tx.now)
  requireEditConsent({ before, state }, request)
  await saveSettings(tx, source, state.source)
  await saveState(tx, source, state)
  const started = isLifted(before, state)
    ? await startRun(tx, caller, { source: { ...source, schedule: state.schedule }, owed: true, balance })
    : { syncId: source.openSyncId, syncNotQueuedReason: null }
  return { ...started, before, changed: changesBetween(before, state) }
}
