/** What everything stands on: infrastructure, armed faults, the sandbox network, nudges, metrics, traces and units of work. */
import { join } from 'node:path'
import { startSandbox, type Sandbox } from '@les/sandbox'
import type { Config } from '../config/config.ts'
import type { JobKind } from '../job-catalog.ts'
import { openDatabase, type OpenDatabase } from '../platform/db/open.ts'
import { makeUnitOfWork, type UnitOfWork } from '../platform/db/unit-of-work.ts'
import { openFaults } from '../platform/faults.ts'
import type { Log } from '../platform/log.ts'
import { openServiceMetrics } from './metrics.ts'
import { openNudges } from '../platform/queue/nudges.ts'
import { machineRandom } from '../platform/random.ts'
import { noTracing, openTracing } from '../platform/tracing.ts'
import { openInfrastructure, type Undo } from './infrastructure.ts'
import type { Overrides } from './service.ts'

/** What everything stands on. */
export type Base = Awaited<ReturnType<typeof openBase>>

type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>

/** Named places that a test may arm; their pool is their own, since a unit of work that passes one holds a connection already. */
function openFaultPoints(config: Config, overrides: Overrides, { connection }: Infrastructure, undo: Undo[]) {
  const pool = config.faults ? openDatabase(connection, { poolSize: 4, onError: () => {} }) : undefined
  if (pool) undo.push(() => pool.close())
  return openFaults(pool?.pool, {
    alone: overrides.alone ?? false,
    kill: () => process.kill(process.pid, 'SIGKILL') as never,
  })
}

/**
 * The sandbox network, where the settings ask for it. It asks for the time in the middle of an answer, so it gets the
 * last known service time.
 */
async function openSandbox(config: Config, overrides: Overrides, infrastructure: Infrastructure, undo: Undo[]) {
  const { clock, database, system, embedded } = infrastructure
  let knownNow = await clock.now(database.root)
  const refreshClock = async (): Promise<number> => {
    knownNow = await clock.now(database.root)
    return 0
  }
  let sandbox: Sandbox | undefined
  if (config.vendors.kind === 'sandbox') {
    const opened = await startSandbox({
      now: () => (clock.mode === 'manual' ? knownNow : new Date(system.nowMs())),
      ...(overrides.sandboxSeed === undefined ? {} : { seed: overrides.sandboxSeed }),
      ...(embedded ? { memoryFile: join(config.dataDir, 'sandbox-memory.json') } : {}),
    })
    undo.push(() => opened.close())
    sandbox = opened
  }
  return { sandbox, refreshClock }
}

/** Opens it; `undo` gets what must be closed. */
export async function openBase(config: Config, log: Log, overrides: Overrides, undo: Undo[]) {
  const infrastructure = await openInfrastructure(config, overrides, { log, undo })
  const { system, ids, connection, direct, database, requests, clock } = infrastructure
  const faults = openFaultPoints(config, overrides, infrastructure, undo)
  const { sandbox, refreshClock } = await openSandbox(config, overrides, infrastructure, undo)
  const has = (role: Config['roles'][number]) => config.roles.includes(role)
  const owner = ids.uuid(new Date(system.nowMs()))
  const nudges = openNudges({ connection, direct, owner, works: has('worker'), log, system })
  undo.push(() => nudges.stop())
  const metrics = openServiceMetrics()
  const tracing = config.tracing ? await openTracing(config.tracing) : noTracing
  undo.push(() => tracing.close())
  // Whoever works here is woken once the roles have started.
  const lanes = { wake: (_kinds: readonly JobKind[]): void => {} }
  const unitOn = (pool: OpenDatabase): UnitOfWork => {
    const plain = makeUnitOfWork({
      db: pool.bare,
      ids,
      serviceNow: (db) => clock.now(db),
      wake: (kinds) => {
        lanes.wake(kinds)
        nudges.announce(kinds)
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
    owner,
    faults,
    sandbox,
    refreshClock,
    nudges,
    metrics,
    tracing,
    /** Who is woken after a commit. */
    wakes: lanes,
    /** Units of background work. */
    unitOfWork: unitOn(database),
    /** Units of requests, on their own pool. */
    unitOfRequests: unitOn(requests),
    serviceNow: () => clock.now(database.root),
  }
}
