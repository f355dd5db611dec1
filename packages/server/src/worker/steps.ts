/**
 * Unexpected failures of steps are recorded on the claimed row, logged and counted. The row is retried after 1, 5 and 30 minutes
 * and 2 hours of service time; the fifth consecutive failure ends it with `internal_error` (decision 0003). Each kind of work
 * says how its rows are rescheduled and ended. A failure that cannot be recorded is left to the row's lease.
 */
import { eachKind, type JobKind } from '../job-catalog.ts'
import type { UnitOfWork } from '../platform/db/unit-of-work.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import {
  isFailureOfTheRow,
  longestWaitMs,
  unexpectedRetryAt,
  withStepContext,
  type StepContext,
  type RecordUnexpected,
  type Recorded,
  type Work,
  type RowKind,
} from '../platform/task-context.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { takeTurn, type Step } from '../platform/work/index.ts'
import type { Steps } from './works.ts'
import type { SystemClock } from '../platform/clock.ts'
import { withSeparateLogContext } from '../platform/log-context.ts'
import type { Tracing } from '../platform/tracing.ts'
import type { PeriodicTask } from './clock.ts'
import type { WorkMetrics } from './metrics.ts'

type UnexpectedParts = {
  readonly unitOfWork: UnitOfWork
  readonly records: Readonly<Record<RowKind, RecordUnexpected>>
  readonly kept: KeptAnswers
  readonly metrics: Pick<Metrics, 'count'>
  readonly log: Log
}

/** Wraps steps so that unexpected failures are recorded; such a step counts as worked, so its lane takes the next team. */
export function recordUnexpected(parts: UnexpectedParts, steps: Steps): Steps {
  const forget = (kind: JobKind, work: Work) =>
    parts.kept
      .forget(work)
      .catch((error: unknown) => parts.log.warn('kept answers could not be deleted', { kind, error }))
  const recording =
    (kind: JobKind, step: Step): Step =>
    (closing) =>
      withStepContext(
        async (context) => {
          try {
            const outcome = await step(closing)
            if (context.work && context.work.failures > 0) await forget(kind, context.work)
            return outcome
          } catch (error) {
            if (!context.work || !isFailureOfTheRow(error)) throw error
            await record(parts, kind, { ...context, work: context.work }, error)
            return 'worked'
          }
        },
        { failed: (context, error) => record(parts, kind, context, error), done: (work) => forget(kind, work) },
      )
  return eachKind((kind) => recording(kind, steps[kind]))
}

async function record(
  parts: UnexpectedParts,
  kind: JobKind,
  context: StepContext & { work: Work },
  error: unknown,
): Promise<void> {
  const { log, metrics } = parts
  const { work } = context
  metrics.count('unexpected_failures', kind, 1)
  const became = await put(parts, kind, context, 'by the schedule').catch((failure: unknown) => {
    log.error('an unexpected failure could not be recorded as it should', { kind, error: failure })
    // Ending the work may be what fails: reschedule it once more, so that others get their turn.
    return put(parts, kind, context, 'once more')
  })
  log.error('a unit of work failed unexpectedly', {
    kind,
    teamId: work.teamId,
    work: work.rowKind,
    workId: work.id,
    failures: work.failures + 1,
    became,
    error,
  })
  if (became !== 'put_off') await parts.kept.forget(work).catch(() => {})
}

function put(
  { unitOfWork, records, kept }: UnexpectedParts,
  kind: JobKind,
  { work, committed, answers }: StepContext & { work: Work },
  how: 'by the schedule' | 'once more',
): Promise<Recorded> {
  return unitOfWork(async (tx) => {
    const dueAt =
      how === 'once more' ? new Date(tx.now.getTime() + longestWaitMs) : unexpectedRetryAt(work.failures, tx.now)
    const recorded = await records[work.rowKind](tx, work, dueAt)
    // Kept in the unit that locks the row, since an erasure changes the fence and deletes answers; not on the second try, in case
    // this is what fails.
    if (recorded === 'put_off' && how === 'by the schedule') await kept.keep(tx, work, answers)
    // A rolled back claim has rolled back the team's turn too.
    if (!committed) await takeTurn(tx, work.teamId, kind)
    return recorded
  })
}

type ObserveParts = {
  readonly metrics: Pick<WorkMetrics, 'work'>
  readonly tracing: Tracing
  readonly system: SystemClock
}

/** Wraps steps with metrics and traces; idle steps are not counted. */
export function observeSteps(parts: ObserveParts, steps: Steps): Steps {
  const { metrics, tracing, system } = parts
  const watched =
    (kind: JobKind, step: Step): Step =>
    (closing) =>
      withSeparateLogContext({ kind }, async () => {
        const startedMs = system.nowMs()
        const took = () => (system.nowMs() - startedMs) / 1000
        try {
          const outcome = await tracing.around(
            `work ${kind}`,
            { role: 'work', end: (result: 'worked' | 'idle') => ({ attributes: { 'les.outcome': result } }) },
            () => step(closing),
          )
          if (outcome === 'worked') metrics.work({ kind, outcome, seconds: took() })
          return outcome
        } catch (error) {
          metrics.work({ kind, outcome: 'failed', seconds: took() })
          throw error
        }
      })
  return eachKind((kind) => watched(kind, steps[kind]))
}

/** Wraps tasks so that each runs in its own log context. */
export function observeTasks(tasks: readonly PeriodicTask[]): PeriodicTask[] {
  return tasks.map((task) => ({ ...task, run: () => withSeparateLogContext({ task: task.name }, task.run) }))
}
