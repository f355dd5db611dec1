/** `/livez` and `/readyz`: every role serves both (G124). */
import { sql, type Kysely } from 'kysely'
import type { SystemClock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/schema.ts'
import type { Reply } from '../reply.ts'

/** What readiness depends on. */
export type HealthParts = { readonly db: Kysely<Database>; readonly system: SystemClock; readonly sandbox: boolean; readonly roles: readonly string[]; readonly draining: () => boolean }

const pingMs = 2_000

async function databaseAnswers(parts: HealthParts): Promise<boolean> {
  const late = new AbortController()
  const ping = sql`select 1`.execute(parts.db).then(
    () => true,
    () => false,
  )
  const timeout = parts.system.sleep(pingMs, late.signal).then(
    () => false,
    () => false,
  )
  const answered = await Promise.race([ping, timeout])
  late.abort()
  return answered
}

/** Alive: the process turns its event loop. */
export function live(): Reply {
  return { status: 200, headers: {}, body: { status: 'ok' } }
}

/** Ready: the database answers and the process is not stopping; else 503. */
export async function ready(parts: HealthParts): Promise<Reply> {
  const draining = parts.draining()
  const database = await databaseAnswers(parts)
  const ok = database && !draining
  return { status: ok ? 200 : 503, headers: {}, body: { status: ok ? 'ready' : 'not ready', database: database ? 'ok' : 'unreachable', draining, sandbox: parts.sandbox, roles: parts.roles } }
}
