/**
 * Deliveries (G49, G134; WHK-13..WHK-17, WHK-27). A row is one event for one owner, made in the unit of work that decides that it
 * goes out; it is never made twice, so what is sent is not sent again.
 *
 *   pending    waits for `due_at`; a pushed lead is serialised when it is first claimed.
 *              claimed, URL set, source tracked, endpoint not disabled        -> sending
 *              claimed, endpoint disabled                                     -> held (with all that wait for that endpoint)
 *              claimed, source untracked                                      -> cancelled (with all that wait for it)
 *              URL cleared by a PUT                                           -> cancelled; the lead becomes no_webhook
 *   sending    under a lease of 60 s of system time and a fence; the POST happens outside any transaction. Afterwards, if the
 *              fence is still ours:
 *              2xx                                                            -> sent; the lead becomes sent
 *              410, or the endpoint only failed for 5 days                    -> held, and the endpoint is disabled
 *              anything else, attempts left                                   -> pending, due per the schedule from now on
 *              anything else, after the tenth attempt                         -> failed; the lead becomes failed
 *              the lease runs out (the worker died)                           -> claimed again: the same id, the same bytes
 *              the service closes                                             -> pending, the attempt not counted
 *              URL cleared by a PUT                                           -> cancelled; a receiver that accepts it all the
 *                                                                                same makes it sent, because it is
 *   held       a PUT that names the URL                                       -> pending with a fresh schedule
 *              (a pushed lead not enriched yet) its enrichment ends           -> pending; cancelled when it was pushed as ICP
 *                                                                                only, does not match, and would not go by itself
 *              source untracked                                               -> cancelled
 *              URL cleared by a PUT                                           -> cancelled
 *   sent, failed, cancelled   final; only a push brings failed and cancelled ones back.
 *
 * A crash after the receiver answered and before that is recorded sends once more under the same id: at least once, never lost.
 */
import type { SystemClock } from '../../platform/clock.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { PassFault } from '../../platform/faults.ts'
import type { Log } from '../../platform/log.ts'
import type { Chance } from '../../platform/random.ts'
import type { Vault } from '../../platform/secrets.ts'
import { readSigningSecrets } from '../accounts/index.ts'
import { attemptPost } from './attempt.ts'
import { serialise } from './actions.ts'
import { leaseFirst, listServableEndpoints, type LeasedDelivery } from './lease-store.ts'
import { giveBack, recordAttempt, withhold } from './record.ts'
import { judge } from './rules/outcome.ts'
import { verdictOn } from './rules/endpoint.ts'
import { findWebhook, tryLockWebhook } from './settings-store.ts'
import type { SigningSecrets } from './signing.ts'
import { isSourceActive } from './sources-store.ts'

/** What deliveries are made with. */
export type DeliveryDeps = {
  /** The root handle, for reads outside units of work. */
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly egress: Egress
  readonly vault: Vault
  readonly system: SystemClock
  readonly chance: Chance
  readonly pass: PassFault
  readonly allowPrivate: boolean
  readonly log: Log
  /** The uuid of this process, written on its leases. */
  readonly newOwnerId: string
  readonly serviceNow: (db: Reader) => Promise<Date>
  /** Instead of 15 s for one attempt, in tests of slow receivers. */
  readonly timeoutMs?: number
}

/** A lease lasts so long, in system time; an attempt ends well before. */
export const leaseMs = 60_000

const outrunPauseMs = 5
const maxLooks = 50

type Claimed = { readonly leased: LeasedDelivery; readonly body: Buffer | null; readonly url: string | null; readonly verdict: ReturnType<typeof verdictOn>; readonly secrets: SigningSecrets }

/** Makes the step that works one due delivery; `idle` when none can be worked now. */
export function deliverStep(deps: DeliveryDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const claimed = await claimPatiently(deps)
    if (claimed === undefined) return 'idle'
    await deps.pass('delivery.leased')
    const { verdict, url, body } = claimed
    return verdict === 'send' && url !== null && body !== null ? await send(deps, claimed, url, body) : await withholdOne(deps, claimed.leased)
  }
}

/** Looks again while others take what it was looking at. */
async function claimPatiently(deps: DeliveryDeps): Promise<Claimed | undefined> {
  for (let look = 1; look <= maxLooks; look++) {
    const claimed = await deps.unitOfWork((tx) => claim(deps, tx))
    if (claimed === 'nothing') return undefined
    if (claimed !== 'outrun') return claimed
    await deps.system.sleep(outrunPauseMs)
  }
  return undefined
}

async function claim(deps: DeliveryDeps, tx: Tx): Promise<Claimed | 'nothing' | 'outrun'> {
  const nowMs = deps.system.nowMs()
  const candidates = await listServableEndpoints(tx, nowMs)
  for (const { teamId, ownerId } of candidates) {
    // The lock makes the count of attempts in flight exact.
    if (!(await tryLockWebhook(tx, teamId, ownerId))) continue
    const leased = await leaseFirst(tx, teamId, ownerId, { owner: deps.newOwnerId, nowMs, untilMs: nowMs + leaseMs })
    if (!leased) continue
    const target = await readTarget(deps, tx, leased)
    return { leased, ...target, body: leased.body ?? (target.verdict === 'send' ? await serialise(tx, leased) : null) }
  }
  return candidates.length === 0 ? 'nothing' : 'outrun'
}

/** Where and with which secrets, as they are now: a changed URL gets the retries (G134). */
async function readTarget(deps: DeliveryDeps, tx: Tx, { teamId, ownerId }: LeasedDelivery): Promise<Omit<Claimed, 'leased' | 'body'>> {
  const webhook = await findWebhook(tx.db, teamId, ownerId)
  const url = webhook?.url ?? null
  const verdict = verdictOn({ url, disabledAt: webhook?.disabledAt ?? null, ownerActive: await isSourceActive(tx.db, teamId, ownerId) })
  return { url, verdict, secrets: await readSigningSecrets(tx.db, deps.vault, teamId, tx.now) }
}

async function withholdOne(deps: DeliveryDeps, leased: LeasedDelivery): Promise<'worked'> {
  await deps.unitOfWork(async (tx) => {
    await withhold(tx, leased)
    await deps.pass('delivery.before-commit')
  })
  return 'worked'
}

async function send(deps: DeliveryDeps, { leased, secrets }: Claimed, url: string, body: Buffer): Promise<'worked' | 'idle'> {
  const at = await deps.serviceNow(deps.db)
  const attempt = await attemptPost(deps, { url, schemes: ['https'], id: leased.id, event: leased.event, body, secrets }, at)
  const { ending, elapsedMs, response } = attempt
  if (ending === 'interrupted') {
    await deps.unitOfWork((tx) => giveBack(tx, leased))
    return 'idle'
  }
  await deps.pass('delivery.sent')
  const outcome = judge(ending, at)
  const result = await deps.unitOfWork(async (tx) => {
    const settled = await recordAttempt(tx, leased, { url, at, elapsedMs, response, outcome, chance: deps.chance.next() })
    await deps.pass('delivery.before-commit')
    return settled
  })
  if (outcome.result !== 'delivered') deps.log.info('delivery attempt failed', { teamId: leased.teamId, deliveryId: leased.id, outcome: outcome.label, status: outcome.status, now: result.state })
  if (result.disabled !== null) deps.log.warn('webhook endpoint disabled', { teamId: leased.teamId, ownerId: leased.ownerId, reason: result.disabled })
  return 'worked'
}
