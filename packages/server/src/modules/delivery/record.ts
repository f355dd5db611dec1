/** Writing what became of a leased delivery. Lock order: lead, webhook, delivery; nothing is written once the fence is lost. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { unexpectedRetryAt } from '../../platform/work-in-hand.ts'
import { setWebhookStatus } from '../leads/index.ts'
import { stillGoing } from './clearing.ts'
import type { LeasedDelivery } from './lease-store.ts'
import { endLeases, lockLeased, lockOwn, settleLeased, type OwnDelivery, type Settlement } from './own-store.ts'
import { healthAfterFailure, verdictOn, type DisabledReason } from './rules/endpoint.ts'
import type { Failure, Fault } from './rules/outcome.ts'
import { delayBeforeNext } from './rules/schedule.ts'
import { lockLeads, settleMany, settleSent, type Accepted, type Made, type Settled } from './settle-store.ts'
import { lockWebhook, lockWebhooks, saveHealth, type Health } from './settings-store.ts'
import { mayStillGo } from './sources-store.ts'
import { calledOffOf, cancelCalledOff, holdWaiting, lockLead } from './store.ts'
import { endDeliveriesOf } from './untracked.ts'

/** An attempt that was not accepted. `random`: the chance that spreads its next attempt. */
export type Failed = Made & { readonly outcome: Failure; readonly random: number }

/**
 * What recording came to, in the order given: `lost` when another worker has the delivery by now; `disabled` at the
 * failure that did it.
 */
export type Recorded = { readonly state: Settlement['state'] | 'lost'; readonly disabled: DisabledReason | null }

/** What failures say of the endpoints of a team, one after the other: what one of them disables, those after it are judged by. */
function followEndpoints(webhooks: Awaited<ReturnType<typeof lockWebhooks>>, now: Date) {
  const health = new Map<string, Health>()
  const disabled = new Set([...webhooks.values()].flatMap((one) => (one.disabledAt === null ? [] : [one.ownerId])))
  const disabledNow: string[] = []
  return {
    health,
    disabledNow,
    isDisabled: (ownerId: string): boolean => disabled.has(ownerId),
    /** Why a failure at `url` disables its endpoint; null when it does not. */
    after: ({ ownerId, url, result }: Failing): DisabledReason | null => {
      const webhook = webhooks.get(ownerId)
      // What another URL answered, or one that is disabled already, says nothing about the endpoint.
      if (!webhook || webhook.url !== url || disabled.has(ownerId)) return null
      const after = healthAfterFailure(health.get(ownerId)?.failingSince ?? webhook.failingSince, result, now)
      health.set(ownerId, after)
      if (after.disable !== null) {
        disabled.add(ownerId)
        disabledNow.push(ownerId)
      }
      return after.disable
    },
  }
}

interface Failing {
  readonly ownerId: string
  readonly url: string
  readonly result: Parameters<typeof healthAfterFailure>[1]
}

/**
 * Records attempts of one team that were not accepted, all at once (G49): the log, the deliveries, the leads' state and
 * the endpoints' health.
 */
export async function recordFailures(tx: Tx, teamId: string, failed: readonly Failed[]): Promise<Recorded[]> {
  const leased = failed.map((each) => each.leased)
  await lockLeads(
    tx,
    teamId,
    leased.flatMap(({ leadId }) => leadId ?? []),
  )
  const webhooks = await lockWebhooks(
    tx,
    teamId,
    leased.map(({ ownerId }) => ownerId),
  )
  const own = await lockOwn(tx, teamId, leased)
  await countGivenUp(tx.db, { teamId, leased, webhooks }, own)
  const endpoints = followEndpoints(webhooks, tx.now)
  const [settled, recorded, givenUp]: [Settled[], Recorded[], string[]] = [[], [], []]
  for (const { leased: each, url, at, elapsedMs, response, outcome, random } of failed) {
    const row = own.get(each.id)
    if (!row) {
      tx.count('leases_lost', 'delivery')
      recorded.push({ state: 'lost', disabled: null })
      continue
    }
    const { id, ownerId, leadId } = each
    const disables = endpoints.after({ ownerId, url, result: outcome.result })
    const settlement = settle({ now: tx.now, row, outcome, endpointDisabled: endpoints.isDisabled(ownerId), random })
    settled.push({
      line: { deliveryId: id, at, status: outcome.status, outcome: outcome.label, elapsedMs, response },
      settlement,
    })
    recorded.push({ state: settlement.state, disabled: disables })
    if (leadId !== null && settlement.state === 'failed') givenUp.push(leadId)
    tx.count('deliveries', settlement.state === 'pending' ? 'retry' : settlement.state)
  }
  await saveHealth(tx, teamId, endpoints.health)
  await settleMany(tx, teamId, settled)
  await holdWaiting(tx, teamId, endpoints.disabledNow)
  await setWebhookStatus(tx, { teamId, leadIds: givenUp, status: 'failed' })
  return recorded
}

/** Lets count as cancelled, among locked deliveries, what is being given up: its turn to be so has not come yet. */
async function countGivenUp(
  db: Reader,
  {
    teamId,
    leased,
    webhooks,
  }: {
    readonly teamId: string
    readonly leased: readonly LeasedDelivery[]
    readonly webhooks: Awaited<ReturnType<typeof lockWebhooks>>
  },
  own: Map<string, OwnDelivery>,
): Promise<void> {
  for (const [ownerId, theirs] of Map.groupBy(leased, (each) => each.ownerId)) {
    const clearing = webhooks.get(ownerId)?.clearing ?? null
    const going = new Set(await stillGoing(db, { teamId, clearing }, theirs))
    for (const each of theirs) {
      const row = own.get(each.id)
      if (row && !going.has(each)) own.set(each.id, { ...row, state: 'cancelled' })
    }
  }
}

/**
 * Records attempts of one team that were accepted, all at once, in a unit of one statement; one whose lease another worker has by now
 * is left to it.
 */
export async function recordAccepted(tx: Tx, teamId: string, accepted: readonly Accepted[]): Promise<void> {
  const sent = (await settleSent(tx, teamId, accepted)).size
  if (sent > 0) tx.count('deliveries', 'sent', sent)
  if (sent < accepted.length) tx.count('leases_lost', 'delivery', accepted.length - sent)
}

function settle({
  now,
  row,
  outcome,
  endpointDisabled,
  random,
}: {
  readonly now: Date
  readonly row: { attempts: number; state: string }
  readonly outcome: Failure
  readonly endpointDisabled: boolean
  readonly random: number
}): Settlement {
  const attempts = row.attempts + 1
  // The URL was cleared, autoSend switched off or the source untracked while the attempt was under way.
  if (row.state === 'cancelled' || row.state === 'failed') return { state: row.state, attempts }
  if (endpointDisabled) return { state: 'held', attempts }
  const delayMs = delayBeforeNext(attempts, outcome.askedMs, random)
  return delayMs === null
    ? { state: 'failed', attempts }
    : { state: 'pending', attempts, dueAt: new Date(now.getTime() + delayMs) }
}

/** Puts a leased delivery that must not be sent where it belongs; judged again, because a PUT may have come between. */
export async function withhold(tx: Tx, leased: LeasedDelivery): Promise<void> {
  const { teamId, ownerId, leadId } = leased
  const ownerActive = await mayStillGo(tx.db, leased)
  // First: it locks many leads, which come before webhooks and deliveries.
  if (!ownerActive) await endDeliveriesOf(tx, teamId, [ownerId])
  if (leadId !== null) await lockLead(tx, teamId, leadId)
  const webhook = await lockWebhook(tx, teamId, ownerId)
  const verdict = verdictOn({
    url: webhook?.url ?? null,
    disabledAt: webhook?.disabledAt ?? null,
    ownerActive,
    calledOff: (await calledOffOf(tx.db, [leased])).has(leased.id),
  })
  const row = await lockLeased(tx, leased)
  if (!row) return
  // A PUT cleared the URL meanwhile, or what waited was held: that stands.
  if (row.state !== 'pending') return endLeases(tx, teamId, [leased])
  if (verdict === 'send') return settleLeased(tx, leased, { state: 'pending', attempts: row.attempts })
  if (verdict === 'hold') {
    await holdWaiting(tx, teamId, [ownerId])
    return settleLeased(tx, leased, { state: 'held', attempts: row.attempts })
  }
  if (verdict === 'cancel_untracked') {
    if (leadId !== null) await setWebhookStatus(tx, { teamId, leadIds: [leadId], status: 'failed' })
    return settleLeased(tx, leased, { state: 'failed', attempts: row.attempts })
  }
  if (verdict === 'cancel_called_off') await cancelCalledOff(tx, teamId, [ownerId])
  else if (leadId !== null) await setWebhookStatus(tx, { teamId, leadIds: [leadId], status: 'no_webhook' })
  return settleLeased(tx, leased, { state: 'cancelled', attempts: row.attempts })
}

/**
 * Parks a delivery that the service itself failed at: a line in the log, and it waits for 1, 5 and 30 minutes and 2 hours; after the
 * fifth time it is held until a person sends it again. Its attempts are those of the receiver, so they are not used up.
 */
export async function park(tx: Tx, leased: LeasedDelivery, fault: Fault): Promise<Settlement['state'] | 'lost'> {
  const row = await lockLeased(tx, leased)
  if (!row) return 'lost'
  const dueAt = unexpectedRetryAt(row.failures, tx.now)
  const state = row.state === 'cancelled' || row.state === 'failed' ? row.state : dueAt ? 'pending' : 'held'
  const line = { deliveryId: leased.id, at: tx.now, status: null, outcome: fault, elapsedMs: 0, response: null }
  const settlement: Settlement = {
    state,
    attempts: row.attempts,
    failures: row.failures + 1,
    ...(dueAt ? { dueAt } : {}),
  }
  await settleMany(tx, leased.teamId, [{ line, settlement }])
  tx.count('unexpected_failures', 'delivery')
  tx.count('deliveries', state === 'pending' ? 'retry' : state)
  return state
}
