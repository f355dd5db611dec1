/** What is due, of every kind of work: one statement, so that a process with nothing to do asks one question. */
import { sql } from 'kysely'
import type { JobKind } from '../job-catalog.ts'
import { agentsDue } from '../modules/agent/index.ts'
import { deliveriesDue } from '../modules/delivery/index.ts'
import { discoverRunsDue } from '../modules/discover/index.ts'
import { tasksDue } from '../modules/enrichment/index.ts'
import { rescoresDue } from '../modules/fit/index.ts'
import { jobsDue } from '../modules/jobs/index.ts'
import { outreachDue } from '../modules/outreach/index.ts'
import { runsDue, sourcesDue } from '../modules/sources/index.ts'
import { evaluateConditions, type Condition } from '../platform/db/conditions.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'

/** The kinds of work whose rows wait in the database. */
const waiting = (now: Date, nowMs: number) =>
  ({
    capture: runsDue('capture', now, nowMs),
    keyword: runsDue('keyword', now, nowMs),
    enrichment: tasksDue(now, nowMs),
    enrich_job: jobsDue('enrich_job', now, nowMs),
    posts_job: jobsDue('posts_job', now, nowMs),
    delivery: deliveriesDue(now),
    discover: discoverRunsDue(now, nowMs),
    outreach: outreachDue(now, nowMs),
    agent: agentsDue(now),
    rescore: rescoresDue(now, nowMs),
  }) as const satisfies Partial<Record<JobKind, Condition>>

/** Somebody holds a lease: what is worked on may make more work. */
const leased = (nowMs: number): Condition => sql<boolean>`(
  exists (select 1 from sync where finished_at is null and lease_until_ms >= ${nowMs})
  or exists (select 1 from job where finished_at is null and lease_until_ms >= ${nowMs})
  or exists (select 1 from enrichment_task where lease_until_ms >= ${nowMs})
  or exists (select 1 from delivery where state = 'sending' and lease_until_ms >= ${nowMs})
  or exists (select 1 from discover_run where finished_at is null and lease_until_ms >= ${nowMs})
  or exists (select 1 from outreach_rule where lease_until_ms >= ${nowMs})
  or exists (select 1 from outreach_batch where state <> 'settled' and lease_until_ms >= ${nowMs})
  or exists (select 1 from icp_rescore where not done and lease_until_ms >= ${nowMs}))`

/** The kinds of work of which some is due and in nobody's hands. */
export async function dueKinds(db: Reader, now: Date, nowMs: number): Promise<JobKind[]> {
  return [...(await evaluateConditions(db, waiting(now, nowMs)))]
}

/** What a look at everything finds, all of one instant: a lane gives a run back between two pages, so two looks could each miss it. */
export type Look = {
  readonly kinds: readonly JobKind[] /** A source waits for its run to be opened. */
  readonly sources: boolean /** Work is in somebody's hands. */
  readonly leased: boolean
}

/** Looks at everything that is due or under way. */
export async function lookAtWork(db: Reader, now: Date, nowMs: number): Promise<Look> {
  const holds = await evaluateConditions(db, {
    ...waiting(now, nowMs),
    'a source': sourcesDue(now),
    'a lease': leased(nowMs),
  })
  const [sources, live] = [holds.delete('a source'), holds.delete('a lease')]
  return { kinds: [...holds] as JobKind[], sources, leased: live }
}
