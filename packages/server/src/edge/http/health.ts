/** `/livez` and `/readyz`: every role serves both (G124). */
import { databaseTrouble } from '../../platform/db/trouble.ts'
import { probeWrite, type StatementRunner } from '../../platform/db/world.ts'
import type { SystemClock } from '../../platform/clock.ts'
import type { Reply } from '../reply.ts'

/** What readiness depends on; `pool` has connections that nothing else uses. */
type HealthParts = {
  readonly pool: StatementRunner
  readonly system: SystemClock
  readonly sandbox: boolean
  readonly roles: readonly string[]
  readonly draining: () => boolean
}

type DatabaseState = 'ok' | 'not writable' | 'unreachable'

const probeMs = 2_000

async function probe(pool: StatementRunner): Promise<DatabaseState> {
  try {
    await probeWrite(pool)
    return 'ok'
  } catch (error) {
    return databaseTrouble(error) === 'unwritable' ? 'not writable' : 'unreachable'
  }
}

/** Liveness: the event loop turns. */
export function live(): Reply {
  return { status: 200, headers: {}, body: { status: 'ok' } }
}

/** Readiness: 200 while the database takes a tiny write and nothing is stopping, else 503; concurrent requests share a write. */
export function makeReady(parts: HealthParts): () => Promise<Reply> {
  let running: Promise<DatabaseState> | undefined
  const look = (): Promise<DatabaseState> =>
    (running ??= probe(parts.pool).finally(() => {
      running = undefined
    }))
  const inTime = async (): Promise<DatabaseState> => {
    const late = new AbortController()
    const tooLate = parts.system.expire(probeMs, late.signal).then(
      () => 'unreachable' as const,
      () => 'unreachable' as const,
    )
    const state = await Promise.race([look(), tooLate])
    late.abort()
    return state
  }
  return async () => {
    const draining = parts.draining()
    const database = await inTime()
    const ok = database === 'ok' && !draining
    return {
      status: ok ? 200 : 503,
      headers: {},
      body: { status: ok ? 'ready' : 'not ready', database, draining, sandbox: parts.sandbox, roles: parts.roles },
    }
  }
}
