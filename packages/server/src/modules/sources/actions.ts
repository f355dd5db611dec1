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
import { countsAsRun, dayAfter, stoppedIfEnded, laterOf } from './rules/schedule.ts'
import { decideTrack, heldMessage, type RequestedSettings } from './rules/settings.ts'
import { makesFirstSync } from './rules/status.ts'
import { listLeftPosts } from './runs/posts.ts'
import { insertRun, saveEnding, type RunEnding } from './runs/rows.ts'
import type { Run } from './runs/run.ts'
import type { Source, SourceName, SourceOfTeam } from './source.ts'
import {
  insertSource,
  mayTrackMore,
  moveCounts,
  saveClosedRun,
  saveDue,
  saveNetworkUrn,
  saveSchedule,
  saveTracked,
  updateSource,
} from './store.ts'

type Tracked = {
  readonly sourceId: string
  readonly syncId: string | null
  readonly syncNotQueuedReason: string | null
}

/** Opens a run of a locked source that has none open; the source is due again in a day at the earliest. */
export async function openRun(
  tx: Tx,
  source: Source,
  trigger: Run['trigger'],
): Promise<{ syncId: string; nextSyncAt: Date }> {
  const lane = source.type === 'keyword' ? 'keyword' : 'capture'
  const syncId = await insertRun(tx, { teamId: source.teamId, sourceId: source.id, trigger, lane })
  const nextSyncAt = trigger === 'manual' ? laterOf(dayAfter(tx.now), source.nextSyncAt) : dayAfter(tx.now)
  await updateSource(tx, source, { open_sync_id: syncId, next_sync_at: nextSyncAt })
  tx.enqueue(lane, source.teamId)
  return { syncId, nextSyncAt }
}

/** `networkUrn`, when known, finds the source under any name it was tracked by; `username` is then the current public name. */
type TrackRequest = {
  readonly type: 'person' | 'company' | 'post'
  readonly username: string
  readonly networkUrn?: string | undefined
  /** The caller named it by `networkUrn`: a source of another kind with the same public name then does not block it. */
  readonly isNamedByUrn?: boolean | undefined
  readonly named: RequestedSettings
  readonly confirmSpend: boolean
}

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
  // The name is another's, or was when it was tracked: this person or page is tracked under its lasting name.
  return {
    existing: await lockSourceByIdentity(tx, teamId, { username: lasting }),
    request: { ...request, username: lasting },
  }
}

/**
 * Tracks a person, company or post: creates, revives or changes the source, and opens a sync when one is owed (without credits it
 * is made due). Refuses an identifier of another kind and an unconfirmed recurring charge; a refusal writes nothing.
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
  if (existing) await saveTracked(tx, existing, { settings: decision.settings, revived: decision.revived, onTrial })
  if (existing && request.networkUrn !== undefined && existing.networkUrn === null)
    await saveNetworkUrn(tx, existing, request.networkUrn)
  // The account's lock is held, so no other request of the team can have created the source.
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
 * Ends a run whose row and source are locked; stops a keyword search whose schedule ends with it (KRN-16..KRN-19). A run that
 * does not make the first sync leaves its unfinished posts to the next one (G144).
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
  const keepsUnfinishedPosts = source.type !== 'keyword' && source.settings.mode === 'engagers' && !source.everCompleted
  await saveEnding(tx, { run, ending, left: keepsUnfinishedPosts ? await listLeftPosts(tx.db, run) : null })
  if (source.type !== 'keyword' || source.status !== 'active') return
  const { schedule } = source
  await saveSchedule(tx, {
    source,
    schedule: stoppedIfEnded(
      countsAsRun(ending) ? { ...schedule, runsCompleted: schedule.runsCompleted + 1 } : schedule,
      tx.now,
    ),
  })
}

const writeOffBatch = 2_000

/** Writes off at most `limit` waiting leads of a locked, untracked source, and notes whether some may be left. */
export async function writeOff(tx: Tx, source: SourceOfTeam, limit = writeOffBatch): Promise<number> {
  const skipped = limit === 0 ? 0 : await skipWaiting(tx, { teamId: source.teamId, ownerId: source.id, limit })
  if (skipped > 0) await moveCounts(tx, source, { pending: -skipped, skipped })
  await updateSource(tx, source, { has_write_off: skipped === limit })
  return skipped
}

/** Ends a source's deliveries when it is untracked; passed in, because delivery is a module above this one. */
export type EndDeliveries = (tx: Tx, source: SourceOfTeam) => Promise<void>

/**
 * Untracks a locked source: ends its run (the worker finds the fence moved) and its deliveries, and writes off waiting leads, at
 * most `most` here, the rest soon after. Leads stay, nothing is refunded (TRK-23, TRK-32..TRK-34). Returns the leads written off.
 */
export async function untrack(
  tx: Tx,
  source: Source,
  { endDeliveries, most = writeOffBatch }: { endDeliveries: EndDeliveries; most?: number },
): Promise<number> {
  await updateSource(tx, source, { status: 'inactive', untracked_at: tx.now, next_sync_at: null, revived: false })
  if (source.openSyncId)
    await closeRun(
      tx,
      { teamId: source.teamId, id: source.openSyncId, sourceId: source.id, startedAt: null, trigger: 'scheduled' },
      { state: 'untracked', stoppedBy: null, errorCode: null, errorText: null },
    )
  const skipped = await writeOff(tx, source, most)
  await endDeliveries(tx, source)
  return skipped
}

/**
 * Untracks all but the oldest of a page's tracked, locked sources, so that nobody is charged twice; their names lead to the
 * oldest, their leads stay (G153).
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

export type Untracked = { ok: true; username: string; profileType: Source['type']; untracked: true }

/** Untracks by name; refuses what is not tracked, and any source of a trial (G127). */
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
