import { sql } from 'kysely'
import { queryExists } from '../../../platform/db/query.ts'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { endLease } from '../../../platform/work/index.ts'
import { shareAccount } from '../../credits/index.ts'
import { mayHaveNamedErased } from '../../network/index.ts'
import type { DestinationAdapter, RemoteRecord } from '../../../providers/destinations/port.ts'
import { nameOf, type Leased, type Ready } from './batch.ts'
import { endDays, openDay, type Closing } from './days.ts'
import type { DestinationDeps } from './deps.ts'
import { pauseOf, retryAfterMs, type DeliveryError } from './rules.ts'
import type { BatchResult } from './send.ts'
import { recordStagePage, type StagePage } from './stages.ts'
import { destinationRows, type Destination } from './store.ts'

const aMinuteMs = 60_000
const lostWaitMs = 10_000

type BatchOutcome = {
  readonly leased: Leased
  readonly adapter: DestinationAdapter
  readonly begun: readonly Ready[]
  readonly sent: BatchResult
  readonly tookMs: number
  readonly calls: number
  readonly day: string
  readonly closing: Closing | null
  readonly page: StagePage | null
}

/** Writes the outcome; writes nothing when another process has taken over. */
export async function record(deps: DestinationDeps, made: BatchOutcome): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    const { leased, adapter, begun, sent, tookMs, day, closing, page } = made
    const { destination } = leased
    // Outcomes may exclude people: an export asked for meanwhile waits for them.
    if (page) await shareAccount(tx, destination.teamId, 'team')
    if (!(await lockOurs(tx, leased))) return
    const settlements = begun.map((one) => settle(one, sent, tx.now))
    await mergeIntoNewer(tx, destination, settlements)
    await saveSettlements(tx, destination, { settlements, tookMs })
    const delivered = settlements.filter(({ state }) => state === 'delivered').length
    if (adapter.closeDay && delivered > 0) await openDay(tx, destination, day)
    if (closing) await endDays(tx, destination, closing)
    if (page) await recordStagePage(tx, destination, { page, recordStages: deps.recordStages })
    await release(deps, tx, made, delivered)
    await deps.faultPoint('destination.recorded')
  })
}

/** Locks a destination whose fence is still ours. A paused one counts too: what was sent must be recorded. */
async function lockOurs(tx: Tx, leased: Leased): Promise<boolean> {
  const { teamId, id, fence } = nameOf(leased)
  return queryExists(tx.db)`
    select 1 from destination where team_id = ${teamId} and id = ${id} and fence = ${fence} for update`
}

/** The new state of a delivery. `isBegun` stays true when it may have been written; the next claim then finds out. */
type Settlement = {
  readonly one: Ready
  readonly state: 'delivered' | 'refused' | 'unknown' | 'waiting'
  readonly isBegun: boolean
  readonly dueAt: Date | null
  readonly remote: RemoteRecord | null
  readonly error: DeliveryError | null
}

function settle(one: Ready, { outcomes, unverifiable, failure }: BatchResult, now: Date): Settlement {
  const { id } = one.waiting
  const outcome = outcomes.get(id)
  const ended = { one, isBegun: false, dueAt: null, remote: null, error: null }
  if (outcome?.state === 'written') {
    const [leftOut] = outcome.leftOut ?? []
    const error = leftOut ? { code: 'value_left_out', message: leftOut.message, field: leftOut.field } : null
    return { ...ended, state: 'delivered', remote: outcome.remote, error }
  }
  if (outcome?.state === 'refused') {
    const { code, message, field } = outcome
    return { ...ended, state: 'refused', error: { code, message, ...(field === null ? {} : { field }) } }
  }
  if (outcome?.state === 'unknown' && unverifiable.has(id))
    return { ...ended, state: 'unknown', error: { code: 'answer_lost', message: outcome.message } }
  const isLost = outcome?.state === 'unknown' || (outcome === undefined && failure?.trouble === 'answer_lost')
  if (isLost) return { ...ended, state: 'waiting', isBegun: true, dueAt: new Date(now.getTime() + lostWaitMs) }
  // When the platform failed as a whole, `release` postpones the destination instead of its deliveries.
  const isLater = failure === null && outcome?.state === 'later'
  const dueAt = isLater ? (outcome.at ?? new Date(now.getTime() + aMinuteMs)) : now
  return { ...ended, state: 'waiting', dueAt }
}

/** Deletes an older delivery where a newer one was queued meanwhile and moves its push there: one unbegun row per subject. */
async function mergeIntoNewer(tx: Tx, { teamId, id }: Destination, settlements: readonly Settlement[]): Promise<void> {
  const ids = settlements.flatMap(({ one, state, isBegun }) =>
    state === 'waiting' && !isBegun ? [one.waiting.id] : [],
  )
  if (ids.length === 0) return
  await sql`
    with older as (
      delete from destination_delivery begun using destination_delivery newer
      where begun.team_id = ${teamId} and begun.id = any(${ids}::uuid[]) and newer.team_id = ${teamId}
        and newer.destination_id = ${id} and newer.subject = begun.subject and newer.state = 'waiting'
        and newer.begun_at is null and newer.id <> begun.id
      returning newer.id, begun.push_id)
    update destination_delivery newer set push_id = coalesce(newer.push_id, older.push_id)
    from older where newer.team_id = ${teamId} and newer.id = older.id`.execute(tx.db)
}

async function saveSettlements(
  tx: Tx,
  { teamId, id }: Destination,
  { settlements, tookMs }: { readonly settlements: readonly Settlement[]; readonly tookMs: number },
): Promise<void> {
  if (settlements.length === 0) return
  const rows = settlements.map(({ one: { waiting, digest }, state, isBegun, dueAt, remote, error }) => ({
    id: waiting.id,
    subject: waiting.subject,
    person_urn: waiting.personUrn,
    state,
    is_begun: isBegun,
    due_at: dueAt,
    remote_id: remote?.id ?? null,
    remote_url: remote?.url ?? null,
    company_id: remote?.companyId ?? null,
    notes: remote?.notes ?? [],
    digest: digest.toString('hex'),
    error,
  }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, subject text, person_urn text, state text,
    is_begun boolean, due_at timestamptz, remote_id text, remote_url text, company_id text, notes text[], digest text, error jsonb)`
  const begunAt = sql`${new Date(tx.now.getTime() - tookMs)}::timestamptz`
  // The platform's message may quote what it was sent, including somebody who has been erased since.
  const said = sql`case when r.error is not null and ${mayHaveNamedErased(teamId, begunAt)}
    then r.error || '{"message": "[erased]"}'::jsonb else r.error end`
  await sql`
    update destination_delivery d set state = r.state, due_at = coalesce(r.due_at, d.due_at),
      begun_at = case when r.is_begun then d.begun_at end,
      attempts = d.attempts + case when r.state = 'waiting' then 0 else 1 end,
      at = case when r.state = 'waiting' then d.at else ${tx.now}::timestamptz end,
      error = case when r.state = 'waiting' then d.error else ${said} end,
      remote_id = case when r.state = 'delivered' then r.remote_id else d.remote_id end,
      remote_url = case when r.state = 'delivered' then r.remote_url else d.remote_url end
    from ${given} where d.team_id = ${teamId} and d.id = r.id and d.state = 'waiting'`.execute(tx.db)
  await sql`
    -- Of somebody who was erased while they were sent nothing is kept.
    with kept as materialized (
      select id from destination_delivery where team_id = ${teamId} and id = any(${rows.map((row) => row.id)}::uuid[]))
    insert into destination_record (team_id, destination_id, subject, person_urn, remote_id, remote_url, company_id, notes, digest,
      written_at)
    select ${teamId}::uuid, ${id}::uuid, r.subject, r.person_urn, r.remote_id, r.remote_url, r.company_id, r.notes, decode(r.digest, 'hex'),
      ${tx.now}::timestamptz
    from ${given} join kept on kept.id = r.id
    where r.state = 'delivered'
    on conflict (team_id, destination_id, subject) do update set remote_id = excluded.remote_id, remote_url = excluded.remote_url,
      company_id = coalesce(excluded.company_id, destination_record.company_id), notes = excluded.notes, digest = excluded.digest,
      person_urn = excluded.person_urn, written_at = excluded.written_at`.execute(tx.db)
}

/** After a success the lease is kept for the rest of the rate window, so that no process calls earlier; then it expires. */
async function release(deps: DestinationDeps, tx: Tx, made: BatchOutcome, delivered: number): Promise<void> {
  const { leased, adapter, sent, closing, tookMs, calls } = made
  const { destination } = leased
  const { teamId, id } = nameOf(leased)
  const failure = sent.failure ?? closing?.failure ?? null
  const lastDelivered = sql`, unexpected_failures = 0, last_delivered_at = ${delivered > 0 ? sql`${tx.now}` : sql`last_delivered_at`}`
  if (failure !== null) {
    const { trouble, retryAt } = failure
    // Without the message: the platform's text may name somebody.
    deps.log.warn('a destination failed', { teamId, destinationId: id, trouble })
    const dueAt = retryAt ?? new Date(tx.now.getTime() + retryAfterMs(trouble, destination.failures))
    const failed = sql`, failures = failures + 1, failing_since = coalesce(failing_since, ${tx.now}::timestamptz),
      paused_reason = ${pauseOf(trouble)}::text, due_at = ${dueAt}`
    return endLease(tx, destinationRows, { teamId, id }, sql`${failed} ${lastDelivered}`)
  }
  const mended = sql`, failures = 0, failing_since = null, paused_reason = null`
  await endLease(tx, destinationRows, { teamId, id }, sql`${mended} ${lastDelivered}`)
  const leftOfWindowMs = Math.ceil((calls * adapter.limits.windowMs) / adapter.limits.calls - tookMs)
  if (leftOfWindowMs > 0)
    await sql`
      update destination set lease_owner = ${deps.processId}, lease_until_ms = ${deps.system.nowMs() + leftOfWindowMs}
      where team_id = ${teamId} and id = ${id}`.execute(tx.db)
}
