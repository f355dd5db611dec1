/**
 * Notes calls in this process and writes them in one statement a second, so that no request waits for its note and none costs a
 * statement of its own. A process that dies, or cannot reach the database, loses the last second; nothing else depends on these rows.
 */
import type { Kysely } from 'kysely'
import { shareTeamsHere } from '../../../platform/db/fence.ts'
import type { Database } from '../../../platform/db/schema.ts'
import type { Shards } from '../../../platform/db/shards.ts'
import type { Log } from '../../../platform/log.ts'
import type { SystemClock } from '../../../platform/clock.ts'
import type { Ids } from '../../../platform/random.ts'
import { namesPeople, withoutSecrets } from '../audit.ts'
import { erasedPath, type NamesErased } from '../erased-lines.ts'
import { keptBody, keptPath, keptQuery } from './redact.ts'
import { insertRequests, shareLog, type RequestRow } from './store.ts'

export type AnsweredCall = {
  readonly teamId: string
  /** The key, or the person whose agent tool called. */
  readonly caller: {
    readonly keyId: string
    readonly user?: { readonly id: string; readonly email: string } | undefined
  }
  readonly surface: 'api' | 'mcp'
  /** Null when there is no such endpoint. */
  readonly operation: string | null
  readonly method: string
  /** Below `/api/v1`, encoded. */
  readonly path: string
  readonly query: readonly (readonly [string, string | null])[]
  readonly body: Readonly<Record<string, unknown>>
  readonly status: number
  readonly code: string | null
  readonly durationMs: number
  readonly requestId: string
  /** Service time at which the call came. */
  readonly at: Date
}

/** Keeps the log of calls. */
export type RequestLog = {
  /** Notes a call; never throws and never waits. */
  record(call: AnsweredCall): void
  /** Writes what was noted; answers how many rows that was. What cannot be written is lost. */
  flush(): Promise<number>
}

/** Rows that wait at most; a database that is away for longer than they last loses the newest. */
const maxWaiting = 5_000
const rowsAtOnce = 1_000
const minuteMs = 60_000

type RequestLogParts = {
  readonly db: Kysely<Database>
  readonly shards: Pick<Shards, 'byTeams'>
  /** A team may go to another shard. */
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

  /** How many calls this one stands for; 0 when it is not kept. */
  const share = ({ teamId, method, status }: AnsweredCall): number => {
    if (!comesInFloods(method, status)) return 1
    const now = Math.floor(parts.system.nowMs() / minuteMs)
    if (now !== minute) [minute, seen] = [now, new Map()]
    const nth = (seen.get(teamId) ?? 0) + 1
    seen.set(teamId, nth)
    return standsFor(nth)
  }
  const rowOf = (call: AnsweredCall, stands: number): RequestRow => ({
    teamId: call.teamId,
    id: parts.ids.uuid(call.at),
    at: call.at,
    surface: call.surface,
    operation: call.operation,
    method: call.method,
    path: keptPath(call.path),
    query: namesPeople(call.operation) ? '[]' : keptQuery(call.query, withoutSecrets),
    body: namesPeople(call.operation) ? null : keptBody(call.body, withoutSecrets),
    status: call.status,
    code: call.code,
    durationMs: Math.max(0, Math.round(call.durationMs)),
    callerKind: call.caller.user ? 'user' : 'key',
    callerId: call.caller.user?.id ?? call.caller.keyId,
    callerName: call.caller.user?.email ?? '',
    requestId: call.requestId,
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

/** Writes rows of teams of a shard; answers those of teams that are just being moved, which are written when they have arrived. */
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

/** The rows, with nothing of what was sent in those that name somebody whom their team has had erased by now. */
async function withoutErased(
  { db, namesErased }: { readonly db: Kysely<Database>; readonly namesErased: NamesErased },
  rows: readonly RequestRow[],
): Promise<readonly RequestRow[]> {
  const ofErased = await namesErased(
    db,
    rows.flatMap(({ teamId, operation, path, query, body, requestId, at }) => {
      // This or another process may have noted it before an erasure that has gone through the log since.
      const of = namesPeople(operation) ? { teamId } : { teamId, at }
      return [
        { ...of, value: [path, path.split('/'), JSON.parse(query), body === null ? null : JSON.parse(body)] },
        // Callers may name their requests themselves.
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

/** Calls of a kind that are kept in full in a minute of one team. */
export const fullPerMinute = 120

/** Above that, one of so many. */
export const oneOf = 20

const reading = ['GET', 'HEAD', 'OPTIONS']

/** Reads and calls that came too fast come in floods; what was changed or refused otherwise is always kept. */
export const comesInFloods = (method: string, status: number): boolean => reading.includes(method) || status === 429

/** How many calls the `nth` of a minute (from 1) stands for when it is kept; 0 when it is not. */
export function standsFor(nth: number): number {
  if (nth <= fullPerMinute) return 1
  return (nth - fullPerMinute) % oneOf === 0 ? oneOf : 0
}
