import { eachKind, jobKinds, type JobKind } from '../job-catalog.ts'
import type { SystemClock } from '../platform/clock.ts'
import { findIdle, type AskDue, type PeriodicTask } from './clock.ts'
import type { Steps, WorkState } from './works.ts'

/** `busy`: time ran out with work left. */
type Drained = {
  readonly processed: number
  readonly byKind: Readonly<Record<string, number>>
  readonly busy?: boolean
}

const longestMs = 120_000
const waitMs = 15
const longestRestMs = 100

type DrainParts = {
  readonly steps: Steps
  readonly tasks: readonly PeriodicTask[]
  readonly ask: AskDue
  readonly system: SystemClock
  readonly readState: () => Promise<WorkState>
  readonly alsoWorked: () => Readonly<Record<JobKind, number>>
  readonly rest: () => Promise<'rested' | 'idle'>
}

async function runTasks(tasks: readonly PeriodicTask[], ask: AskDue): Promise<number> {
  const idle = await findIdle(tasks, ask)
  let done = 0
  for (const task of tasks) {
    // What an earlier task did may be work for later ones, so they look themselves.
    if (done === 0 && idle.has(task.name)) continue
    done += await task.run()
  }
  return done
}

/** Makes a drain (G119): does all that is due at this service time, until nothing is due or leased and no task finds more. */
export function makeDrain(parts: DrainParts): () => Promise<Drained> {
  const { steps, system } = parts
  const tasks = parts.tasks.filter(({ seeksMissed }) => !seeksMissed)
  const lastTasks = parts.tasks.filter(({ seeksMissed }) => seeksMissed)
  return async () => {
    const endMs = system.nowMs() + longestMs
    const before = { ...parts.alsoWorked() }
    const here: Record<JobKind, number> = eachKind(() => 0)
    let byClock = await runTasks(tasks, parts.ask)
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
      // The rest is with the lanes here, or with other processes.
      else if ((await Promise.race([parts.rest(), system.sleep(longestRestMs)])) === 'idle') await system.sleep(waitMs)
    }
  }
}
