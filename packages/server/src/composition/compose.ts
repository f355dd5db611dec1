import type { Config } from '../config/config.ts'
import { type Base, openBase, type Overrides, type Undo } from './base.ts'
import { openMail } from '../sign-in/index.ts'
import { type Calls, openCalls, type Parts, partsOf } from './calls.ts'
import { type Steps, heldBack, unexpectedRecords, works, releaseAll } from '../worker/works.ts'
import { observeSteps, recordUnexpected, observeTasks } from '../worker/steps.ts'
import { atMost } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { summedOverShards } from '../worker/metrics.ts'
import { openServer } from './server.ts'
import { openShardWork, workOfAll } from './shard-work.ts'
import { sharedTasks, shardTasks } from './tasks.ts'
import { watchAccounts, type VendorOperationParts } from './vendor-operations.ts'

export type { Overrides } from './base.ts'

/** A composed service; its roles run after `start`. */
export type Service = Awaited<ReturnType<typeof composeOn>>

function openSteps(base: Base, calls: Calls, { shared, outreach, destinations }: Parts): Steps {
  const { config, log, metrics, tracing, system, random, vault, unitOfWork } = base
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
      judgeAgainListeners: base.judgeAgainListeners,
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

/** How long a stop waits for running work; vendors may be silent longer. Unfinished work is repeated when its lease expires. */
const lastWorkMs = 8_000

/** Composes the service. Nothing listens or works before `start`. */
export async function compose(config: Config, log: Log, overrides: Overrides = {}): Promise<Service> {
  const undo: Undo[] = []
  const stopping = new AbortController()
  try {
    return await composeOn(config, log, overrides, undo, stopping)
  } catch (error) {
    stopping.abort()
    for (const step of undo.reverse()) await step().catch(() => {})
    throw error
  }
}

async function composeOn(config: Config, log: Log, overrides: Overrides, undo: Undo[], stopping: AbortController) {
  const base = await openBase(config, overrides, { log, undo, stopping: stopping.signal })
  const calls = openCalls(base, overrides, undo)
  const parts = partsOf(base, calls)
  const vendors = openVendorOperations(base, calls, overrides, undo)
  const figures = summedOverShards(base.metrics)
  const shardWorks = base.shards.names.map((shard, number) =>
    openShardWork(base, calls, {
      shard,
      number,
      steps: openSteps(base, calls, parts),
      shared: observeTasks(number === 0 ? sharedTasks(base, calls, vendors) : []),
      tasks: observeTasks(shardTasks(base)),
      figures,
    }),
  )
  const working = workOfAll(base, shardWorks)
  const { http, signIn } = openServer(base, parts, overrides, vendors, working.hooks, undo)
  const stop = async (): Promise<void> => {
    stopping.abort()
    // In parallel: either may wait for a silent peer, and together they end within ten seconds.
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
    shards: base.shards,
    steps: working.steps,
    tasks: working.tasks,
    start: async () => {
      // This process is alone on the data folder, so the owners of leases are dead.
      if (base.embedded) await base.shards.each(() => unitOfWork(releaseAll))
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
    shards: base.shards,
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
