import type { Config } from '../config/config.ts'
import { type Base, openBase, type Overrides, type Undo } from './base.ts'
import { openMail } from '../sign-in/index.ts'
import { type PeriodicTask, startClock, type AskDue } from '../worker/clock.ts'
import { openLanes, startSweep } from '../worker/lanes.ts'
import { type Calls, openCalls, type Parts, partsOf } from './calls.ts'
import {
  type Steps,
  heldBack,
  unexpectedRecords,
  works,
  readWorkState,
  withoutHeld,
  releaseAll,
} from '../worker/works.ts'
import { observeSteps, recordUnexpected, observeTasks } from '../worker/steps.ts'
import { eachKind, type JobKind } from '../job-catalog.ts'
import { atMost } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { evaluateConditions } from '../platform/db/conditions.ts'
import { makeDrain } from '../worker/drain.ts'
import { metricTasks } from '../worker/metrics.ts'
import { openServer, type OperatorHooks } from './server.ts'
import { allTasks, drained } from './tasks.ts'
import { watchAccounts, type VendorOperationParts } from './vendor-operations.ts'

export type { Overrides } from './base.ts'

/** A composed service, its roles running after `start`. */
export type Service = Awaited<ReturnType<typeof composeOn>>

/** The step of every kind of work, observed, held back while no vendor answers, its unexpected failures recorded. */
function openSteps(base: Base, calls: Calls, { shared, outreach, destinations }: Parts): Steps {
  const { config, log, metrics, tracing, system, random, owner, vault, unitOfWork } = base
  const steps: Steps = {
    capture: works.capture.step(shared),
    keyword: works.keyword.step({ ...shared, vault }),
    enrichment: works.enrichment.step(shared),
    enrich_job: works.enrich_job.step(shared),
    posts_job: works.posts_job.step({ ...shared, vault }),
    delivery: works.delivery.step({
      ...shared,
      egress: calls.webhookEgress,
      vault,
      random,
      allowPrivate: config.allowPrivateDestinations,
      log,
      newOwnerId: owner,
    }),
    push: works.push.step(shared),
    destination: works.destination.step(destinations),
    export: works.export.step(shared),
    outreach: works.outreach.step(outreach),
    rescore: works.rescore.step(shared),
    discover: works.discover.step(shared),
    agent: works.agent.step(shared),
    ranking: works.ranking.step(shared),
    send: works.send.step(outreach),
    results: works.results.step(outreach),
  }
  const recorded = recordUnexpected({ unitOfWork, records: unexpectedRecords, kept: calls.kept, metrics, log }, steps)
  return observeSteps({ metrics, tracing, system }, heldBack(recorded, calls.allHeld))
}

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

async function composeOn(config: Config, log: Log, overrides: Overrides, undo: Undo[]) {
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
      // Alone on the data folder: the processes that held leases are dead.
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
