/** The infrastructure of a process: database, secrets, service time. Part of the composition. */
import type { Config } from '../config/config.ts'
import { checkMasterKey } from '../modules/accounts/index.ts'
import { systemClock, type SystemClock } from '../platform/clock.ts'
import { withSeparateLogContext } from '../platform/log-context.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded.ts'
import { refuseInsideUnit } from '../platform/db/guard.ts'
import { migrate } from '../platform/db/migrate.ts'
import {
  openDatabase,
  poolTimeouts,
  type ConnectionSettings,
  type PoolTimeouts,
  type StatementNames,
} from '../platform/db/open.ts'
import { claimWorld } from '../platform/db/world.ts'
import type { Egress } from '../platform/egress/index.ts'
import { loadOrCreateSecret } from '../platform/local-secrets.ts'
import type { Log } from '../platform/log.ts'
import { machineIds, type Ids } from '../platform/random.ts'
import { makeVault } from '../platform/secrets.ts'
import { manualServiceClock, systemServiceClock } from '../platform/service-clock.ts'

/** A step of the way down. */
export type Undo = () => Promise<unknown>

/** What a test may put in the place of the machine here. */
export type InfrastructureOverrides = {
  readonly ids?: Ids
  readonly system?: SystemClock
  readonly connection?: ConnectionSettings
  readonly poolSize?: number
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

/** Opens it; `undo` gets what must be closed, in this order reversed. */
export async function openInfrastructure(config: Config, overrides: InfrastructureOverrides, log: Log, undo: Undo[]) {
  const system = overrides.system ?? systemClock
  const ids = overrides.ids ?? machineIds()
  const embedded = config.databaseUrl === null && !overrides.connection
  const postgres = embedded
    ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: (message, fields) => log.info(message, fields) })
    : undefined
  if (postgres) undo.push(() => postgres.stop())
  const connection = overrides.connection ?? postgres?.connection ?? { connectionString: config.databaseUrl! }
  // Whoever names a way past a pooler has one.
  const isPooled = (config.databaseDirectUrl ?? config.databaseUrl) !== config.databaseUrl
  const pool = (poolSize: number, limits?: PoolTimeouts, names: StatementNames = 'given', at = connection) =>
    openDatabase(at, {
      poolSize,
      names: isPooled && at === connection ? 'none' : names,
      ...(limits ? { poolTimeouts: limits } : {}),
      onError: (error) => withSeparateLogContext({}, () => log.warn('a database connection was lost', { error })),
    })
  // Past a pooler that lends a session to many: migrations and the clock hold locks of a session, nudges listen in one.
  const direct = config.databaseDirectUrl ? { connectionString: config.databaseDirectUrl } : connection
  const migrating = pool(2, undefined, 'given', direct)
  await migrate(migrating.bare).finally(() => migrating.close())
  // Pools of their own: work that is slow keeps no request waiting, and neither keeps anybody from asking how the service is.
  // Work asks the same statements for ever; a list is planned for the team and the filters it is asked with.
  const database = pool(overrides.poolSize ?? 12, poolTimeouts.work, 'often')
  const requests = pool(overrides.poolSize ?? 14, poolTimeouts.requests)
  const health = pool(2, poolTimeouts.health)
  undo.push(
    () => database.close(),
    () => requests.close(),
    () => health.close(),
  )
  await claimWorld(database.bare, config.vendors.kind)
  const clock =
    config.clock.mode === 'manual'
      ? await manualServiceClock(database.bare, config.clock.start ?? new Date(system.nowMs()), {
          alone: overrides.alone ?? false,
        })
      : systemServiceClock(system)
  const kept = (name: string, make: () => string) =>
    embedded ? loadOrCreateSecret(config.dataDir, name, make) : Promise.resolve(make())
  const masterKey =
    config.masterKey ?? Buffer.from(await kept('master-key', () => ids.bytes(32).toString('base64')), 'base64')
  await checkMasterKey(database.bare, masterKey, (count) => ids.bytes(count))
  const operatorToken =
    config.operatorToken ?? (await kept('operator-token', () => ids.bytes(24).toString('base64url')))
  return {
    system,
    ids,
    embedded,
    connection,
    direct,
    database,
    requests,
    health,
    clock,
    operatorToken,
    vault: makeVault(masterKey, (count) => ids.bytes(count)),
  }
}
