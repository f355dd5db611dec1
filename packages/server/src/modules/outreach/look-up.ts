import { OutreachFailure, readProfileUrl } from '../../providers/outreach/port.ts'
import { noteRejected, openConnection, type Connection, type OutreachDeps } from './connection.ts'
import {
  closeBatch,
  leaveOpen,
  leaveUnasked,
  listAddresses,
  lockBatch,
  renewBatch,
  settleFound,
  type OpenBatch,
} from './ledger-store.ts'
import { longestLookMs, nextCheckAfter } from './rules/sending.ts'
import { leaseMs } from './send.ts'

/** Looks up a batch (docs/decisions/0010) and settles it or leaves it open; an unfinished lookup counts as failed. */
export async function lookUp(deps: OutreachDeps, batch: OpenBatch): Promise<void> {
  const connection = await openConnection(deps, batch.teamId)
  const addresses = await listAddresses(deps.db, batch)
  const found = connection && (await findThem(deps, { connection, batch, addresses }))
  await deps.faultPoint('outreach.looked-up')
  await deps.unitOfWork(async (tx) => {
    // Locked before the batch, for the lock order.
    if (connection && found instanceof OutreachFailure && found.kind === 'invalid_key')
      await noteRejected(tx, batch.teamId, connection.sealedHash)
    if (!(await lockBatch(tx, batch))) return
    if (found !== undefined && !(found instanceof OutreachFailure))
      return settleFound(tx, batch, { found: [...found], missing: addresses.filter((url) => isMissing(found, url)) })
    if (found instanceof OutreachFailure && found.held) return leaveUnasked(tx, batch, found.held.until)
    const waitMs = nextCheckAfter(batch.checks)
    return waitMs === null ? closeBatch(tx, batch) : leaveOpen(tx, batch, new Date(tx.now.getTime() + waitMs))
  })
}

/** The campaign may list a person sent by member id under their handle, so only a missing handle proves absence. */
function isMissing(found: ReadonlySet<string>, url: string): boolean {
  const name = readProfileUrl(url)
  return !found.has(url) && name !== null && 'handle' in name
}

type Look = { readonly connection: Connection; readonly batch: OpenBatch; readonly addresses: readonly string[] }

async function findThem(
  deps: OutreachDeps,
  { connection, batch, addresses }: Look,
): Promise<ReadonlySet<string> | OutreachFailure> {
  const { system } = deps
  const [done, late] = [new AbortController(), new AbortController()]
  system.expire(longestLookMs, done.signal).then(
    () => late.abort(),
    () => {},
  )
  const renew = () => deps.unitOfWork((tx) => renewBatch(tx, batch, system.nowMs() + leaseMs))
  // If a renewal fails, another worker takes the batch over and this result is not written.
  const stop = system.every(leaseMs / 3, () => void renew().catch(() => {}))
  try {
    return await deps.platform.findMembers(connection.key, batch.campaignId, addresses, { signal: late.signal })
  } catch (error) {
    if (error instanceof OutreachFailure) return error
    throw error
  } finally {
    stop()
    done.abort()
  }
}
