/** Every kind of work, as its module declares it: what claims, drains, samples, releases and records of failures read. */
import { jobKinds, type JobKind } from '../job-catalog.ts'
import { agentWork } from '../modules/agent/index.ts'
import { captureWork, postsJobWork } from '../modules/capture/index.ts'
import { deliveryWork, pushWork } from '../modules/delivery/index.ts'
import { discoverWork } from '../modules/discover/index.ts'
import { enrichJobWork, enrichmentWork, releaseAllCompanyLookups } from '../modules/enrichment/index.ts'
import { rescoreWork, rankingWork } from '../modules/fit/index.ts'
import { keywordWork } from '../modules/keywords/index.ts'
import { outreachWork } from '../modules/outreach/index.ts'
import { sendWork } from '../modules/dashboard/index.ts'
import type { Tx } from '../platform/db/unit-of-work.ts'
import { releaseLeases, type WorkRows } from '../platform/work/index.ts'
import type { RecordUnexpected, WorkSort } from '../platform/work-in-hand.ts'

/** The definition of each kind. */
export const works = {
  capture: captureWork,
  keyword: keywordWork,
  enrichment: enrichmentWork,
  enrich_job: enrichJobWork,
  posts_job: postsJobWork,
  delivery: deliveryWork,
  push: pushWork,
  outreach: outreachWork,
  rescore: rescoreWork,
  discover: discoverWork,
  agent: agentWork,
  ranking: rankingWork,
  send: sendWork,
} as const satisfies { readonly [Kind in JobKind]: { readonly kind: Kind } }

/** All rows that are worked on. */
export const allRows: readonly WorkRows[] = jobKinds.flatMap((kind): readonly WorkRows[] => works[kind].rows)

/** How each sort of row records an unexpected failure. */
export const unexpectedRecords: Readonly<Record<WorkSort, RecordUnexpected>> = {
  ...works.capture.unexpected,
  ...works.enrichment.unexpected,
  ...works.enrich_job.unexpected,
  ...works.discover.unexpected,
  ...works.outreach.unexpected,
  ...works.push.unexpected,
  ...works.rescore.unexpected,
  ...works.agent.unexpected,
  ...works.ranking.unexpected,
  ...works.send.unexpected,
}

/** Ends every lease: an embedded service that boots is alone, so whoever held one is dead. */
export async function releaseAll(tx: Tx): Promise<void> {
  for (const rows of allRows) await releaseLeases(tx, rows)
  await releaseAllCompanyLookups(tx)
}
