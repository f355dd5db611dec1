/** Use cases of sources that other modules call. */
import { type Caller, writeUntracked } from '../accounts/index.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { confirmIn, lockAccount } from '../credits/index.ts'
import { skipWaiting } from '../leads/index.ts'
import {
  lastingName,
  listPagesNamed,
  lockActiveSource,
  lockSource,
  lockSourceByIdentity,
  mustBeTracked,
} from './find.ts'
import { countsAsRun, dayAfter, judged, later } from './rules/schedule.ts'
import { decideTrack, heldMessage, type RequestedSettings } from './rules/settings.ts'
import { makesFirstSync } from './rules/status.ts'
import { listLeftPosts } from './runs/posts.ts'
import { insertRun, saveEnding, type RunEnding } from './runs/rows.ts'
import type { Run } from './runs/run.ts'
import type { Source, SourceName, SourceOfTeam } from './source.ts'
import {
  insertSource,
  insertWriteOff,
  mayTrackMore,
  moveCounts,
  saveClosedRun,
  saveDue,
  saveNetworkUrn,
  saveOpenRun,
  saveSchedule,
  saveTracked,
  saveUntracked,
} from './store.ts'

/** What tracking has done. */
type Tracked = {
  readonly sourceId: string
  readonly syncId: string | null
  readonly syncNotQueuedReason: string | null
}

/** Opens a run of a source whose row is locked and has none open; it is due again a day from now at the earliest. */
export async function openRun(
  tx: Tx,
  source: Source,
  trigger: Run['trigger'],
): Promise<{ syncId: string; nextSyncAt: Date }> {
  const lane = source.type === 'keyword' ? 'keyword' : 'capture'
  const syncId = await insertRun(tx, { teamId: source.teamId, sourceId: source.id, trigger, lane })
  const nextSyncAt = trigger === 'manual' ? later(dayAfter(tx.now), source.nextSyncAt) : dayAfter(tx.now)
  await saveOpenRun(tx, { source, syncId, nextSyncAt })
  tx.enqueue(lane, source.teamId)
  return { syncId, nextSyncAt }
}

/**
 * What is to be tracked; `networkUrn` where the network's own id of the person or page is known already, which finds
 * their source under any name it was tracked by. `username` is then their public name.
 */
type TrackRequest = {
  readonly type: 'person' | 'company' | 'post'
  readonly username: string
  readonly networkUrn?: string | undefined
  /** They were named by it: then a source of another kind that has their public name does not stand in the way. */
  readonly isNamedByUrn?: boolean | undefined
  readonly named: RequestedSettings
  readonly confirmSpend: boolean
}

/** Locks what holds the name of what is to be tracked, of whatever kind; it is found under any name it is known by. */
async function lockHeld(
  tx: Tx,
  teamId: string,
  request: TrackRequest,
): Promise<{ existing: Source | undefined; request: TrackRequest }> {
  const { type, username, networkUrn } = request
  const lasting = networkUrn === undefined ? username : lastingName(networkUrn)
  const same = await lockSource(tx, teamId, { type, username: lasting })
  const existing = same ?? (await lockSourceByIdentity(tx, teamId, { username }))
  const isTheirs =
    existing?.type === type ? (existing.networkUrn ?? networkUrn) === networkUrn : request.isNamedByUrn !== true
  if (networkUrn === undefined || existing === undefined || isTheirs) return { existing, request }
  // The name is somebody else's, or was when it was tracked: this person or page is tracked under the name that lasts.
  return {
    existing: await lockSourceByIdentity(tx, teamId, { username: lasting }),
    request: { ...request, username: lasting },
  }
}

/**
 * Tracks a person, company or post: makes the source, revives it, or changes its settings, and opens a sync where one is owed; while
 * the balance is empty the source is left due instead. Refuses an identifier of another kind and an unconfirmed
 * recurring charge; a refusal writes nothing.
 */
export async function trackSource(tx: Tx, caller: Caller, asked: TrackRequest): Promise<Tracked> {
  const { balance } = await lockAccount(tx, caller.teamId)
  const { existing, request } = await lockHeld(tx, caller.teamId, asked)
  const decision = decideTrack(existing ? { ...existing, active: existing.status === 'active' } : null, {
    ...request,
    balance,
    captureAllowed: caller.captureAllowed,
  })
  if (decision.kind === 'in_use') return refuse('identifier_in_use', {}, heldMessage(request, existing!))
  if (decision.kind === 'misplaced')
    return refuse(
      'invalid_request',
      {},
      `${decision.field} cannot be combined with mode posts_only, which ${request.username} is set to`,
    )
  if (decision.kind === 'refused')
    return refuse('spend_confirmation_required', decision.figures, confirmIn(decision.figures.mode))
  if ((!existing || decision.revived) && !(await mayTrackMore(tx, caller.teamId))) return refuse('source_limit_reached')
  const onTrial = caller.status === 'trial'
  if (existing)
    await saveTracked(tx, { source: existing, settings: decision.settings, revived: decision.revived, onTrial })
  if (existing && request.networkUrn !== undefined && existing.networkUrn === null)
    await saveNetworkUrn(tx, existing, request.networkUrn)
  // The account's lock is held, so no other request of the team can have made the source meanwhile.
  const source =
    existing ?? (await insertSource(tx, { teamId: caller.teamId, ...request, settings: decision.settings }))
  if (!source) throw new Error('a source appeared under the lock of its team')
  if (decision.sync.kind === 'due') await saveDue(tx, source)
  if (decision.sync.kind === 'none' || decision.sync.kind === 'due')
    return { sourceId: source.id, syncId: null, syncNotQueuedReason: decision.sync.reason }
  const syncId = decision.sync.kind === 'running' ? decision.sync.id : (await openRun(tx, source, 'track')).syncId
  return { sourceId: source.id, syncId, syncNotQueuedReason: null }
}

/**
 * Ends a run whose row and source are locked, and lets the source go on; a keyword search whose schedule has come to its end with it
 * is stopped (KRN-16..KRN-19). A run that does not make the first sync leaves the posts it was not done with to the next one (G144).
 */
export async function closeRun(
  tx: Tx,
  run: Pick<Run, 'teamId' | 'id' | 'sourceId' | 'startedAt' | 'trigger'>,
  ending: RunEnding,
): Promise<void> {
  const source = await saveClosedRun(tx, run, {
    completed: makesFirstSync(ending),
    notBefore: run.startedAt && dayAfter(run.startedAt),
  })
  const goesOn = source.type !== 'keyword' && source.settings.mode === 'engagers' && !source.everCompleted
  await saveEnding(tx, { run, ending, left: goesOn ? await listLeftPosts(tx.db, run) : null })
  if (source.type !== 'keyword' || source.status !== 'active') return
  const { schedule } = source
  await saveSchedule(tx, {
    source,
    schedule: judged(
      countsAsRun(ending) ? { ...schedule, runsCompleted: schedule.runsCompleted + 1 } : schedule,
      tx.now,
    ),
  })
}

const writeOffBatch = 2_000

/** Writes off waiting leads of an untracked source whose row is locked, at most `limit`; `isDone` unless some may be left. */
export async function writeOff(
  tx: Tx,
  source: SourceOfTeam,
  limit = writeOffBatch,
): Promise<{ skipped: number; isDone: boolean }> {
  const skipped = limit === 0 ? 0 : await skipWaiting(tx, { teamId: source.teamId, ownerId: source.id, limit })
  if (skipped > 0) await moveCounts(tx, source, { pending: -skipped, skipped })
  return { skipped, isDone: skipped < limit }
}

/** Ends what is on its way to the webhook of a source that is just untracked; deliveries lie above sources, and are plugged in. */
export type EndDeliveries = (tx: Tx, source: SourceOfTeam) => Promise<void>

/**
 * Untracks a source whose row is locked: a run under way is ended here (its worker finds the fence moved at its next
 * checkpoint), what is on its way to its webhook ends, waiting enrichment is written off, what is beyond `most` leads shortly after;
 * leads stay, nothing is refunded (TRK-23, TRK-32..TRK-34). Answers how many leads it has written off.
 */
export async function untrack(
  tx: Tx,
  source: Source,
  { endDeliveries, most = writeOffBatch }: { endDeliveries: EndDeliveries; most?: number },
): Promise<number> {
  await saveUntracked(tx, source)
  if (source.openSyncId)
    await closeRun(
      tx,
      { teamId: source.teamId, id: source.openSyncId, sourceId: source.id, startedAt: null, trigger: 'scheduled' },
      { state: 'untracked', stoppedBy: null, errorCode: null, errorText: null },
    )
  const { skipped, isDone } = await writeOff(tx, source, most)
  if (!isDone) await insertWriteOff(tx, source)
  await endDeliveries(tx, source)
  return skipped
}

/**
 * Of tracked sources that turn out to be one company page, all locked, untracks all but the one that was made first, so that nobody
 * is charged twice from then on; their names lead to it, their leads stay, and the operator can see them (G153).
 */
export async function endDoubles(
  tx: Tx,
  page: { readonly teamId: string; readonly networkUrn: string },
  endDeliveries: EndDeliveries,
): Promise<void> {
  const { teamId, networkUrn } = page
  const [, ...doubles] = await listPagesNamed(tx.db, teamId, networkUrn)
  for (const double of doubles) {
    await untrack(tx, double, { endDeliveries })
    await writeUntracked(tx, double)
  }
}

/** What untracking answers. */
export type Untracked = { ok: true; username: string; profileType: Source['type']; untracked: true }

/** Untracks what a name leads to; refuses what is not tracked, and any source of a trial (G127). */
export async function untrackByName(
  tx: Tx,
  caller: Caller,
  { name, endDeliveries }: { name: SourceName; endDeliveries: EndDeliveries },
): Promise<Untracked> {
  await mustBeTracked(tx.db, caller.teamId, name)
  await lockAccount(tx, caller.teamId)
  const source = (await lockActiveSource(tx, caller.teamId, name)) ?? refuse('not_tracked')
  if (caller.status === 'trial') refuse('trial_source')
  await untrack(tx, source, { endDeliveries })
  await writeUntracked(tx, source)
  return { ok: true, username: source.username, profileType: source.type, untracked: true }
}
