/** The composition root: plugs the parts of this folder together, and starts and stops what they open. */
import type { Config } from '../config/config.ts'
import { eachKind, type JobKind } from '../job-catalog.ts'
import { atMost } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { openMail } from '../sign-in/index.ts'
import { evaluateConditions } from '../platform/db/conditions.ts'
import { startClock, type AskDue, type PeriodicTask } from '../worker/clock.ts'
import { makeDrain } from '../worker/drain.ts'
import { readWorkState } from '../worker/due.ts'
import { metricTasks } from '../worker/metric-tasks.ts'
import { withoutHeld } from '../worker/held-back.ts'
import { openLanes, type Steps } from '../worker/lanes.ts'
import { observeTasks } from '../worker/observe.ts'
import { startSweep } from '../worker/sweep.ts'
import { releaseAll } from '../worker/works.ts'
import { openBase, type Base } from './base.ts'
import { openCalls, type Calls } from './calls.ts'
import type { Undo } from './infrastructure.ts'
import { partsOf } from './parts.ts'
import { openServer, type OperatorHooks } from './server.ts'
import type { Overrides, Service } from './service.ts'
import { openSteps } from './steps.ts'
import { allTasks, drained } from './tasks.ts'
import { watchAccounts, type VendorOperationParts } from './vendor-operations.ts'

export type { Overrides, Service } from './service.ts'

/**
 * For work that is under way when the service ends, in milliseconds; a vendor may be silent for longer. What is left then
 * is left as by a process that died: its lease runs out, and it is done again.
 */
const lastWorkMs = 8_000

/** Composes the service of a configuration; `log` gets everything. Nothing listens or works before `start`. */
export async function compose(config: Config, log: Log, overrides: Overrides = {}): Promise<Service> {
  const undo: Undo[] = []
  try {
    return await composeOn(config, log, overrides, undo)
  } catch (error) {
    for (const step of undo.reverse()) await step().catch(() => {})
    throw error
  }
}

async function composeOn(config: Config, log: Log, overrides: Overrides, undo: Undo[]): Promise<Service> {
  const base = await openBase(config, log, overrides, undo)
  const calls = openCalls(base, overrides, undo)
  const parts = partsOf(base, calls)
  const steps = openSteps(base, calls, parts)
  const vendors = openVendorOperations(base, calls, overrides, undo)
  const tasks = observeTasks(allTasks(base, calls, vendors, undo))
  const working = openWorking(base, calls, steps, tasks)
  const { http, signIn } = openServer(base, parts, { overrides, vendors, hooks: working.hooks, undo })
  const stop = async (): Promise<void> => {
    // Beside one another: either may wait for somebody silent, and both together end within ten seconds.
    await Promise.all([http.close(), atMost(base.system, lastWorkMs, working.stop())])
    for (const step of undo.reverse()) await step().catch((error: unknown) => log.warn('stopping', { error }))
  }
  let stopped: Promise<void> | undefined
  const { database, requests, unitOfWork, clock, vault, ids, sandbox, operatorToken, metrics } = base
  return {
    config,
    http,
    database,
    requests,
    unitOfWork,
    clock,
    vault,
    ids,
    network: calls.network,
    judge: calls.judge,
    signIn,
    sandbox,
    operatorToken,
    metrics,
    watchVendors: () => watchAccounts(vendors),
    steps,
    tasks,
    start: async () => {
      // Alone on the data folder: whoever held a lease is dead.
      if (base.embedded) await unitOfWork(releaseAll)
      await http.listen(config.port, config.host)
      await working.start()
    },
    stop: () => (stopped ??= stop()),
  }
}

function openVendorOperations(base: Base, calls: Calls, overrides: Overrides, undo: Undo[]): VendorOperationParts {
  const { config, ids, system, log, database, metrics, serviceNow } = base
  const mail = openMail({ server: config.mail, dataDir: config.dataDir, ids, system, log })
  undo.push(async () => mail.close())
  const { accounts, breaker, meter } = calls
  return {
    db: database.root,
    accounts,
    breaker,
    meter,
    settings: config.serving,
    system,
    serviceNow,
    metrics,
    sendMail: overrides.sendMail ?? mail.send,
    log,
  }
}

/** What of the clock's tasks may have something due, now. */
const askDue =
  ({ database, clock }: Base): AskDue =>
  async (asked) => {
    const now = await clock.now(database.bare)
    return evaluateConditions(
      database.bare,
      Object.fromEntries(Object.entries(asked).map(([name, mayBeDue]) => [name, mayBeDue(now)])),
    )
  }

/** Starts the clock of a process: what is periodic, when it may be due. */
const startPeriodic = (base: Base, tasks: readonly PeriodicTask[]) =>
  startClock({ tasks, connection: base.direct, system: base.system, log: base.log, ask: askDue(base) })

/** Lanes, the clock and drains of a process: what works in it once it has started. */
function openWorking(base: Base, calls: Calls, steps: Steps, tasks: readonly PeriodicTask[]) {
  const { database, clock, system, metrics, log, nudges, has } = base
  const worked: Record<JobKind, number> = eachKind(() => 0)
  const lanes = openLanes({ steps, system, log, onWorked: (kind) => (worked[kind] += 1) })
  const sampling = metricTasks({ db: database.bare, serviceNow: clock.now, system, metrics, log })
  let periodic: ReturnType<typeof startClock> | undefined
  const drain = makeDrain({
    steps,
    tasks: drained(tasks),
    ask: askDue(base),
    system,
    readState: async () =>
      withoutHeld(await readWorkState(database.bare, await clock.now(database.bare), system.nowMs()), calls.allHeld),
    alsoWorked: () => worked,
    rest: () => lanes.rest(),
  })
  // A drain waits for the tick that a moved clock has caused: what that tick makes due is due now.
  let moved: Promise<void> = Promise.resolve()
  const hooks: OperatorHooks = {
    drain: async () => {
      await moved
      return drain()
    },
    onClockMoved: async () => {
      await base.refreshClock()
      moved = periodic?.tickNow() ?? Promise.resolve()
    },
  }
  let stopSweep = async (): Promise<void> => {}
  const start = async (): Promise<void> => {
    if (has('worker')) {
      nudges.listen((kind) => lanes.wake(kind))
      base.wakes.wake = (kinds) => {
        for (const kind of kinds) lanes.wake(kind)
      }
      stopSweep = startSweep({ db: database.bare, serviceNow: clock.now, system, log, wake: base.wakes.wake })
    }
    if (has('clock')) periodic = startPeriodic(base, [...tasks, ...sampling])
  }
  const stop = async (): Promise<void> => {
    await stopSweep()
    await periodic?.stop()
    await lanes.stop()
  }
  return { hooks, start, stop }
}
