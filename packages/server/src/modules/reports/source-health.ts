/** Handlers that show how sources do: the last run in words, coverage, yield and warnings; and the runs of one source. */
import {
  runInWords,
  waits as waitsInWords,
  type Answer,
  type RunFacts,
  type SessionOperationOf,
  type StopReason,
} from '@les/contract'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { SessionHandlers } from '../accounts/index.ts'
import { pageOf, readCursor, writeCursor } from '../../platform/keyset.ts'
import { refuse } from '../../platform/refusal.ts'
import { readBalance } from '../credits/index.ts'
import { labelJoins, nameOfSource } from '../leads/index.ts'
import type { RunStop } from '../capture/index.ts'
import { findSource, lastRunStoppedBy, shownState, type RunState, type WaitsFor } from '../sources/index.ts'
import type { AccountTrouble } from '../../providers/ports.ts'
import { warningsOf } from './rules/warnings.ts'
import {
  findHealth,
  listHealth,
  listSourceRuns,
  type HealthPlace,
  type HealthRow,
  type RunRow,
} from './source-health-store.ts'

type Health = Answer<SessionOperationOf<'getSourceHealth'>>['source']
type RunResource = Answer<SessionOperationOf<'listRuns'>>['runs'][number]

/** Compile-time checks: every state of a run, and every reason for stopping or waiting, has words. */
const waits: Readonly<Record<WaitsFor, string>> = waitsInWords
type Covered<_Words, _Some extends _Words> = true
export type EveryStopIsSaid = Covered<StopReason, RunStop>
export type EveryStateIsSaid = Covered<RunFacts['state'], RunState>

const dayMs = 86_400_000
const spentDays = 30
const since = (now: Date): Date => new Date(now.getTime() - spentDays * dayMs)

type OfSource = Pick<RunFacts, 'type' | 'mode' | 'paysFrom'>

const factsOf = (source: OfSource, run: RunRow): RunFacts => ({
  ...run,
  type: source.type,
  paysFrom: source.paysFrom,
  mode: run.mode ?? source.mode,
})
const stoppedByOf = (source: OfSource, run: RunRow) => lastRunStoppedBy(source.type, run)

/** Declared reactions and comments, and lead rows stored; null until a run that captures has ended. */
const coverageOf = (source: OfSource, run: RunRow) =>
  run.finishedAt === null || (run.mode ?? source.mode) === 'posts_only'
    ? null
    : { declared: run.declared, captured: run.heldRows }

function presentLastRun(row: HealthRow): Health['lastRun'] {
  const { run } = row
  if (run === null) return null
  return {
    ...run,
    state: shownState(run.state, row.pending, row.status === 'inactive' && row.skipped > 0),
    stoppedBy: stoppedByOf(row, run),
    words: runInWords(factsOf(row, run)),
  }
}

/** What a source waits for, in words: what its open run does, or, with people to enrich, network accounts that are all held. */
function waitingOf(row: HealthRow, trouble: AccountTrouble | null): string | null {
  if (row.openWaitsFor !== null) return waits[row.openWaitsFor]
  return row.pending > 0 && trouble !== null ? waits[trouble] : null
}

const endedWords = {
  max_runs: 'It has made all the runs it was given.',
  run_once: 'It has made its one run.',
  end_at: 'It has reached its end date.',
} as const

const silentDaysOf = (row: HealthRow, now: Date): number | null =>
  row.mode === 'posts_only'
    ? null
    : Math.max(0, Math.floor((now.getTime() - (row.newestLeadAt ?? row.createdAt).getTime()) / dayMs))

type Circumstances = { readonly balance: number; readonly now: Date; readonly trouble: AccountTrouble | null }

function presentHealth(row: HealthRow, { balance, now, trouble }: Circumstances): Health {
  const { run } = row
  const active = row.status === 'active'
  const silentDays = silentDaysOf(row, now)
  const waiting = waitingOf(row, trouble)
  const coverage = run && coverageOf(row, run)
  const warnings = warningsOf({
    ...row,
    active,
    raw: !row.enrichLeads,
    stopped: row.stoppedAt !== null,
    silentDays,
    lastRun: run && { ...factsOf(row, run), coverage },
    waiting,
    outOfCredits: row.paysFrom === 'team' && balance <= 0,
  })
  return {
    ...row,
    ended: active && row.stoppedReason !== null ? endedWords[row.stoppedReason] : null,
    raw: !row.enrichLeads,
    running: row.openSyncId !== null,
    waiting,
    lastRun: presentLastRun(row),
    coverage,
    silentDays,
    pendingEnrichment: row.pending,
    creditsSpent: row.spent,
    warnings,
  }
}

const presentRun = (source: OfSource, run: RunRow, state: string): RunResource => ({
  ...run,
  state,
  stoppedBy: stoppedByOf(source, run),
  words: runInWords(factsOf(source, run)),
  coverage: coverageOf(source, run),
})

/** A cursor starts with the status of the source its page ended at. */
const writePlace = ({ status, ...position }: HealthPlace): string => `${status}.${writeCursor(position)}`

function readPlace(cursor: string | undefined): HealthPlace | null {
  if (cursor === undefined) return null
  const [status, rest] = cursor.split('.')
  if (status !== 'active' && status !== 'inactive')
    return refuse('invalid_request', {}, '`cursor` must be the nextCursor of a page')
  return { ...readCursor(rest ?? '')!, status }
}

const balanceOf = async (db: Reader, teamId: string, now: Date): Promise<number> =>
  (await readBalance(db, teamId, now)).balance

/** Answers why the network cannot be asked: the accounts at all its vendors are held. Null while one is free. */
type NetworkTrouble = () => Promise<AccountTrouble | null>

export const sourceHealthOperations = (
  networkTrouble: NetworkTrouble,
): SessionHandlers<'listSourceHealth' | 'getSourceHealth' | 'listRuns'> => ({
  listSourceHealth: async (input, { caller: { teamId }, db, now }) => {
    const rows = await listHealth(db, teamId, {
      includeInactive: input.includeInactive,
      after: readPlace(input.cursor),
      limit: input.limit + 1,
      since: since(now),
    })
    const balance = await balanceOf(db, teamId, now)
    const trouble = await networkTrouble()
    const shown = rows.slice(0, input.limit)
    const last = shown.at(-1)
    return {
      sources: shown.map((row) => presentHealth(row, { balance, now, trouble })),
      nextCursor:
        rows.length > input.limit && last ? writePlace({ status: last.status, at: last.createdAt, id: last.id }) : null,
    }
  },
  getSourceHealth: async (input, { caller: { teamId }, db, now }) => {
    const row =
      (input.id === null ? undefined : await findHealth(db, { teamId, id: input.id, since: since(now) })) ??
      refuse('not_found', {}, 'No such source')
    return {
      source: presentHealth(row, { balance: await balanceOf(db, teamId, now), now, trouble: await networkTrouble() }),
    }
  },
  listRuns: async (input, { caller: { teamId }, db }) => {
    const source = (await findSource(db, teamId, { id: input.id })) ?? refuse('not_found', {}, 'No such source')
    const page = pageOf(
      await listSourceRuns(db, {
        teamId,
        sourceId: source.id,
        after: readCursor(input.cursor),
        limit: input.limit + 1,
      }),
      input.limit,
      (run) => ({ at: run.createdAt, id: run.syncId }),
    )
    const of = { type: source.type, mode: source.settings.mode, paysFrom: source.paysFrom }
    const { leadsPending: pending, leadsSkipped: skipped } = source
    // Only leads of the last run can still wait for enrichment.
    const stateOf = (run: RunRow) =>
      run.syncId === source.lastSyncId
        ? shownState(run.state, pending, source.status === 'inactive' && skipped > 0)
        : shownState(run.state, 0)
    return { runs: page.rows.map((run) => presentRun(of, run, stateOf(run))), nextCursor: page.nextCursor }
  },
})

type Named = Answer<SessionOperationOf<'listSourceNames'>>['sources'][number]

/** At most this many names; rows of other sources show the handle. */
const maxNamed = 2_000

const listNames = (db: Reader, teamId: string) =>
  queryAll<Named>(db)`
    with page as materialized (select * from source s where s.team_id = ${teamId}
      order by s.status, s.created_at desc, s.id desc limit ${maxNamed})
    select s.id, s.type, s.username, s.status, ${nameOfSource} as label from page s ${labelJoins}
    order by s.status, s.created_at desc, s.id desc`

export const sourceNameOperations: SessionHandlers<'listSourceNames'> = {
  listSourceNames: async (_input, { caller: { teamId }, db }) => ({ sources: await listNames(db, teamId) }),
}
