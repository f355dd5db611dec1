/** The composition root: the only file that names concrete adapters and plugs everything together. */
import { join } from 'node:path'
import { startSandbox, type Sandbox } from '@les/sandbox'
import type { Config } from './config/config.ts'
import { openHttp, type HttpParts, type HttpServer } from './edge/http/server.ts'
import { purgeSpendAnswers } from './edge/mcp/index.ts'
import { jobKinds, type JobKind } from './job-catalog.ts'
import { accountHandlers, purgeIdempotency } from './modules/accounts/index.ts'
import { agentOperations, agentScores } from './modules/agent/index.ts'
import {
  closeAgentTrial,
  creditOperations,
  followStatus,
  listDueRenewals,
  openAccount,
  readCredits,
  releaseExpiredHolds,
  renewIfDue,
  setAllowance,
  topUp,
} from './modules/credits/index.ts'
import {
  cancelHeldOfUntracked,
  listTeamsHoldingForUntracked,
  deliveryOperations,
  pushOperations,
  purgeDeliveryLog,
  sendSample,
} from './modules/delivery/index.ts'
import { discoverOperations } from './modules/discover/index.ts'
import { enrichmentOperations } from './modules/enrichment/index.ts'
import { icpOperations, leadVerdicts } from './modules/icp/index.ts'
import { jobOperations } from './modules/jobs/index.ts'
import { listingOperations, searchOperations } from './modules/keywords/index.ts'
import { leadOperations } from './modules/leads/index.ts'
import { outreachOperations } from './modules/outreach/index.ts'
import { openRequestLog, purgeRequests } from './modules/request-log/index.ts'
import { postReadOperations, purgePages } from './modules/posts/index.ts'
import {
  editOperations,
  findServedSource,
  lockServedSource,
  openDueRuns,
  postOperations,
  sourceOperations,
  stopEndedSearches,
  writeOffUntracked,
} from './modules/sources/index.ts'
import { purgeSends } from './modules/sends/index.ts'
import type { SystemClock } from './platform/clock.ts'
import { openDatabase, type ConnectionSettings, type OpenDatabase } from './platform/db/open.ts'
import { makeUnitOfWork, type UnitOfWork } from './platform/db/unit-of-work.ts'
import { openGuardedEgress, openVendorEgress } from './platform/egress/index.ts'
import { openFaults, type FaultPointHook } from './platform/faults.ts'
import type { Handlers } from './platform/handler.ts'
import type { Log } from './platform/log.ts'
import { openMetrics, type Metrics } from './platform/metrics.ts'
import { openNudges } from './platform/queue/nudges.ts'
import { eachTeam, healTurns } from './platform/work/index.ts'
import { machineRandom, type Random, type Ids } from './platform/random.ts'
import type { Vault } from './platform/secrets.ts'
import type { ServiceClock } from './platform/service-clock.ts'
import { noTracing, openTracing } from './platform/tracing.ts'
import { sessionHandlersOf } from './dashboard-handlers.ts'
import { guarded, openInfrastructure, type Undo } from './infrastructure.ts'
import {
  openMail,
  inviteForOperator,
  openSignIn,
  originOf,
  purgeEnded,
  strictLimits,
  type SendMail,
  type SignIn,
  type SignInLimits,
} from './sign-in/index.ts'
import { openJudge, openNetwork, openOutreach, observeCalls, tracedEgress } from './vendors.ts'
import type { AiJudge } from './providers/ai/index.ts'
import type { VendorBreaker } from './providers/breaker/port.ts'
import { dailyCap } from './providers/costs/cap.ts'
import { openMeter } from './providers/costs/meter.ts'
import { vendorTasks, vendorCosts, watchAccounts } from './vendor-operations.ts'
import { createPgBreaker } from './providers/breaker/pg-breaker.ts'
import { allVendorsHeld, probeHeld } from './providers/probes.ts'
import type { Network } from './providers/ports.ts'
import { downloadsFolder, pagesFolder } from './places.ts'
import { startClock, type PeriodicTask } from './worker/clock.ts'
import { makeDrain } from './worker/drain.ts'
import { dueKinds, lookAtWork } from './worker/due.ts'
import { metricTasks } from './worker/figures.ts'
import { keepingJudge, keepingNetwork, openKeptAnswers, purgeKeptAnswers } from './worker/kept-answers.ts'
import { openLanes, type Steps } from './worker/lanes.ts'
import { heldBack, withoutHeld } from './worker/held-back.ts'
import { observeSteps, observeTasks } from './worker/observe.ts'
import { recordUnexpected } from './worker/unexpected.ts'
import { allRows, releaseAll, unexpectedRecords, works } from './worker/works.ts'

/** What a test may put in the place of the machine. */
export type Overrides = {
  readonly ids?: Ids
  readonly random?: Random
  readonly system?: SystemClock
  readonly connection?: ConnectionSettings
  readonly poolSize?: number
  readonly sandboxSeed?: string
  readonly network?: Network
  readonly judge?: AiJudge
  readonly breaker?: VendorBreaker
  readonly sendMail?: SendMail /** Null: people may try to sign in as often as they like. */
  readonly signInLimits?: SignInLimits | null /** No other process works on the database: a manual clock and armed faults are remembered instead of read each time. */
  readonly alone?: boolean
  readonly onUndeclared?: HttpParts['onUndeclared']
}

/** A composed service, its roles running after `start`. */
export type Service = {
  readonly config: Config
  readonly http: HttpServer
  /** The pool of background work. */
  readonly database: OpenDatabase
  /** The pool of requests. */
  readonly requests: OpenDatabase
  readonly unitOfWork: UnitOfWork
  readonly clock: ServiceClock
  readonly vault: Vault
  readonly ids: Ids
  readonly network: Network
  readonly judge: AiJudge
  readonly signIn: SignIn
  readonly sandbox: Sandbox | undefined
  readonly operatorToken: string
  readonly metrics: Metrics
  /** Looks at the accounts of the vendors as the clock does; answers how many marks of balances were told. */
  readonly watchVendors: () => Promise<number>
  readonly steps: Steps
  readonly tasks: readonly PeriodicTask[]
  /** Listens and starts working. */
  start(): Promise<void>
  /** Stops in reverse: no new requests, finish what is under way, leave the database as the last. */
  stop(): Promise<void>
}

/** What a drain leaves out: it looks at what is due itself. */
const nudging = 'nudge what is due'

/** Everything that happens by itself. */
function periodicTasks(parts: {
  unitOfWork: UnitOfWork
  database: OpenDatabase
  clock: ServiceClock
  system: SystemClock
  faultPoint: FaultPointHook
  log: Log
  refreshClock: () => Promise<number>
  nudge: (kinds: readonly JobKind[]) => Promise<void>
}): PeriodicTask[] {
  const { unitOfWork, database, clock, system, faultPoint } = parts
  const db = database.root
  const nudge = async (): Promise<number> => {
    const kinds = await dueKinds(db, await clock.now(db), system.nowMs())
    if (kinds.length > 0) await parts.nudge(kinds)
    return 0
  }
  let healedUpTo: string | null = null
  const heal = async (): Promise<number> => {
    const at = { now: await clock.now(database.bare), nowMs: system.nowMs(), after: healedUpTo }
    const { healed, last } = await healTurns(database.bare, allRows, at)
    healedUpTo = last
    return healed
  }
  const round = { db, unitOfWork, serviceNow: clock.now, log: parts.log, faultPoint }
  const renewals = (): Promise<number> =>
    eachTeam(round, {
      task: 'renew credit periods',
      find: (now, without) => listDueRenewals(db, now, 500, without),
      forTeam: async (teamId) => {
        await unitOfWork((tx) => renewIfDue(tx, teamId, faultPoint))
        return 1
      },
    })
  const cancelHeld = (): Promise<number> =>
    eachTeam(round, {
      task: 'give up what is held for untracked sources',
      find: (_now, without) => listTeamsHoldingForUntracked(db, 100, without),
      forTeam: (teamId) => unitOfWork((tx) => cancelHeldOfUntracked(tx, teamId)),
    })
  const minute = 60_000
  return [
    { name: 'follow a clock that another process moved', everyMs: 1_000, run: () => parts.refreshClock() },
    { name: 'renew credit periods', everyMs: 30_000, run: renewals },
    { name: 'stop searches whose end has passed', everyMs: 10_000, run: () => stopEndedSearches(round) },
    { name: 'open due syncs', everyMs: 10_000, run: () => openDueRuns(round) },
    { name: 'write off enrichment of untracked sources', everyMs: 2_000, run: () => writeOffUntracked(round) },
    { name: nudging, everyMs: 2_000, run: nudge },
    { name: 'find due work that nobody marked', everyMs: 30_000, run: heal },
    {
      name: 'release expired credit holds',
      everyMs: 10_000,
      run: () => releaseExpiredHolds(round),
    },
    { name: 'forget old vendor pages', everyMs: 10 * minute, run: () => unitOfWork((tx) => purgePages(tx)) },
    {
      name: 'forget answers kept for work that failed',
      everyMs: 10 * minute,
      run: () => unitOfWork((tx) => purgeKeptAnswers(tx)),
    },
    {
      name: 'forget old safe retries',
      everyMs: 10 * minute,
      run: () => unitOfWork((tx) => purgeIdempotency(tx.db, tx.now, 10_000)),
    },
    {
      name: 'forget answered spend questions',
      everyMs: 10 * minute,
      run: () => unitOfWork((tx) => purgeSpendAnswers(tx)),
    },
    {
      name: 'give up what is held for untracked sources',
      everyMs: 5_000,
      run: cancelHeld,
    },
    {
      name: 'forget ended sessions',
      everyMs: 60 * minute,
      run: () => unitOfWork((tx) => purgeEnded(tx, new Date(system.nowMs()))),
    },
    { name: 'forget old calls', everyMs: 60 * minute, run: () => unitOfWork((tx) => purgeRequests(tx)) },
    {
      name: 'forget old deliveries',
      everyMs: 60 * minute,
      run: () => unitOfWork((tx) => purgeDeliveryLog(tx, tx.now)),
    },
    {
      name: 'forget old sends of people',
      everyMs: 60 * minute,
      run: () => unitOfWork((tx) => purgeSends(tx, new Date(tx.now.getTime() - 30 * 24 * 60 * minute))),
    },
  ]
}

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
  const infrastructure = await openInfrastructure(config, overrides, log, undo)
  const { system, ids, connection, database, requests, clock, vault } = infrastructure
  const random = overrides.random ?? machineRandom
  const owner = ids.uuid(new Date(system.nowMs()))
  const has = (role: Config['roles'][number]) => config.roles.includes(role)
  // A pool of its own: a unit of work that passes a place holds a connection already, and must not wait for another of the same.
  const faultPool = config.faults ? openDatabase(connection, { poolSize: 4, onError: () => {} }) : undefined
  if (faultPool) undo.push(() => faultPool.close())
  const faults = openFaults(faultPool?.pool, {
    alone: overrides.alone ?? false,
    kill: () => process.kill(process.pid, 'SIGKILL') as never,
  })

  // The sandbox asks for the time in the middle of an answer, so it gets the last known service time.
  let knownNow = await clock.now(database.root)
  const refreshClock = async (): Promise<number> => {
    knownNow = await clock.now(database.root)
    return 0
  }
  const sandboxNow = () => (clock.mode === 'manual' ? knownNow : new Date(system.nowMs()))
  const sandbox =
    config.vendors.kind === 'sandbox'
      ? await startSandbox({
          now: sandboxNow,
          ...(overrides.sandboxSeed === undefined ? {} : { seed: overrides.sandboxSeed }),
          ...(infrastructure.embedded ? { memoryFile: join(config.dataDir, 'sandbox-memory.json') } : {}),
        })
      : undefined
  if (sandbox) undo.push(() => sandbox.close())

  const nudges = await openNudges(connection, { supervise: has('clock'), listen: has('worker'), log, system })
  undo.push(() => nudges.stop())
  const worked: Partial<Record<JobKind, number>> = {}
  let wake = (_kinds: readonly JobKind[]): void => {}
  const metrics = openMetrics()
  const tracing = config.tracing ? await openTracing(config.tracing) : noTracing
  undo.push(() => tracing.close())
  const unitOn = (pool: OpenDatabase): UnitOfWork => {
    const plain = makeUnitOfWork({
      db: pool.bare,
      ids,
      serviceNow: (db) => clock.now(db),
      writeNudges: nudges.write,
      wake: (kinds) => wake(kinds),
      onEffectError: (error) => log.error('an effect after a commit failed', { error }),
      count: metrics.count,
    })
    return tracing.on ? (work) => tracing.around('unit of work', { role: 'work' }, () => plain(work)) : plain
  }
  const unitOfWork = unitOn(database)

  const vendorEgress = guarded(openVendorEgress({ system }))
  const webhookEgress = tracedEgress(
    tracing,
    'delivery attempt',
    guarded(openGuardedEgress({ allowPrivate: config.allowPrivateDestinations, system })),
  )
  undo.push(
    () => vendorEgress.close(),
    () => webhookEgress.close(),
  )
  const calling = {
    egress: vendorEgress,
    system,
    random,
    onCall: observeCalls({ log, metrics, tracing, meter: () => meter }),
  }
  const kept = openKeptAnswers({ db: database.root, unitOfWork })
  const serviceNow = () => clock.now(database.root)
  const meter = openMeter({ db: database.root, serviceNow })
  const flushing = system.every(5_000, () => void meter.flush().catch((error: unknown) => log.warn('costs', { error })))
  undo.push(async () => {
    flushing()
    await meter.flush()
  })
  const capped = dailyCap({ db: database.root, caps: config.serving?.dailyDollars ?? {}, meter })
  const breaker = overrides.breaker ?? createPgBreaker({ db: database.root, serviceNow, capped })
  const vendors = overrides.network
    ? { network: overrides.network, accounts: [] }
    : openNetwork(config, sandbox?.addresses, {
        ...calling,
        database,
        owner,
        breaker,
        serviceNow: () => clock.now(database.root),
      })
  const allHeld = allVendorsHeld(breaker, vendors.accounts)
  const network = keepingNetwork(vendors.network, kept)
  const judge = keepingJudge(
    overrides.judge ?? openJudge(config, sandbox?.addresses, { ...calling, ids, breaker }),
    kept,
  )
  const shared = {
    db: database.root,
    unitOfWork,
    network,
    judge,
    system,
    faultPoint: faults.faultPoint,
    owner,
    serviceNow: clock.now,
  }
  const serving = { ...shared, db: requests.root, unitOfWork: unitOn(requests) }
  // The agent module puts its own judgement of leads in the place of `noAgents`.
  const outreach = {
    ...shared,
    platform: openOutreach(config, sandbox?.addresses, { ...calling, database, owner, breaker }),
    vault,
    scores: agentScores,
    log,
  }
  const outreachServing = { ...outreach, db: serving.db, unitOfWork: serving.unitOfWork }
  const watching = { metrics, tracing, system }
  const steps: Steps = observeSteps(
    watching,
    heldBack(
      recordUnexpected(
        { unitOfWork, records: unexpectedRecords, kept, metrics, log },
        {
          capture: works.capture.step(shared),
          keyword: works.keyword.step({ ...shared, vault }),
          enrichment: works.enrichment.step(shared),
          enrich_job: works.enrich_job.step(shared),
          posts_job: works.posts_job.step({ ...shared, vault }),
          delivery: works.delivery.step({
            ...shared,
            egress: webhookEgress,
            vault,
            random,
            allowPrivate: config.allowPrivateDestinations,
            log,
            newOwnerId: owner,
          }),
          push: works.push.step(shared),
          outreach: works.outreach.step(outreach),
          rescore: works.rescore.step(shared),
          discover: works.discover.step(shared),
          agent: works.agent.step(shared),
          send: works.send.step(outreach),
        },
      ),
      allHeld,
    ),
  )
  const nudge = (kinds: readonly JobKind[]): Promise<void> =>
    database.bare.transaction().execute((db) => nudges.write(db, kinds))
  const mail = openMail({ server: config.mail, dataDir: config.dataDir, ids, system, log })
  const vendorWatch = {
    db: database.root,
    accounts: vendors.accounts,
    breaker,
    meter,
    settings: config.serving,
    system,
    serviceNow,
    metrics,
    sendMail: overrides.sendMail ?? mail.send,
    log,
  }
  const tasks = observeTasks([
    ...vendorTasks(vendorWatch, config.clock.mode === 'system'),
    { name: 'try vendors that are held', everyMs: 5_000, run: () => probeHeld({ ...vendors, breaker, log }) },
    ...periodicTasks({ unitOfWork, database, clock, system, faultPoint: faults.faultPoint, log, refreshClock, nudge }),
  ])
  const lanes = openLanes({
    steps,
    system,
    log,
    onWorked: (kind) => (worked[kind] = (worked[kind] ?? 0) + 1),
  })
  const wakeLanes = (kinds: readonly JobKind[]): void => {
    for (const kind of kinds) lanes.wake(kind)
  }
  const periodic = has('clock')
    ? startClockLater({
        tasks: [...tasks, ...metricTasks({ db: database.bare, serviceNow: clock.now, system, metrics, log })],
        connection,
        system,
        log,
      })
    : undefined

  const handlers: Handlers = {
    ...accountHandlers({ ids }),
    ...creditOperations,
    ...deliveryOperations({ vault, allowPrivate: config.allowPrivateDestinations }),
    ...pushOperations({ faultPoint: faults.faultPoint }),
    ...icpOperations({ ...serving, owners: { find: findServedSource, lock: lockServedSource } }),
    ...discoverOperations,
    ...enrichmentOperations({ network, faultPoint: faults.faultPoint }),
    ...jobOperations,
    ...leadOperations(leadVerdicts),
    ...outreachOperations(outreachServing),
    ...agentOperations({
      ...serving,
      enabled: config.agentEnabled,
      allowPrivate: config.allowPrivateDestinations,
      outreach: outreachServing,
    }),
    ...postReadOperations({ ...serving, vault }),
    ...sourceOperations,
    ...listingOperations,
    ...searchOperations({ cutoverAt: config.keywordCutoverAt }),
    ...editOperations({ faultPoint: faults.faultPoint }),
    ...postOperations({ network, faultPoint: faults.faultPoint }),
  }
  // A drain waits for the look that a moved clock has caused: what that look opens is due now.
  let moved: Promise<void> = Promise.resolve()
  const drain = makeDrain({
    steps,
    tasks: tasks.filter((task) => task.everyMs <= 30_000 && task.name !== nudging),
    system,
    look: async () =>
      withoutHeld(await lookAtWork(database.bare, await clock.now(database.bare), system.nowMs()), allHeld),
    alsoWorked: () => worked,
    rest: () => lanes.rest(),
  })

  const publicOrigin = (): string => originOf(config.publicUrl, http.address())
  const signIn = openSignIn({
    db: requests.bare,
    ids,
    system,
    vault,
    log,
    sendMail: vendorWatch.sendMail,
    origin: publicOrigin,
    signUp: config.signUp,
    serviceNow: () => clock.now(requests.root),
    limits: overrides.signInLimits === undefined ? strictLimits : overrides.signInLimits,
    trustedProxies: config.trustedProxies,
  })
  undo.push(
    async () => mail.close(),
    () => signIn.settled(),
  )

  const sampling = {
    db: requests.root,
    vault,
    ids,
    egress: webhookEgress,
    system,
    allowPrivate: config.allowPrivateDestinations,
    serviceNow: clock.now,
  }

  const requestLog = openRequestLog({ db: requests.root, ids, system, log })
  const writing = system.every(1_000, () => void requestLog.flush())
  undo.push(async () => {
    writing()
    await requestLog.flush()
  })

  const http: HttpServer = openHttp({
    handlers,
    requestLog,
    dashboard: {
      signIn,
      publicOrigin,
      tools: signIn.tools,
      pagesFolder,
      downloadsFolder,
      handlers: sessionHandlersOf({
        ...serving,
        vault,
        ids,
        platform: outreach.platform,
        outreach: outreachServing,
        delivering: sampling,
        signIn,
        sandbox: sandbox !== undefined,
        requestLog,
        publicOrigin,
        signUp: config.signUp,
      }),
    },
    db: requests.root,
    pool: requests.pool,
    healthPool: infrastructure.health.pool,
    unitOfWork: serving.unitOfWork,
    clock,
    system,
    vault,
    ids,
    log,
    faultPoint: faults.faultPoint,
    onUndeclared: overrides.onUndeclared,
    metrics,
    tracing,
    sandbox: sandbox !== undefined,
    securityContact: config.securityContact,
    publicUrl: config.publicUrl,
    roles: config.roles,
    serveApi: has('http'),
    operator: {
      token: infrastructure.operatorToken,
      nowMs: () => system.nowMs(),
      db: requests.root,
      unitOfWork: serving.unitOfWork,
      clock,
      vault,
      ids,
      log,
      credits: {
        openAccount: (tx, teamId, account) => openAccount(tx, teamId, account),
        setAllowance,
        topUp,
        read: readCredits,
        standingChanged: async (tx, before, after) => {
          await followStatus(tx, before.id, { from: before.status, to: after.status })
          if (after.status === 'active') await closeAgentTrial(tx, before.id)
        },
      },
      invite: inviteForOperator({ ids, signIn }),
      costs: vendorCosts({ ...vendorWatch, db: requests.root }),
      sendSample: (teamId, sourceId) => sendSample(sampling, teamId, sourceId),
      drain: async () => {
        await moved
        return drain()
      },
      onClockMoved: async () => {
        await refreshClock()
        moved = periodic?.look() ?? Promise.resolve()
      },
      armFault: config.faults ? faults.arm : undefined,
    },
  })

  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await http.close()
    await periodic?.stop()
    await lanes.stop()
    for (const step of undo.reverse()) await step().catch((error: unknown) => log.warn('stopping', { error }))
  }
  return {
    config,
    http,
    database,
    requests,
    unitOfWork,
    clock,
    vault,
    ids,
    network,
    judge,
    signIn,
    sandbox,
    operatorToken: infrastructure.operatorToken,
    metrics,
    watchVendors: () => watchAccounts(vendorWatch),
    steps,
    tasks,
    start: async () => {
      if (infrastructure.embedded) {
        // Alone on the data folder: whoever held a lease is dead.
        await unitOfWork(releaseAll)
      }
      await http.listen(config.port, config.host)
      if (has('worker')) {
        await nudges.listen(jobKinds, (kind) => lanes.wake(kind))
        wake = wakeLanes
        wake(jobKinds)
      }
      periodic?.start()
    },
    stop: () => (stopped ??= stop()),
  }
}

/** A clock that waits to be started, so that nothing happens by itself before the service is up. */
function startClockLater(parts: Parameters<typeof startClock>[0]): {
  start(): void
  look(): Promise<void>
  stop(): Promise<void>
} {
  let clock: ReturnType<typeof startClock> | undefined
  return {
    start: () => {
      clock = startClock(parts)
    },
    look: async () => clock?.look(),
    stop: async () => clock?.stop(),
  }
}
