/** Every kind of work, as its module declares it: what claims, drains, samples, releases and records of failures read. */
import { jobKinds, type JobKind, eachKind } from '../job-catalog.ts'
import { agentWork } from '../modules/agent/index.ts'
import { captureWork, postsJobWork } from '../modules/capture/index.ts'
import { deliveryWork, destinationWork, exportWork, pushWork } from '../modules/delivery/index.ts'
import { discoverWork } from '../modules/discover/index.ts'
import { enrichJobWork, enrichmentWork, releaseAllCompanyLookups } from '../modules/enrichment/index.ts'
import { rescoreWork, rankingWork } from '../modules/fit/index.ts'
import { keywordWork } from '../modules/keywords/index.ts'
import { outreachWork } from '../modules/outreach/index.ts'
import { resultsWork } from '../modules/results/index.ts'
import { sendWork } from '../modules/reports/index.ts'
import type { Tx, Reader } from '../platform/db/unit-of-work.ts'
import { releaseLeases, type Step, type WorkRows, hasTurn, isLeased } from '../platform/work/index.ts'
import type { RecordUnexpected, TaskName } from '../platform/task-context.ts'
import { sourcesDue } from '../modules/sources/index.ts'
import { evaluateConditions } from '../platform/db/conditions.ts'

/** The definition of each kind. */
export const works = {
  capture: captureWork,
  keyword: keywordWork,
  enrichment: enrichmentWork,
  enrich_job: enrichJobWork,
  posts_job: postsJobWork,
  delivery: deliveryWork,
  push: pushWork,
  destination: destinationWork,
  export: exportWork,
  outreach: outreachWork,
  rescore: rescoreWork,
  discover: discoverWork,
  agent: agentWork,
  ranking: rankingWork,
  send: sendWork,
  results: resultsWork,
} as const satisfies { readonly [Kind in JobKind]: { readonly kind: Kind } }

export type Steps = Readonly<Record<JobKind, Step>>

export const allRows: readonly WorkRows[] = jobKinds.flatMap((kind): readonly WorkRows[] => works[kind].rows)

/** How an unexpected failure is recorded on a row, by what the row is called. */
export const unexpectedRecords: Readonly<Record<TaskName, RecordUnexpected>> = {
  ...works.capture.unexpected,
  ...works.enrichment.unexpected,
  ...works.enrich_job.unexpected,
  ...works.discover.unexpected,
  ...works.outreach.unexpected,
  ...works.push.unexpected,
  ...works.destination.unexpected,
  ...works.export.unexpected,
  ...works.rescore.unexpected,
  ...works.agent.unexpected,
  ...works.ranking.unexpected,
  ...works.send.unexpected,
  ...works.results.unexpected,
}

/** Ends every lease: an embedded service that boots is alone, so the processes that held them are dead. */
export async function releaseAll(tx: Tx): Promise<void> {
  for (const rows of allRows) await releaseLeases(tx, rows)
  await releaseAllCompanyLookups(tx)
}

/** The kinds of work of which some team may have something due. */
export async function dueKinds(db: Reader, now: Date, nowMs: number): Promise<JobKind[]> {
  const due = await evaluateConditions(
    db,
    eachKind((kind) => hasTurn(kind, now, nowMs)),
  )
  return jobKinds.filter((kind) => due.has(kind))
}

/** What is due or under way, all of one instant: a lane releases a run between two pages, so two statements could each miss it. */
export type WorkState = {
  readonly kinds: readonly JobKind[]
  /** A source waits for its run to be opened. */
  readonly sources: boolean
  /** Some worker has a lease. */
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

/** Kinds of which a unit always asks the network, and of which there may be hundreds of thousands. */
const heldKinds: readonly JobKind[] = ['enrichment']

/** The same steps; those of these kinds find nothing while all vendors of data are held. */
export function heldBack(steps: Steps, allHeld: () => Promise<boolean>): Steps {
  return eachKind((kind) =>
    heldKinds.includes(kind) ? async (closing) => ((await allHeld()) ? 'idle' : steps[kind](closing)) : steps[kind],
  )
}

/** What is due without what is held back, so that nobody waits for it. */
export async function withoutHeld(state: WorkState, allHeld: () => Promise<boolean>): Promise<WorkState> {
  const waiting = state.kinds.filter((kind) => heldKinds.includes(kind))
  if (waiting.length === 0 || !(await allHeld())) return state
  return { ...state, kinds: state.kinds.filter((kind) => !heldKinds.includes(kind)) }
}
