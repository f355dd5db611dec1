/** What is due, of every kind of work: one statement, so that a process with nothing to do asks one question. */
import { eachKind, jobKinds, type JobKind } from '../job-catalog.ts'
import { sourcesDue } from '../modules/sources/index.ts'
import { evaluateConditions } from '../platform/db/conditions.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import { hasTurn, isLeased } from '../platform/work/index.ts'
import { allRows } from './works.ts'

/** The kinds of work of which some team may have something due. */
export async function dueKinds(db: Reader, now: Date, nowMs: number): Promise<JobKind[]> {
  const due = await evaluateConditions(
    db,
    eachKind((kind) => hasTurn(kind, now, nowMs)),
  )
  return jobKinds.filter((kind) => due.has(kind))
}

/** What a look at everything finds, all of one instant: a lane gives a run back between two pages, so two looks could each miss it. */
export type WorkState = {
  readonly kinds: readonly JobKind[] /** A source waits for its run to be opened. */
  readonly sources: boolean /** Work is in somebody's hands. */
  readonly leased: boolean
}

/** Looks at everything that is due or under way. */
export async function readWorkState(db: Reader, now: Date, nowMs: number): Promise<WorkState> {
  const found = await evaluateConditions(db, {
    ...eachKind((kind) => hasTurn(kind, now, nowMs)),
    'a source': sourcesDue(now),
    'a lease': isLeased(allRows, nowMs),
  })
  return {
    kinds: jobKinds.filter((kind) => found.has(kind)),
    sources: found.has('a source'),
    leased: found.has('a lease'),
  }
}
