/** Recording what came of a batch: under the fence of its claim, in one unit of work. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { releaseRow } from '../../../platform/work/index.ts'
import type { DestinationAdapter, RecordOutcome } from '../../../providers/destinations/port.ts'
import { nameOf, type Leased, type Ready } from './batch.ts'
import { endDays, openDay, type Closing } from './days.ts'
import type { DestinationDeps } from './deps.ts'
import { pauseOf, retryAfterMs } from './rules.ts'
import type { Sent } from './send.ts'
import { recordStagePage, type StagePage } from './stages.ts'
import { destinationRows, type Destination } from './store.ts'

/** A record that the platform cannot take for now is tried again so much later, where it does not say. */
const aMinuteMs = 60_000
/** What may have been written is looked up so much later. */
const lostWaitMs = 10_000

/** Locks a destination that is still ours, also when somebody has paused it meanwhile: what was sent is recorded all the same. */
async function lockOurs(tx: Tx, leased: Leased): Promise<boolean> {
  const { teamId, id, fence } = nameOf(leased)
  const { rows } = await sql`
    select 1 from destination where team_id = ${teamId} and id = ${id} and fence = ${fence} for update`.execute(tx.db)
  return rows.length > 0
}

/** Writes what came of a batch, under the fence of the claim. */
export async function record(
  deps: DestinationDeps,
  {
    leased,
    adapter,
    begun,
    sent,
    tookMs,
    calls,
    day,
    closing,
    page,
  }: {
    leased: Leased
    adapter: DestinationAdapter
    begun: readonly Ready[]
    sent: Sent
    tookMs: number
    /** Calls that it took. */
    calls: number
    /** The UTC day that its files are of. */
    day: string
    closing: Closing | null
    page: StagePage | null
  },
): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    const { destination } = leased
    if (!(await lockOurs(tx, leased))) return
    const byState = <S extends RecordOutcome['state']>(state: S) =>
      begun.flatMap((one) => {
        const outcome = sent.outcomes.get(one.waiting.id)
        return outcome?.state === state ? [{ one, outcome: outcome as Extract<RecordOutcome, { state: S }> }] : []
      })
    const written = byState('written')
    await writeDelivered(tx, destination, written)
    if (adapter.closeDay && written.length > 0) await openDay(tx, destination, day)
    if (closing) await endDays(tx, destination, closing)
    if (page) await recordStagePage(tx, destination, { page, recordStages: deps.recordStages })
    await writeEnded(tx, destination, [
      ...byState('refused').map(({ one, outcome }) => ({
        one,
        state: 'refused' as const,
        error: {
          code: outcome.code,
          message: outcome.message,
          ...(outcome.field === null ? {} : { field: outcome.field }),
        },
      })),
      // Of the others that may have been done the next claim finds out.
      ...byState('unknown')
        .filter(({ one }) => sent.unaskable.has(one.waiting.id))
        .map(({ one, outcome }) => ({
          one,
          state: 'unknown' as const,
          error: { code: 'answer_lost', message: outcome.message },
        })),
    ])
    const settled = new Set([
      ...sent.unaskable,
      ...[...written, ...byState('refused')].map(({ one }) => one.waiting.id),
    ])
    const open = begun.filter(({ waiting }) => !settled.has(waiting.id))
    const isLost = ({ waiting }: Ready) => {
      const state = sent.outcomes.get(waiting.id)?.state
      return state === 'unknown' || (state === undefined && sent.failure?.trouble === 'answer_lost')
    }
    await postpone(
      tx,
      destination,
      open.filter(isLost).map(({ waiting }) => waiting.id),
    )
    const later = new Map(byState('later').map(({ one, outcome }) => [one.waiting.id, outcome.at]))
    await reopen(
      tx,
      destination,
      open
        .filter((one) => !isLost(one))
        .map(({ waiting: { id } }) => ({
          id,
          // The destination as a whole waits where the platform failed as a whole.
          dueAt:
            sent.failure !== null || !later.has(id)
              ? tx.now
              : (later.get(id) ?? new Date(tx.now.getTime() + aMinuteMs)),
        })),
    )
    await release(deps, tx, {
      leased,
      adapter,
      sent: closing?.failure ? { ...sent, failure: closing.failure } : sent,
      tookMs,
      calls,
      delivered: written.length,
    })
    await deps.faultPoint('destination.recorded')
  })
}

type Written = { readonly one: Ready; readonly outcome: Extract<RecordOutcome, { state: 'written' }> }

async function writeDelivered(tx: Tx, { teamId, id }: Destination, written: readonly Written[]): Promise<void> {
  if (written.length === 0) return
  const rows = written.map(({ one: { waiting, digest }, outcome: { remote, leftOut = [] } }) => ({
    id: waiting.id,
    subject: waiting.subject,
    person_urn: waiting.personUrn,
    remote_id: remote.id,
    remote_url: remote.url,
    company_id: remote.companyId,
    notes: remote.notes,
    digest: digest.toString('hex'),
    error: leftOut[0] ? { code: 'value_left_out', message: leftOut[0].message, field: leftOut[0].field } : null,
  }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, subject text, person_urn text, remote_id text,
    remote_url text, company_id text, notes text[], digest text, error jsonb)`
  await sql`
    update destination_delivery d set state = 'delivered', attempts = attempts + 1, begun_at = null, at = ${tx.now},
      remote_id = r.remote_id, remote_url = r.remote_url, error = r.error
    from ${given} where d.team_id = ${teamId} and d.id = r.id and d.state = 'waiting'`.execute(tx.db)
  await sql`
    insert into destination_record (team_id, destination_id, subject, person_urn, remote_id, remote_url, company_id, notes, digest,
      written_at)
    select ${teamId}, ${id}, r.subject, r.person_urn, r.remote_id, r.remote_url, r.company_id, r.notes, decode(r.digest, 'hex'),
      ${tx.now}
    from ${given}
    -- Of somebody who was erased while they were sent nothing is kept.
    join destination_delivery d on d.team_id = ${teamId} and d.id = r.id
    on conflict (team_id, destination_id, subject) do update set remote_id = excluded.remote_id, remote_url = excluded.remote_url,
      company_id = coalesce(excluded.company_id, destination_record.company_id), notes = excluded.notes, digest = excluded.digest,
      person_urn = excluded.person_urn, written_at = excluded.written_at`.execute(tx.db)
}

type Ended = {
  readonly one: Ready
  readonly state: 'refused' | 'unknown'
  readonly error: { code: string; message: string; field?: string }
}

async function writeEnded(tx: Tx, { teamId }: Destination, ended: readonly Ended[]): Promise<void> {
  if (ended.length === 0) return
  const rows = ended.map(({ one, state, error }) => ({ id: one.waiting.id, state, error }))
  await sql`
    update destination_delivery d set state = r.state, attempts = attempts + 1, begun_at = null, at = ${tx.now}, error = r.error
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, state text, error jsonb)
    where d.team_id = ${teamId} and d.id = r.id and d.state = 'waiting'`.execute(tx.db)
}

/** Leaves deliveries begun that may have been done: the next claim after some seconds finds out. */
async function postpone(tx: Tx, { teamId }: Destination, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await sql`
      update destination_delivery set due_at = ${new Date(tx.now.getTime() + lostWaitMs)}
      where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) and state = 'waiting'`.execute(tx.db)
}

/** Lets deliveries wait again that were not done; who waits anew meanwhile takes the place of them. */
async function reopen(
  tx: Tx,
  { teamId, id }: Destination,
  open: readonly { readonly id: string; readonly dueAt: Date }[],
): Promise<void> {
  const ids = open.map((one) => one.id)
  if (ids.length === 0) return
  await sql`
    update destination_delivery other set push_id = d.push_id from destination_delivery d
    where d.team_id = ${teamId} and d.id = any(${ids}::uuid[]) and d.push_id is not null and other.team_id = ${teamId}
      and other.destination_id = ${id} and other.subject = d.subject and other.state = 'waiting' and other.begun_at is null
      and other.id <> d.id and other.push_id is null`.execute(tx.db)
  await sql`
    delete from destination_delivery d where d.team_id = ${teamId} and d.id = any(${ids}::uuid[]) and exists (
      select from destination_delivery other where other.team_id = d.team_id and other.destination_id = ${id}
        and other.subject = d.subject and other.state = 'waiting' and other.begun_at is null and other.id <> d.id)`.execute(
    tx.db,
  )
  await sql`
    update destination_delivery d set begun_at = null, due_at = o.due_at
    from unnest(${ids}::uuid[], ${open.map(({ dueAt }) => dueAt)}::timestamptz[]) as o (id, due_at)
    where d.team_id = ${teamId} and d.id = o.id and d.state = 'waiting'`.execute(tx.db)
}

/** Ends the lease, with what the platform's answer means for the destination as a whole; it stays leased as long as its limits want. */
async function release(
  deps: DestinationDeps,
  tx: Tx,
  {
    leased,
    adapter,
    sent: { failure },
    tookMs,
    calls,
    delivered,
  }: { leased: Leased; adapter: DestinationAdapter; sent: Sent; tookMs: number; calls: number; delivered: number },
): Promise<void> {
  const { destination } = leased
  const name = nameOf(leased)
  const lastDelivered = delivered > 0 ? sql`, last_delivered_at = ${tx.now}` : sql``
  if (failure === null) {
    const pausesMs = Math.max(0, (calls * adapter.limits.windowMs) / adapter.limits.calls - tookMs)
    await releaseRow(
      tx,
      destinationRows,
      name,
      sql`, unexpected_failures = 0, failures = 0, failing_since = null, paused_reason = null ${lastDelivered}`,
    )
    if (pausesMs > 0)
      await sql`
        update destination set lease_owner = ${deps.owner}, lease_until_ms = ${deps.system.nowMs() + Math.ceil(pausesMs)}
        where team_id = ${name.teamId} and id = ${name.id}`.execute(tx.db)
    return
  }
  const { trouble, retryAt, message } = failure
  deps.log.warn('a destination failed', { teamId: name.teamId, destinationId: name.id, trouble, reason: message })
  const paused = pauseOf(trouble)
  const dueAt = retryAt ?? new Date(tx.now.getTime() + retryAfterMs(trouble, destination.failures))
  await releaseRow(
    tx,
    destinationRows,
    name,
    sql`, unexpected_failures = 0, failures = failures + 1, failing_since = coalesce(failing_since, ${tx.now}::timestamptz),
      paused_reason = ${paused}::text, due_at = ${dueAt} ${lastDelivered}`,
  )
}
