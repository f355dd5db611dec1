/** Skips deliveries whose fence moved: another process has them. Lock order: lead, webhook, delivery. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { unexpectedRetryAt } from '../../../platform/task-context.ts'
import { setWebhookStatus } from '../../leads/index.ts'
import { mayHaveNamedErased } from '../../network/index.ts'
import { bodyOnceOver, isCancelled, lockLeads } from '../deliveries.ts'
import { isTellingErased } from '../person-erased.ts'
import { healthAfterFailure, type DisabledReason } from '../rules/endpoint.ts'
import type { Fault, Outcome } from '../rules/outcome.ts'
import { delayBeforeNext } from '../rules/schedule.ts'
import { dropReceiver } from '../team-wide/receivers.ts'
import { lockWebhooks, saveHealth, saveHealed, type Health, type Webhook } from '../settings/store.ts'
import { holdWaiting } from '../waiting.ts'
import type { LeasedDelivery } from './claim.ts'

/** An ended attempt; `random` in [0, 1) spreads the next one. */
export type EndedAttempt = {
  readonly delivery: LeasedDelivery
  readonly at: Date
  readonly outcome: Outcome
  readonly elapsedMs: number
  readonly response: string | null
  readonly random: number
}

type State = 'pending' | 'sent' | 'failed' | 'held' | 'cancelled' | 'excluded'

const isOver = (state: State): boolean => state === 'cancelled' || state === 'failed' || state === 'excluded'

/** The result of recording an attempt; `disabled` when it disabled the endpoint. */
export type Recorded = { readonly state: State | 'lost'; readonly disabled: DisabledReason | null }

/** A locked delivery that is still ours; a request may have changed its state during the attempt. */
type OwnDelivery = { readonly id: string; readonly attempts: number; readonly state: State; readonly failures: number }

type Settlement = {
  readonly id: string
  readonly state: State
  readonly attempts: number
  readonly dueAt: Date | null
  /** Consecutive failures of the service itself; null leaves them as they are. */
  readonly failures: number | null
  readonly line: {
    readonly at: Date
    readonly status: number | null
    readonly outcome: string
    readonly elapsedMs: number
    readonly response: string | null
  }
}

/** Records attempts of one team; returns their results in the given order. */
export async function recordAttempts(tx: Tx, teamId: string, ended: readonly EndedAttempt[]): Promise<Recorded[]> {
  const deliveries = ended.map(({ delivery }) => delivery)
  const endedAs = (isAccepted: boolean) =>
    deliveries.filter((_one, at) => (ended[at]!.outcome.result === 'delivered') === isAccepted)
  await lockLeads(tx, teamId, deliveries)
  const healed = endedAs(true).filter(({ isFailing }) => isFailing)
  await saveHealed(tx, teamId, healed)
  const failedOwners = endedAs(false).map(({ ownerId }) => ownerId)
  const webhooks = await lockWebhooks(tx, teamId, failedOwners)
  const own = await lockOwn(tx, teamId, deliveries)
  const endpoints = new EndpointHealth(webhooks, tx.now)
  const settlements: Settlement[] = []
  const recorded = ended.map((each): Recorded => {
    const { delivery, at, outcome, elapsedMs } = each
    // A receiver's response may repeat the person it was told about.
    const response = isTellingErased(delivery) ? null : each.response
    const row = own.get(delivery.id)
    if (!row) {
      tx.count('leases_lost', 'delivery')
      return { state: 'lost', disabled: null }
    }
    const disabled = outcome.result === 'delivered' ? null : endpoints.fail(delivery, outcome.result)
    const isDisabled = endpoints.isDisabled(delivery.ownerId) && !isTellingErased(delivery)
    const { state, dueAt } = settle(row, each, { isDisabled, now: tx.now })
    const line = { at, status: outcome.status, outcome: outcome.label, elapsedMs, response }
    settlements.push({ id: row.id, state, dueAt, attempts: row.attempts + 1, failures: null, line })
    return { state, disabled }
  })
  await saveHealth(tx, teamId, endpoints.health)
  await saveSettlements(tx, teamId, settlements)
  await holdWaiting(tx, { teamId, ownerIds: endpoints.disabledNow })
  for (const ownerId of endpoints.goneHooks) await dropReceiver(tx, { teamId, ownerId })
  for (const status of ['sent', 'failed'] as const) {
    // A delivery to a receiver of the whole team does not change its lead's webhook status.
    const leadIds = ended.flatMap(({ delivery: { leadId, sourceId } }, at) =>
      recorded[at]!.state === status && sourceId === null ? (leadId ?? []) : [],
    )
    await setWebhookStatus(tx, { teamId, leadIds, status })
  }
  for (const [state, some] of Map.groupBy(recorded, (each) => each.state))
    if (state !== 'lost') tx.count('deliveries', state === 'pending' ? 'retry' : state, some.length)
  // The endpoints have room again.
  tx.mark('delivery', teamId)
  return recorded
}

class EndpointHealth {
  readonly #webhooks: ReadonlyMap<string, Webhook>
  readonly #now: Date
  readonly #disabled: Set<string>
  readonly health = new Map<string, Health>()
  readonly disabledNow: string[] = []
  /** REST hooks that answered 410, which unsubscribes them. */
  readonly goneHooks: string[] = []

  constructor(webhooks: ReadonlyMap<string, Webhook>, now: Date) {
    this.#webhooks = webhooks
    this.#now = now
    this.#disabled = new Set([...webhooks.values()].filter((one) => one.disabledAt !== null).map((one) => one.ownerId))
  }

  isDisabled(ownerId: string): boolean {
    return this.#disabled.has(ownerId)
  }

  fail({ ownerId, url }: LeasedDelivery, result: 'gone' | 'failed'): DisabledReason | null {
    const webhook = this.#webhooks.get(ownerId)
    // A failure of an old URL or of a disabled endpoint changes nothing.
    if (!webhook || webhook.url !== url || this.#disabled.has(ownerId)) return null
    const since = this.health.get(ownerId)?.failingSince ?? webhook.failingSince
    const after = healthAfterFailure(since, result, this.#now)
    this.health.set(ownerId, after)
    if (after.disable !== null) {
      this.#disabled.add(ownerId)
      this.disabledNow.push(ownerId)
      if (after.disable === 'gone' && webhook.kind === 'hook') this.goneHooks.push(ownerId)
    }
    return after.disable
  }
}

function settle(
  row: OwnDelivery,
  { outcome, random }: EndedAttempt,
  { isDisabled, now }: { readonly isDisabled: boolean; readonly now: Date },
): { readonly state: State; readonly dueAt: Date | null } {
  if (outcome.result === 'delivered') return { state: 'sent', dueAt: null }
  // The URL was cleared, autoSend switched off, or the source untracked during the attempt.
  if (isOver(row.state)) return { state: row.state, dueAt: null }
  if (isDisabled) return { state: 'held', dueAt: null }
  const delayMs = delayBeforeNext(row.attempts + 1, outcome.askedMs, random)
  return delayMs === null
    ? { state: 'failed', dueAt: null }
    : { state: 'pending', dueAt: new Date(now.getTime() + delayMs) }
}

/** After a service fault: retries in 1, 5, 30 min and 2 h, then holds it for a person. Attempts are not counted. */
export async function rescheduleAfterFault(tx: Tx, delivery: LeasedDelivery, fault: Fault): Promise<State | 'lost'> {
  const { teamId, id } = delivery
  const row = (await lockOwn(tx, teamId, [delivery])).get(id)
  if (!row) return 'lost'
  const dueAt = unexpectedRetryAt(row.failures, tx.now)
  const state = isOver(row.state) ? row.state : dueAt ? 'pending' : 'held'
  const line = { at: tx.now, status: null, outcome: fault, elapsedMs: 0, response: null }
  await saveSettlements(tx, teamId, [{ id, state, attempts: row.attempts, dueAt, failures: row.failures + 1, line }])
  tx.count('unexpected_failures', 'delivery')
  tx.count('deliveries', state === 'pending' ? 'retry' : state)
  tx.mark('delivery', teamId)
  return state
}

/** Locks the leased deliveries that are still ours; those cleared since count as cancelled. */
async function lockOwn(
  tx: Tx,
  teamId: string,
  leased: readonly LeasedDelivery[],
): Promise<ReadonlyMap<string, OwnDelivery>> {
  const { rows } = await sql<OwnDelivery>`
    select d.id, d.attempts, d.unexpected_failures as failures, case when ${isCancelled} then 'cancelled' else d.state end as state
    from unnest(${leased.map(({ id }) => id)}::uuid[], ${leased.map(({ fence }) => fence)}::bigint[]) as a (id, fence)
    join delivery d on d.team_id = ${teamId} and d.id = a.id and d.fence = a.fence
    order by d.id for update of d`.execute(tx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Writes outcomes, ends leases, adds log lines; their numbers continue after a replay. */
async function saveSettlements(tx: Tx, teamId: string, settled: readonly Settlement[]): Promise<void> {
  if (settled.length === 0) return
  await sql`
    with a as materialized (
      select * from unnest(${settled.map(({ id }) => id)}::uuid[], ${settled.map(({ state }) => state)}::text[],
        ${settled.map(({ attempts }) => attempts)}::integer[],
        ${settled.map(({ dueAt }) => dueAt?.toISOString() ?? null)}::timestamptz[],
        ${settled.map(({ failures }) => failures)}::integer[],
        ${settled.map(({ line }) => line.at.toISOString())}::timestamptz[],
        ${settled.map(({ line }) => line.status)}::integer[], ${settled.map(({ line }) => line.outcome)}::text[],
        ${settled.map(({ line }) => Math.max(0, Math.round(line.elapsedMs)))}::integer[],
        ${settled.map(({ line }) => line.response)}::text[])
      as a (id, state, attempts, due_at, failures, at, status, outcome, elapsed_ms, response)),
    line as materialized (
      select a.id, a.at, a.status, a.outcome, a.elapsed_ms,
        coalesce((select max(number) from delivery_attempt b where b.team_id = ${teamId} and b.delivery_id = a.id), 0) + 1 as number,
        -- A receiver may repeat what it was sent, which may have named somebody who has been erased since.
        case when not ${mayHaveNamedErased(teamId, sql`a.at`)} then a.response end as response
      from a),
    logged as (
      insert into delivery_attempt (team_id, delivery_id, number, at, status, outcome, elapsed_ms, response)
      select ${teamId}, id, number, at, status, outcome, elapsed_ms, response from line)
    update delivery d
    set state = a.state, attempts = a.attempts, due_at = coalesce(a.due_at, d.due_at),
      unexpected_failures = coalesce(a.failures, d.unexpected_failures), lease_owner = null, lease_until_ms = null,
      finished_at = case when a.state in ('sent', 'failed', 'cancelled', 'excluded') then ${tx.now}::timestamptz end,
      body = case when a.state in ('sent', 'failed', 'cancelled') then ${bodyOnceOver} else d.body end
    from a where d.team_id = ${teamId} and d.id = a.id`.execute(tx.db)
}
