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
import { endAllLeases, type Step, type WorkRows, hasTurn, isLeased } from '../platform/work/index.ts'
import type { RecordUnexpected, RowKind } from '../platform/task-context.ts'
import { sourcesDue } from '../modules/sources/index.ts'
import { evaluateConditions } from '../platform/db/conditions.ts'

/** Every kind of work: claims, drains, samples and failure records read it from here. */
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

/** Records an unexpected failure, by the kind of row. */
export const unexpectedRecords: Readonly<Record<RowKind, RecordUnexpected>> = {
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

/** Ends every lease: an embedded service that boots is alone, so their owners are dead. */
export async function releaseAll(tx: Tx): Promise<void> {
  for (const rows of allRows) await endAllLeases(tx, rows)
  await releaseAllCompanyLookups(tx)
}

/** The kinds for which some team may have due work. */
export async function dueKinds(db: Reader, now: Date, nowMs: number): Promise<JobKind[]> {
  const due = await evaluateConditions(
    db,
    eachKind((kind) => hasTurn(kind, now, nowMs)),
  )
  return jobKinds.filter((kind) => due.has(kind))
}

/** Read at one instant: a lane releases a run between two pages, so that two statements could both miss it. */
export type WorkState = {
  readonly kinds: readonly JobKind[]
  readonly sources: boolean
  readonly leased: boolean
}

/** Reads what is due or leased. */
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

/** Kinds whose units always ask the network; hundreds of thousands of their rows may wait. */
const heldKinds: readonly JobKind[] = ['enrichment']

/** Makes the steps of `heldKinds` idle while all data vendors are held. */
export function heldBack(steps: Steps, allHeld: () => Promise<boolean>): Steps {
  return eachKind((kind) =>
    heldKinds.includes(kind) ? async (closing) => ((await allHeld()) ? 'idle' : steps[kind](closing)) : steps[kind],
  )
}

/** Leaves held kinds out, so that a drain does not wait for them. */
export async function withoutHeld(state: WorkState, allHeld: () => Promise<boolean>): Promise<WorkState> {
  const waiting = state.kinds.filter((kind) => heldKinds.includes(kind))
  if (waiting.length === 0 || !(await allHeld())) return state
  return { ...state, kinds: state.kinds.filter((kind) => !heldKinds.includes(kind)) }
}
