/** The public face of the log of calls. */
import { maxRequests, requestDays } from '@les/contract'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { deleteOldRequests, deleteSurplusRequests } from './store.ts'

const dayMs = 86_400_000

/** Forgets calls older than 30 days and, of a team with more than 100,000, the oldest; at most `limit` of each a time. */
export async function purgeRequests(tx: Tx, limit: number): Promise<number> {
  const old = await deleteOldRequests(tx.db, new Date(tx.now.getTime() - requestDays * dayMs), limit)
  return old + (await deleteSurplusRequests(tx.db, maxRequests, limit))
}

export { openRequestLog, type AnsweredCall, type RequestLog } from './recorder.ts'
export { requestLogOperations } from './operations.ts'
