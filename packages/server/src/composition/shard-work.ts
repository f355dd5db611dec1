/** Lanes, sweep, clock and drain of each shard, so that a slow or unreachable one delays no other. */
import { eachKind, type JobKind } from '../job-catalog.ts'
import { evaluateConditions } from '../platform/db/conditions.ts'
import { currentShard, inShard, onlyShard } from '../platform/db/shards.ts'
import { startClock, type AskDue, type PeriodicTask } from '../worker/clock.ts'
import { makeDrain } from '../worker/drain.ts'
import { openLanes, startSweep } from '../worker/lanes.ts'
import { metricTasks, type summedOverShards } from '../worker/metrics.ts'
import { readWorkState, withoutHeld, type Steps } from '../worker/works.ts'
import type { Base } from './base.ts'
import type { Calls } from './calls.ts'
import type { OperatorHooks } from './server.ts'
import { drained } from './tasks.ts'

type ShardParts = {
  readonly shard: string
  readonly number: number
  readonly steps: Steps
  /** Tasks that run once for all shards; part of this shard's drain, but with several shards on a clock of their own. */
  readonly shared: readonly PeriodicTask[]
  readonly tasks: readonly PeriodicTask[]
  readonly figures: ReturnType<typeof summedOverShards>
}

type ShardWork = ReturnType<typeof openShardWork>

const askDue =
  ({ database, clock }: Base, shard: string): AskDue =>
  (asked) =>
    inShard(shard, async () => {
      const now = await clock.now(database.bare)
      return evaluateConditions(
        database.bare,
        Object.fromEntries(Object.entries(asked).map(([name, mayBeDue]) => [name, mayBeDue(now)])),
      )
    })

const tasksIn = (shard: string, tasks: readonly PeriodicTask[]): PeriodicTask[] =>
  tasks.map(({ run, ...task }) => ({ ...task, run: () => inShard(shard, run) }))

/** The shards' clocks are numbered from 0. */
const clockOfShared = -1

/** Opens a shard's background work; nothing runs before `start`. */
export function openShardWork(base: Base, calls: Calls, { shard, number, ...given }: ShardParts) {
  const { database, clock, system, log, has } = base
  const here = <T>(work: () => T): T => inShard(shard, work)
  // A lane inherits the context of what woke it, so each step enters the shard itself.
  const steps: Steps = eachKind((kind) => (closing) => here(() => given.steps[kind](closing)))
  const shared = tasksIn(onlyShard, given.shared)
  const own = tasksIn(shard, given.tasks)
  const worked: Record<JobKind, number> = eachKind(() => 0)
  const lanes = openLanes({ steps, system, log, onWorked: (kind) => (worked[kind] += 1) })
  const sampling = tasksIn(
    shard,
    metricTasks({ db: database.bare, serviceNow: clock.now, system, metrics: given.figures, log }),
  )
  const ask = askDue(base, shard)
  const drain = makeDrain({
    steps,
    tasks: drained([...shared, ...own]),
    ask,
    system,
    readState: () =>
      here(async () =>
        withoutHeld(await readWorkState(database.bare, await clock.now(database.bare), system.nowMs()), calls.allHeld),
      ),
    alsoWorked: () => worked,
    rest: () => lanes.rest(),
  })
  const wake = (kinds: readonly JobKind[]): void => {
    for (const kind of kinds) lanes.wake(kind)
  }
  const clockOf = (tasks: readonly PeriodicTask[], its: number) =>
    startClock({ tasks, connection: base.direct, number: its, system, log, ask })
  const startClocks = () =>
    shard === onlyShard || shared.length === 0
      ? [clockOf([...shared, ...own, ...sampling], number)]
      : [clockOf(shared, clockOfShared), clockOf([...own, ...sampling], number)]
  let clocks: readonly ReturnType<typeof startClock>[] = []
  let stopSweep = async (): Promise<void> => {}
  return {
    shard,
    steps,
    tasks: [...shared, ...own],
    wake,
    drain,
    tickNow: () => Promise.all(clocks.map((each) => each.tickNow())),
    start: (): void => {
      if (has('worker'))
        stopSweep = here(() => startSweep({ db: database.bare, serviceNow: clock.now, system, log, wake }))
      if (has('clock')) clocks = startClocks()
    },
    stop: async (): Promise<void> => {
      await stopSweep()
      await Promise.all(clocks.map((each) => each.stop()))
      await lanes.stop()
    },
  }
}

/** Combines the work of all shards. */
export function workOfAll(base: Base, shards: readonly ShardWork[]) {
  // A drain waits for the tick that a moved clock caused, since what it makes due is due now.
  let moved: Promise<unknown> = Promise.resolve()
  const hooks: OperatorHooks = {
    drain: async () => {
      await moved
      const byKind: Record<string, number> = {}
      let isBusy = false
      for (const { drain } of shards) {
        const { busy = false, byKind: its } = await drain()
        isBusy ||= busy
        for (const [kind, count] of Object.entries(its)) byKind[kind] = (byKind[kind] ?? 0) + count
      }
      const processed = Object.values(byKind).reduce((sum, count) => sum + count, 0)
      return { processed, byKind, ...(isBusy ? { busy: true } : {}) }
    },
    onClockMoved: async () => {
      await base.refreshClock()
      moved = Promise.all(shards.map(({ tickNow }) => tickNow()))
    },
  }
  const stepOf = (kind: JobKind): Steps[JobKind] => {
    let turn = 0
    return async (closing) => {
      for (const _each of shards) {
        const { steps } = shards[turn++ % shards.length]!
        if ((await steps[kind](closing)) === 'worked') return 'worked'
      }
      return 'idle'
    }
  }
  const start = (): void => {
    if (base.has('worker')) {
      base.nudges.listen((kind) => {
        for (const { wake } of shards) wake([kind])
      }, base.judgeAgain)
      base.wakes.wake = (kinds) => {
        for (const { shard, wake } of shards) if (shards.length === 1 || shard === currentShard()) wake(kinds)
      }
    }
    for (const shard of shards) shard.start()
  }
  const stop = async (): Promise<void> => void (await Promise.all(shards.map((shard) => shard.stop())))
  const [only] = shards
  return {
    hooks,
    start,
    stop,
    steps: shards.length === 1 ? only!.steps : eachKind(stepOf),
    tasks: shards.flatMap(({ tasks }) => tasks),
  }
}
