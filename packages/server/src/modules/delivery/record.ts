/** Writing what became of a leased delivery. Lock order: lead, webhook, delivery; nothing is written once the fence is lost. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { setWebhookStatus } from '../leads/index.ts'
import { insertAttempt, lockLeased, settleLeased, type LeasedDelivery, type Settlement } from './lease-store.ts'
import { healthAfterFailure, verdictOn, type DisabledReason } from './rules/endpoint.ts'
import type { Outcome } from './rules/outcome.ts'
import { delayBeforeNext } from './rules/schedule.ts'
import { clearFailing, lockWebhook, saveHealth, type Webhook } from './settings-store.ts'
import { isSourceActive } from './sources-store.ts'
import { cancelWaiting, holdWaiting, lockLead } from './store.ts'

/** An attempt as it is recorded. */
export type AttemptRecord = { readonly url: string; readonly at: Date; readonly elapsedMs: number; readonly response: string | null; readonly outcome: Outcome; readonly chance: number }

/** What recording came to; `lost` when another worker has the delivery by now. */
export type Recorded = { readonly state: Settlement['state'] | 'lost'; readonly disabled: DisabledReason | null }

/** Records an attempt and its outcome (G49): the log, the delivery, the lead's state and the endpoint's health. */
export async function recordAttempt(tx: Tx, leased: LeasedDelivery, attempt: AttemptRecord): Promise<Recorded> {
  const { teamId, ownerId, leadId } = leased
  const { outcome } = attempt
  if (leadId !== null) await lockLead(tx, teamId, leadId)
  // Before the delivery, for the lock order; a success is true whoever has the delivery by now.
  if (outcome.result === 'delivered') await clearFailing(tx, teamId, ownerId, attempt.url)
  const webhook = outcome.result === 'delivered' ? undefined : await lockWebhook(tx, teamId, ownerId)
  const row = await lockLeased(tx, leased)
  if (!row) return { state: 'lost', disabled: null }
  const disabled = outcome.result === 'delivered' ? null : await noteFailure(tx, teamId, webhook, attempt.url, outcome.result)
  await insertAttempt(tx, leased, { at: attempt.at, status: outcome.status, outcome: outcome.label, elapsedMs: attempt.elapsedMs, response: attempt.response })
  const settlement = settle(tx.now, row, outcome, disabled !== null || webhook?.disabledAt != null, attempt.chance)
  await settleLeased(tx, leased, settlement)
  if (leadId !== null && (settlement.state === 'sent' || settlement.state === 'failed')) await setWebhookStatus(tx, teamId, [leadId], settlement.state)
  return { state: settlement.state, disabled }
}

function settle(now: Date, row: { attempts: number; state: string }, outcome: Outcome, endpointDisabled: boolean, chance: number): Settlement {
  const attempts = row.attempts + 1
  if (outcome.result === 'delivered') return { state: 'sent', attempts }
  // A PUT cleared the URL while the attempt was under way.
  if (row.state === 'cancelled') return { state: 'cancelled', attempts }
  if (endpointDisabled) return { state: 'held', attempts }
  const delayMs = delayBeforeNext(attempts, outcome.askedMs, chance)
  return delayMs === null ? { state: 'failed', attempts } : { state: 'pending', attempts, dueAt: new Date(now.getTime() + delayMs) }
}

/** Counts a failure against the locked endpoint, unless its URL is another by now: the new one is not to blame. Answers why it is disabled, if that does it. */
async function noteFailure(tx: Tx, teamId: string, webhook: Webhook | undefined, url: string, result: 'gone' | 'failed'): Promise<DisabledReason | null> {
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
  const verdict = verdictOn({ url: webhook?.url ?? null, disabledAt: webhook?.disabledAt ?? null, ownerActive: await isSourceActive(tx.db, teamId, ownerId) })
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

/** Gives a delivery back untouched: the attempt was interrupted by us and does not count. */
export async function giveBack(tx: Tx, leased: LeasedDelivery): Promise<void> {
  const row = await lockLeased(tx, leased)
  if (row?.state === 'sending') await settleLeased(tx, leased, { state: 'pending', attempts: row.attempts })
}
