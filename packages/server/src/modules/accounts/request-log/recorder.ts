/** Collects calls in memory and writes them once a second, so that no request waits. A crash loses the last second. */
import type { Kysely } from 'kysely'
import { shareTeamsHere } from '../../../platform/db/fence.ts'
import type { Database } from '../../../platform/db/schema.ts'
import type { Shards } from '../../../platform/db/shards.ts'
import type { Log } from '../../../platform/log.ts'
import type { SystemClock } from '../../../platform/clock.ts'
import type { Ids } from '../../../platform/random.ts'
import { namesPeople, withoutSecrets } from '../audit.ts'
import { keptBody, keptPath, keptQuery } from './redact.ts'
import { erasedPath, insertRequests, shareLog, type AnsweredCall, type NamesErased, type RequestRow } from './store.ts'

export type RequestLog = {
  /** Collects a call; never throws or waits. */
  record(call: AnsweredCall): void
  /** Writes collected calls; returns how many. A failed write loses them. */
  flush(): Promise<number>
}

/** Most rows waiting; while the database is away, newer ones are dropped. */
const maxWaiting = 5_000
const rowsAtOnce = 1_000
const minuteMs = 60_000

type RequestLogParts = {
  readonly db: Kysely<Database>
  readonly shards: Pick<Shards, 'byTeams'>
  readonly teamsMove: boolean
  readonly ids: Ids
  readonly system: SystemClock
  readonly log: Log
  readonly namesErased: NamesErased
}

export function openRequestLog(parts: RequestLogParts): RequestLog {
  let waiting: RequestRow[] = []
  let minute = 0
  let seen = new Map<string, number>()

  const share = ({ teamId, method, status }: AnsweredCall): number => {
    if (!isSampled(method, status)) return 1
    const now = Math.floor(parts.system.nowMs() / minuteMs)
    if (now !== minute) [minute, seen] = [now, new Map()]
    const nth = (seen.get(teamId) ?? 0) + 1
    seen.set(teamId, nth)
    return standsFor(nth)
  }
  const rowOf = ({ caller, ...call }: AnsweredCall, stands: number): RequestRow => ({
    ...call,
    id: parts.ids.uuid(call.at),
    path: keptPath(call.path),
    query: namesPeople(call.operation) ? '[]' : keptQuery(call.query, withoutSecrets),
    body: namesPeople(call.operation) ? null : keptBody(call.body, withoutSecrets),
    durationMs: Math.max(0, Math.round(call.durationMs)),
    callerKind: caller.user ? 'user' : 'key',
    callerId: caller.user?.id ?? caller.keyId,
    callerName: caller.user?.email ?? '',
    standsFor: stands,
  })
  const flush = async (): Promise<number> => {
    const rows = waiting
    waiting = []
    let written = 0
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const some = rows.slice(from, from + rowsAtOnce)
      try {
        const teams = [...new Set(some.map(({ teamId }) => teamId))]
        await parts.shards.byTeams(teams, async (its) => {
          const theirs = some.filter(({ teamId }) => its.includes(teamId))
          waiting.push(...(await writeHere(parts, theirs)))
        })
        written += some.length
      } catch (error) {
        parts.log.warn('the log of calls could not be written', { rows: some.length, error })
      }
    }
    return written
  }
  let flushing: Promise<number> = Promise.resolve(0)
  return {
    record: (call) => {
      const stands = share(call)
      if (stands > 0 && waiting.length < maxWaiting) waiting.push(rowOf(call, stands))
    },
    flush: () => (flushing = flushing.then(flush)),
  }
}

/** Writes rows of teams on this shard; returns those of teams that are being moved, to be written later. */
async function writeHere(
  { db, teamsMove, namesErased, system }: Pick<RequestLogParts, 'db' | 'teamsMove' | 'namesErased' | 'system'>,
  rows: readonly RequestRow[],
): Promise<readonly RequestRow[]> {
  const teamIds = rows.map(({ teamId }) => teamId)
  return db.transaction().execute(async (tx) => {
    const here = teamsMove ? await shareTeamsHere(tx, teamIds, system.nowMs()) : new Set(teamIds)
    const theirs = rows.filter(({ teamId }) => here.has(teamId))
    if (theirs.length > 0) {
      await shareLog(tx, [...here])
      await insertRequests(tx, await withoutErased({ db: tx, namesErased }, theirs))
    }
    return rows.filter(({ teamId }) => !here.has(teamId))
  })
}

/** Clears what was sent in rows that name a person erased by now. */
async function withoutErased(
  { db, namesErased }: { readonly db: Kysely<Database>; readonly namesErased: NamesErased },
  rows: readonly RequestRow[],
): Promise<readonly RequestRow[]> {
  const ofErased = await namesErased(
    db,
    rows.flatMap(({ teamId, operation, path, query, body, requestId, at }) => {
      // The call may have been collected before an erasure that has already searched the log.
      const of = namesPeople(operation) ? { teamId } : { teamId, at }
      return [
        { ...of, value: [path, path.split('/'), JSON.parse(query), body === null ? null : JSON.parse(body)] },
        // Callers may choose their own request ids.
        { ...of, value: requestId },
      ]
    }),
  )
  return rows.map((row, place) => {
    const [isNamed, isNamedById] = ofErased.slice(2 * place, 2 * place + 2)
    const sent = isNamed || isNamedById ? { path: erasedPath, query: '[]', body: null } : {}
    return { ...row, ...sent, ...(isNamedById ? { requestId: row.id } : {}) }
  })
}

/** Floodable calls of a team kept in full per minute. */
export const fullPerMinute = 120

/** Above `fullPerMinute`, one in this many is kept. */
export const sampleInterval = 20

const reading = ['GET', 'HEAD', 'OPTIONS']

/** Whether calls of this kind are sampled: reads and rate-limited calls. Changes and other refusals are always kept. */
export const isSampled = (method: string, status: number): boolean => reading.includes(method) || status === 429

/** How many calls the minute's `nth` (from 1) stands for; 0: not kept. */
export function standsFor(nth: number): number {
  if (nth <= fullPerMinute) return 1
  return (nth - fullPerMinute) % sampleInterval === 0 ? sampleInterval : 0
}
