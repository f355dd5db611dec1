/** The infrastructure of a process: database, secrets, service time. Part of the composition. */
import type { Config } from '../config/config.ts'
import { checkMasterKey } from '../modules/accounts/index.ts'
import { systemClock, type SystemClock } from '../platform/clock.ts'
import { withSeparateLogContext } from '../platform/log-context.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../platform/db/embedded.ts'
import { refuseInsideUnit } from '../platform/db/guard.ts'
import { migrate } from '../platform/db/migrate.ts'
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
import { machineIds, type Ids } from '../platform/random.ts'
import { makeVault } from '../platform/secrets.ts'
import { manualServiceClock, systemServiceClock } from '../platform/service-clock.ts'

/** A step of the way down. */
export type Undo = () => Promise<unknown>

/** What is told while it is opened, and what takes the steps of the way down. */
export interface Opening {
  readonly log: Log
  readonly undo: Undo[]
}

/** What a test may put in the place of the machine here. */
export type InfrastructureOverrides = {
  readonly ids?: Ids
  readonly system?: SystemClock
  readonly connection?: ConnectionSettings
  /** The embedded database, which somebody has begun to start. */
  readonly postgres?: Promise<EmbeddedPostgres>
  readonly poolSize?: number
  /** How long the connections of requests may take. */
  readonly requestTimeouts?: PoolTimeouts
  /** Which statements the pools of work and of requests prepare, instead of what each usually does. */
  readonly statementNames?: StatementNames | undefined
  /** No other process works on the database: a manual clock and armed faults are remembered instead of read each time. */
  readonly alone?: boolean
}

/** A way out that refuses to be used inside a unit of work. */
export const guarded = (egress: Egress): Egress => ({
  request: (request) => {
    refuseInsideUnit('a network call')
    return egress.request(request)
  },
  close: () => egress.close(),
})

/** Where the database of a process is: its own embedded one, the configured one, or what a test puts in its place. */
async function openConnections(config: Config, overrides: InfrastructureOverrides, { log, undo }: Opening) {
  const embedded = config.databaseUrl === null && !overrides.connection
  const postgres = embedded
    ? await (overrides.postgres ??
        startEmbeddedPostgres({ dataDir: config.dataDir, log: (message, fields) => log.info(message, fields) }))
    : undefined
  if (postgres) undo.push(() => postgres.stop())
  const connection = overrides.connection ?? postgres?.connection ?? { connectionString: config.databaseUrl! }
  // Past a pooler that lends a session to many: migrations and the clock hold locks of a session, nudges listen in one.
  const direct = config.databaseDirectUrl ? { connectionString: config.databaseDirectUrl } : connection
  // Whoever names a way past a pooler has one.
  const isPooled = (config.databaseDirectUrl ?? config.databaseUrl) !== config.databaseUrl
  return { embedded, connection, direct, isPooled }
}

/** Whose secrets are made here. */
interface Machine {
  readonly embedded: boolean
  readonly ids: Ids
}

type Connections = Awaited<ReturnType<typeof openConnections>>

/** Lays the database out and opens its pools. */
async function openPools(
  { connection, direct, isPooled }: Connections,
  { poolSize, requestTimeouts = poolTimeouts.requests, statementNames }: InfrastructureOverrides,
  { log, undo }: Opening,
) {
  const pool = (size: number, how: { limits?: PoolTimeouts; names?: StatementNames; at?: ConnectionSettings } = {}) =>
    openDatabase(how.at ?? connection, {
      poolSize: size,
      names: isPooled && how.at === undefined ? 'none' : (how.names ?? 'marked'),
      ...(how.limits ? { poolTimeouts: how.limits } : {}),
      onError: (error) => withSeparateLogContext({}, () => log.warn('a database connection was lost', { error })),
    })
  const migrating = pool(2, isPooled ? { at: direct } : {})
  await migrate(migrating.bare).finally(() => migrating.close())
  // Pools of their own: work that is slow keeps no request waiting, and neither keeps anybody from asking how the service is.
  // Work asks the same statements for ever; a list is planned for the team and the filters it is asked with.
  const database = pool(poolSize ?? 12, { limits: poolTimeouts.work, names: statementNames ?? 'repeated' })
  const requests = pool(poolSize ?? 14, { limits: requestTimeouts, names: statementNames ?? 'marked' })
  const health = pool(2, { limits: poolTimeouts.health })
  undo.push(
    () => database.close(),
    () => requests.close(),
    () => health.close(),
  )
  return { database, requests, health }
}

/**
 * The vault and the operator's token. Beside an embedded database both are made once and kept; a master key that does not open what
 * is stored ends the start.
 */
async function openSecrets(config: Config, db: OpenDatabase['bare'], { embedded, ids }: Machine) {
  const bytes = (count: number) => ids.bytes(count)
  const kept = (secret: LocalSecret) =>
    embedded ? loadOrCreateSecret(config.dataDir, secret, bytes) : Promise.resolve(secret.make(bytes))
  const masterKey = config.masterKey ?? Buffer.from(await kept(localSecrets.masterKey), 'base64')
  await checkMasterKey(db, masterKey, bytes)
  const operatorToken = config.operatorToken ?? (await kept(localSecrets.operatorToken))
  return { operatorToken, vault: makeVault(masterKey, bytes) }
}

/** Opens it; `undo` gets what must be closed, in this order reversed. */
export async function openInfrastructure(config: Config, overrides: InfrastructureOverrides, opening: Opening) {
  const system = overrides.system ?? systemClock
  const ids = overrides.ids ?? machineIds()
  const connections = await openConnections(config, overrides, opening)
  const { embedded, connection, direct } = connections
  const pools = await openPools(connections, overrides, opening)
  const { bare } = pools.database
  await claimWorld(bare, config.vendors.kind)
  const clock =
    config.clock.mode === 'manual'
      ? await manualServiceClock(bare, config.clock.start ?? new Date(system.nowMs()), {
          alone: overrides.alone ?? false,
        })
      : systemServiceClock(system)
  const secrets = await openSecrets(config, bare, { embedded, ids })
  return { system, ids, embedded, connection, direct, ...pools, clock, ...secrets }
}
