import type { Config } from '../config/config.ts'
import { checkMasterKey, findEmptiestShard, findShards } from '../modules/accounts/index.ts'
import { systemClock, type SystemClock } from '../platform/clock.ts'
import { withSeparateLogContext } from '../platform/log-context.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded.ts'
import { refuseInsideUnit, makeUnitOfWork, type UnitOfWork } from '../platform/db/unit-of-work.ts'
import { migrate } from '../platform/db/migrate.ts'
import { hasCitus } from '../platform/db/citus.ts'
import { requireTeamInShard } from '../platform/db/fence.ts'
import { openShards } from '../platform/db/shards.ts'
import {
  openDatabase,
  poolTimeouts,
  type ConnectionSettings,
  type OpenDatabase,
  type PoolTimeouts,
} from '../platform/db/open.ts'
import type { StatementNames } from '../platform/db/prepared.ts'
import { claimWorld } from '../platform/db/world.ts'
import type { Egress } from '../platform/egress/index.ts'
import { loadOrCreateSecret, localSecrets, type LocalSecret } from '../platform/local-secrets.ts'
import type { Log } from '../platform/log.ts'
import { machineIds, type Ids, type Random, machineRandom } from '../platform/random.ts'
import { makeVault } from '../platform/secrets.ts'
import { manualServiceClock, systemServiceClock } from '../platform/service-clock.ts'
import { join } from 'node:path'
import type { HttpParts } from '../edge/http/server.ts'
import type { AiJudge } from '../providers/ai/index.ts'
import type { VendorBreaker } from '../providers/breaker/breaker.ts'
import type { Network } from '../providers/ports.ts'
import type { SendMail, SignInLimits } from '../sign-in/index.ts'
import { startSandbox } from '@les/sandbox'
import type { JobKind } from '../job-catalog.ts'
import { openFaults } from '../platform/faults.ts'
import { openServiceMetrics } from './metrics.ts'
import { openNudges } from '../platform/nudges.ts'
import { noTracing, openTracing } from '../platform/tracing.ts'

export type Undo = () => Promise<unknown>

/** The state of a start: its log, the steps that undo it, and whether it is being undone (lost connections are then expected). */
export interface Opening {
  readonly log: Log
  readonly undo: Undo[]
  readonly stopping: AbortSignal
}

/** What tests may replace. */
export type Overrides = {
  readonly random?: Random
  readonly sandboxSeed?: string
  readonly network?: Network
  readonly judge?: AiJudge
  readonly breaker?: VendorBreaker
  readonly sendMail?: SendMail
  /** Null: no limit on sign-in attempts. */
  readonly signInLimits?: SignInLimits | null
  readonly onUndeclared?: HttpParts['onUndeclared']
  readonly ids?: Ids
  readonly system?: SystemClock
  readonly connection?: ConnectionSettings
  readonly poolSize?: number
  readonly requestTimeouts?: PoolTimeouts
  readonly statementNames?: StatementNames | undefined
  /** No other process uses the database: a manual clock and armed faults are cached. */
  readonly alone?: boolean
}

/** Outbound HTTP that refuses to be used inside a unit of work. */
export const guarded = (egress: Egress): Egress => ({
  request: (request) => {
    refuseInsideUnit('a network call')
    return egress.request(request)
  },
  close: () => egress.close(),
})

async function openConnections(config: Config, overrides: Overrides, { log, undo }: Opening) {
  const embedded = config.databaseUrl === null && !overrides.connection
  const postgres = embedded
    ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: (message, fields) => log.info(message, fields) })
    : undefined
  if (postgres) undo.push(() => postgres.stop())
  const connection = overrides.connection ?? postgres?.connection ?? { connectionString: config.databaseUrl! }
  // Bypasses a pooler that shares sessions: migrations and the clock hold session locks, nudges listen in a session.
  const direct = config.databaseDirectUrl ? { connectionString: config.databaseDirectUrl } : connection
  // A separate direct URL means that the other goes through a pooler.
  const isPooled = (config.databaseDirectUrl ?? config.databaseUrl) !== config.databaseUrl
  return { embedded, connection, direct, isPooled, shards: config.shards ?? 1 }
}

type Connections = Awaited<ReturnType<typeof openConnections>>

/** `teamsMove`: teams may change shards. Not on Citus: locking a team's row on every node would wait for one that is down. */
async function layOut(db: OpenDatabase['bare'], wanted: number) {
  const names = await migrate(db, wanted)
  return { names, teamsMove: names.length > 1 && !(await hasCitus(db)) }
}

async function openPools(
  { connection, direct, isPooled, shards: wanted }: Connections,
  { poolSize, requestTimeouts = poolTimeouts.requests, statementNames }: Overrides,
  { log, undo, stopping }: Opening,
) {
  let isSharded = true
  // A closing pool does not wait for its connections, and the embedded server, which stops next, may end them first.
  const noteLost = (error: Error): void => {
    if (!stopping.aborted) withSeparateLogContext({}, () => log.warn('a database connection was lost', { error }))
  }
  const pool = (size: number, how: { limits?: PoolTimeouts; names?: StatementNames; at?: ConnectionSettings } = {}) =>
    openDatabase(how.at ?? connection, {
      isSharded,
      poolSize: size,
      names: isPooled && how.at === undefined ? 'none' : (how.names ?? 'marked'),
      ...(how.limits ? { poolTimeouts: how.limits } : {}),
      onError: noteLost,
    })
  const migrating = pool(2, isPooled ? { at: direct } : {})
  const { names, teamsMove } = await layOut(migrating.bare, wanted).finally(() => migrating.close())
  isSharded = names.length > 1
  // Slow work must not delay requests, nor either of them health checks. Work repeats its statements; lists vary by team and
  // filter.
  const database = pool(poolSize ?? 12, { limits: poolTimeouts.work, names: statementNames ?? 'repeated' })
  const requests = pool(poolSize ?? 14, { limits: requestTimeouts, names: statementNames ?? 'marked' })
  const health = pool(2, { limits: poolTimeouts.health })
  undo.push(
    () => database.close(),
    () => requests.close(),
    () => health.close(),
  )
  const shards = openShards(names, {
    shardsOf: (teamIds) => findShards(requests.root, teamIds),
    emptiest: (some) => findEmptiestShard(requests.root, some),
  })
  return { database, requests, health, shards, teamsMove }
}

/** With an embedded database both are made once and kept. Throws when the master key does not open what is stored. */
async function openSecrets(config: Config, db: OpenDatabase['bare'], embedded: boolean, ids: Ids) {
  const bytes = (count: number) => ids.bytes(count)
  const kept = (secret: LocalSecret) =>
    embedded ? loadOrCreateSecret(config.dataDir, secret, bytes) : Promise.resolve(secret.make(bytes))
  const masterKey = config.masterKey ?? Buffer.from(await kept(localSecrets.masterKey), 'base64')
  await checkMasterKey(db, masterKey, bytes)
  const operatorToken = config.operatorToken ?? (await kept(localSecrets.operatorToken))
  return { operatorToken, vault: makeVault(masterKey, bytes) }
}

/** Steps to close it are added to `undo`, and run in reverse order. */
async function openInfrastructure(config: Config, overrides: Overrides, opening: Opening) {
  const system = overrides.system ?? systemClock
  const ids = overrides.ids ?? machineIds()
  const connections = await openConnections(config, overrides, opening)
  const { embedded, connection, direct } = connections
  const pools = await openPools(connections, overrides, opening)
  const { bare } = pools.database
  await claimWorld(bare, config.vendors.kind)
  const { alone = false } = overrides
  const clock =
    config.clock.mode === 'manual'
      ? await manualServiceClock(bare, config.clock.start ?? new Date(system.nowMs()), { alone })
      : systemServiceClock(system)
  const secrets = await openSecrets(config, bare, embedded, ids)
  return { system, ids, embedded, connection, direct, ...pools, clock, ...secrets }
}

/** The infrastructure that everything else is built on: database, secrets, service time. */
export type Base = Awaited<ReturnType<typeof openBase>>

type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>

/** Fault points have a pool of their own: a unit of work that passes one already holds a connection. */
function openFaultPoints(config: Config, overrides: Overrides, connection: ConnectionSettings, undo: Undo[]) {
  const pool = config.faults ? openDatabase(connection, { poolSize: 4, onError: () => {} }) : undefined
  if (pool) undo.push(() => pool.close())
  return openFaults(pool?.pool, {
    alone: overrides.alone ?? false,
    kill: () => process.kill(process.pid, 'SIGKILL') as never,
  })
}

/** Starts the sandbox network if configured. It needs the time synchronously, and so gets the last known service time. */
async function openSandbox(config: Config, overrides: Overrides, infrastructure: Infrastructure, undo: Undo[]) {
  const { clock, database, system, embedded } = infrastructure
  let knownNow = await clock.now(database.root)
  const refreshClock = async (): Promise<number> => {
    knownNow = await clock.now(database.root)
    return 0
  }
  if (config.vendors.kind === 'real') return { sandbox: undefined, refreshClock }
  const sandbox = await startSandbox({
    now: () => (clock.mode === 'manual' ? knownNow : new Date(system.nowMs())),
    ...(overrides.sandboxSeed === undefined ? {} : { seed: overrides.sandboxSeed }),
    ...(embedded ? { memoryFile: join(config.dataDir, 'sandbox-memory.json') } : {}),
  })
  undo.push(() => sandbox.close())
  return { sandbox, refreshClock }
}

/** Opens the infrastructure; `undo` receives what must be closed. */
export async function openBase(config: Config, overrides: Overrides, opening: Opening) {
  const { log, undo } = opening
  const infrastructure = await openInfrastructure(config, overrides, opening)
  const { system, ids, connection, direct, database, requests, clock } = infrastructure
  const faults = openFaultPoints(config, overrides, connection, undo)
  const { sandbox, refreshClock } = await openSandbox(config, overrides, infrastructure, undo)
  const has = (role: Config['roles'][number]) => config.roles.includes(role)
  const processId = ids.uuid(new Date(system.nowMs()))
  const nudges = openNudges({ connection, direct, processId, works: has('worker'), log, system })
  undo.push(() => nudges.stop())
  const metrics = openServiceMetrics()
  const tracing = config.tracing ? await openTracing(config.tracing) : noTracing
  undo.push(() => tracing.close())
  // Set when the roles start; nothing works before that.
  const lanes = { wake: (_kinds: readonly JobKind[]): void => {} }
  const judgeAgainListeners = new Set<() => void>()
  const judgeAgain = (): void => {
    for (const each of judgeAgainListeners) each()
  }
  const unitOn = (pool: OpenDatabase): UnitOfWork => {
    const plain = makeUnitOfWork({
      db: pool.bare,
      ...(infrastructure.teamsMove ? { fence: (tx) => requireTeamInShard(tx, system.nowMs()) } : {}),
      ids,
      serviceNow: (db) => clock.now(db),
      wake: (kinds) => {
        lanes.wake(kinds)
        nudges.announce(kinds)
      },
      judgeAgain: () => {
        judgeAgain()
        nudges.announce(['judge_again'])
      },
      onEffectError: (error) => log.error('an effect after a commit failed', { error }),
      count: metrics.count,
    })
    return tracing.on ? (work) => tracing.around('unit of work', { role: 'work' }, () => plain(work)) : plain
  }
  return {
    ...infrastructure,
    config,
    log,
    has,
    random: overrides.random ?? machineRandom,
    processId,
    faults,
    sandbox,
    refreshClock,
    nudges,
    metrics,
    tracing,
    wakes: lanes,
    /** Callbacks that judge the sends in memory again, and the function that calls them. */
    judgeAgainListeners,
    judgeAgain,
    unitOfWork: unitOn(database),
    /** Units of work of requests, on their own pool. */
    unitOfRequests: unitOn(requests),
    serviceNow: () => clock.now(database.root),
  }
}
