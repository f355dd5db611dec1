/** Working everything that is due at the present service time, here or in other processes (G119). */
import { eachKind, jobKinds, type JobKind } from '../job-catalog.ts'
import type { SystemClock } from '../platform/clock.ts'
import { findIdle, type AskDue, type PeriodicTask } from './clock.ts'
import type { Steps, WorkState } from './works.ts'

/** What a drain has done. */
type Drained = {
  readonly processed: number
  readonly byKind: Readonly<Record<string, number>>
  readonly busy?: boolean
}

const longestMs = 120_000
const waitMs = 15
const longestRestMs = 100

/** What the drain needs; `alsoWorked` counts what the lanes of this process have worked, `rest` waits for one of them. */
type DrainParts = {
  readonly steps: Steps
  readonly tasks: readonly PeriodicTask[]
  readonly ask: AskDue
  readonly system: SystemClock
  readonly readState: () => Promise<WorkState>
  readonly alsoWorked: () => Readonly<Record<JobKind, number>>
  readonly rest: () => Promise<'rested' | 'idle'>
}

/** Runs tasks in their order; answers how much they have done. */
async function runTasks(tasks: readonly PeriodicTask[], ask: AskDue): Promise<number> {
  const idle = await findIdle(tasks, ask)
  let done = 0
  for (const task of tasks) {
    // What one has done may be work for those behind it: they look themselves.
    if (done === 0 && idle.has(task.name)) continue
    done += await task.run()
  }
  return done
}

/**
 * Makes the drain: periodic tasks first, then the steps of the kinds that are due, until nothing is due, nobody holds a lease, and the
 * tasks, run once more after all that, have found nothing, those at last that look for what was missed.
 */
export function makeDrain(parts: DrainParts): () => Promise<Drained> {
  const { steps, system } = parts
  const tasks = parts.tasks.filter(({ seeksMissed }) => !seeksMissed)
  const lastTasks = parts.tasks.filter(({ seeksMissed }) => seeksMissed)
  return async () => {
    const endMs = system.nowMs() + longestMs
    const before = { ...parts.alsoWorked() }
    const here: Record<JobKind, number> = eachKind(() => 0)
    let byClock = await runTasks(tasks, parts.ask)
    // True while nothing has been worked since the tasks last ran.
    let settled = true
    const drained = (): Drained => {
      const after = parts.alsoWorked()
      const counts: [string, number][] = jobKinds.map((kind) => [kind, here[kind] + after[kind] - before[kind]])
      const byKind = Object.fromEntries([...counts, ['clock', byClock] as const].filter(([, count]) => count > 0))
      return { processed: Object.values(byKind).reduce((sum, count) => sum + count, 0), byKind }
    }
    for (;;) {
      const { kinds, sources, leased } = await parts.readState()
      let worked = 0
      for (const kind of jobKinds) {
        if (!kinds.includes(kind)) continue
        while (system.nowMs() < endMs && (await steps[kind]()) === 'worked') {
          worked += 1
          here[kind] += 1
        }
      }
      if (system.nowMs() >= endMs) return { ...drained(), busy: true }
      if (worked > 0 || kinds.length > 0 || leased) settled = false
      if (worked > 0) continue
      if (sources || (!settled && kinds.length === 0 && !leased)) {
        byClock += await runTasks(tasks, parts.ask)
        settled = !sources
      } else if (settled) {
        const missed = await runTasks(lastTasks, parts.ask)
        if (missed === 0) return drained()
        byClock += missed
      }
      // What is left is in the hands of the lanes here, or of other processes.
      else if ((await Promise.race([parts.rest(), system.sleep(longestRestMs)])) === 'idle') await system.sleep(waitMs)
    }
  }
}
