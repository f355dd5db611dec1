/** Writing what became of a leased delivery. Lock order: lead, webhook, delivery; nothing is written once the fence is lost. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { unexpectedRetryAt } from '../../platform/work-in-hand.ts'
import { setWebhookStatus } from '../leads/index.ts'
import { clearFailingOf, lockLeads, settleSent, type Accepted } from './batch-store.ts'
import { insertAttempt, lockLeased, settleLeased, type LeasedDelivery, type Settlement } from './lease-store.ts'
import { healthAfterFailure, verdictOn, type DisabledReason } from './rules/endpoint.ts'
import type { Failure, Fault } from './rules/outcome.ts'
import { delayBeforeNext } from './rules/schedule.ts'
import { lockWebhook, saveHealth, type Webhook } from './settings-store.ts'
import { mayStillGo } from './sources-store.ts'
import { cancelWaiting, holdWaiting, lockLead } from './store.ts'

/** An attempt as it is recorded. */
export type AttemptRecord = {
  readonly url: string
  readonly at: Date
  readonly elapsedMs: number
  readonly response: string | null
  readonly outcome: Failure
  readonly random: number
}

/** What recording came to; `lost` when another worker has the delivery by now. */
export type Recorded = { readonly state: Settlement['state'] | 'lost'; readonly disabled: DisabledReason | null }

/** Records an attempt that was not accepted (G49): the log, the delivery, the lead's state and the endpoint's health. */
export async function recordFailure(tx: Tx, leased: LeasedDelivery, attempt: AttemptRecord): Promise<Recorded> {
  const { teamId, ownerId, leadId } = leased
  const { outcome } = attempt
  if (leadId !== null) await lockLead(tx, teamId, leadId)
  const webhook = await lockWebhook(tx, teamId, ownerId)
  const row = await lockLeased(tx, leased)
  if (!row) {
    tx.count('leases_lost', 'delivery')
    return { state: 'lost', disabled: null }
  }
  const disabled = await noteFailure(tx, teamId, webhook, attempt.url, outcome.result)
  await insertAttempt(tx, leased, {
    at: attempt.at,
    status: outcome.status,
    outcome: outcome.label,
    elapsedMs: attempt.elapsedMs,
    response: attempt.response,
  })
  const settlement = settle(tx.now, row, outcome, disabled !== null || webhook?.disabledAt != null, attempt.random)
  await settleLeased(tx, leased, settlement)
  tx.count('deliveries', settlement.state === 'pending' ? 'retry' : settlement.state)
  if (leadId !== null && settlement.state === 'failed') await setWebhookStatus(tx, teamId, [leadId], 'failed')
  return { state: settlement.state, disabled }
}

/** Records attempts of one team that were accepted, all at once; one whose lease another worker has by now is left to it. */
export async function recordAccepted(tx: Tx, teamId: string, accepted: readonly Accepted[]): Promise<void> {
  await lockLeads(
    tx,
    teamId,
    accepted.flatMap(({ leased }) => leased.leadId ?? []),
  )
  await clearFailingOf(tx, teamId, accepted)
  const settled = await settleSent(tx, teamId, accepted)
  const sent = accepted.filter(({ leased }) => settled.has(leased.id))
  await setWebhookStatus(
    tx,
    teamId,
    sent.flatMap(({ leased }) => leased.leadId ?? []),
    'sent',
  )
  if (sent.length > 0) tx.count('deliveries', 'sent', sent.length)
  if (sent.length < accepted.length) tx.count('leases_lost', 'delivery', accepted.length - sent.length)
}

function settle(
  now: Date,
  row: { attempts: number; state: string },
  outcome: Failure,
  endpointDisabled: boolean,
  random: number,
): Settlement {
  const attempts = row.attempts + 1
  // A PUT cleared the URL while the attempt was under way.
  if (row.state === 'cancelled') return { state: 'cancelled', attempts }
  if (endpointDisabled) return { state: 'held', attempts }
  const delayMs = delayBeforeNext(attempts, outcome.askedMs, random)
  return delayMs === null
    ? { state: 'failed', attempts }
    : { state: 'pending', attempts, dueAt: new Date(now.getTime() + delayMs) }
}

/** Counts a failure against the locked endpoint, unless its URL is another by now: the new one is not to blame. Answers why it is disabled, if that does it. */
async function noteFailure(
  tx: Tx,
  teamId: string,
  webhook: Webhook | undefined,
  url: string,
  result: 'gone' | 'failed',
): Promise<DisabledReason | null> {
  if (!webhook || webhook.url !== url || webhook.disabledAt !== null) return null
  const health = healthAfterFailure(webhook.failingSince, result, tx.now)
  await saveHealth(tx, teamId, webhook.ownerId, health)
  if (health.disable !== null) await holdWaiting(tx, teamId, webhook.ownerId)
  return health.disable
}

/** Puts a leased delivery that must not be sent where it belongs; judged again, because a PUT may have come between. */
export async function withhold(tx: Tx, leased: LeasedDelivery): Promise<void> {
  const { teamId, ownerId, leadId } = leased
  if (leadId !== null) await lockLead(tx, teamId, leadId)
  const webhook = await lockWebhook(tx, teamId, ownerId)
  const verdict = verdictOn({
    url: webhook?.url ?? null,
    disabledAt: webhook?.disabledAt ?? null,
    ownerActive: await mayStillGo(tx.db, leased),
  })
  const row = await lockLeased(tx, leased)
  if (row?.state !== 'sending') return
  if (verdict === 'send') return settleLeased(tx, leased, { state: 'pending', attempts: row.attempts })
  if (verdict === 'hold') {
    await holdWaiting(tx, teamId, ownerId)
    return settleLeased(tx, leased, { state: 'held', attempts: row.attempts })
  }
  if (verdict === 'cancel_untracked') await cancelWaiting(tx, teamId, ownerId)
  else if (leadId !== null) await setWebhookStatus(tx, teamId, [leadId], 'no_webhook')
  return settleLeased(tx, leased, { state: 'cancelled', attempts: row.attempts })
}

/**
 * Parks a delivery that the service itself failed at: a line in the log, and it waits for 1, 5 and 30 minutes and 2 hours; after the
 * fifth time it is held until a person sends it again. Its attempts are those of the receiver, so they are not used up.
 */
export async function park(tx: Tx, leased: LeasedDelivery, fault: Fault): Promise<Settlement['state'] | 'lost'> {
  const row = await lockLeased(tx, leased)
  if (!row) return 'lost'
  await insertAttempt(tx, leased, { at: tx.now, status: null, outcome: fault, elapsedMs: 0, response: null })
  const dueAt = unexpectedRetryAt(row.failures, tx.now)
  const state = row.state === 'cancelled' ? 'cancelled' : dueAt ? 'pending' : 'held'
  await settleLeased(tx, leased, {
    state,
    attempts: row.attempts,
    failures: row.failures + 1,
    ...(dueAt ? { dueAt } : {}),
  })
  tx.count('unexpected_failures', 'delivery')
  tx.count('deliveries', state === 'pending' ? 'retry' : state)
  return state
}

/** Gives a delivery back untouched: the attempt was interrupted by us and does not count. */
export async function giveBack(tx: Tx, leased: LeasedDelivery): Promise<void> {
  const row = await lockLeased(tx, leased)
  if (row?.state === 'sending') await settleLeased(tx, leased, { state: 'pending', attempts: row.attempts })
}
