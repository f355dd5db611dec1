/** Units of background work as pieces of work: what they are about on every log line, a span and a number for each. */
import { eachKind, type JobKind } from '../job-catalog.ts'
import type { SystemClock } from '../platform/clock.ts'
import { withSeparateLogContext } from '../platform/log-context.ts'
import type { Tracing } from '../platform/tracing.ts'
import type { PeriodicTask } from './clock.ts'
import type { Step } from '../platform/work/index.ts'
import type { Steps } from './lanes.ts'
import type { WorkMetrics } from './metrics.ts'

/** What watching work needs. */
export type ObserveParts = {
  readonly metrics: Pick<WorkMetrics, 'work'>
  readonly tracing: Tracing
  readonly system: SystemClock
}

/** The same steps, watched. A look that found nothing counts for nothing. */
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

/** The same tasks, each run as a piece of work of its own. */
export function observeTasks(tasks: readonly PeriodicTask[]): PeriodicTask[] {
  return tasks.map((task) => ({ ...task, run: () => withSeparateLogContext({ task: task.name }, task.run) }))
}
