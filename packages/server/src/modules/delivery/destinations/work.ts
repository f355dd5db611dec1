/**
 * Delivering what waits for a destination: one destination, at most one batch of its adapter, and no other process beside it.
 *
 *   waiting --claimed, still allowed, changed--> begun --the platform answers for it--> delivered | refused
 *      |-- excluded by now --> excluded          |-- later, or not asked --> waiting again, no try used up
 *      |-- as it was written last --> unchanged  |-- the answer is lost, or this process dies --> found begun by the next claim:
 *      `-- not allowed any more --> gone              sent again where that cannot do anything twice; else looked up on the
 *                                                     platform: there -> delivered, not there -> sent, cannot be asked -> unknown
 *   a destination: refused credentials, a missing scope or set-up, no plan --> paused, what waits stays, in order
 *                  the day's quota --> paused until then;  too many calls, no answer --> everything a little later
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { SystemClock } from '../../../platform/clock.ts'
import type { Reader, Tx, UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../../platform/faults.ts'
import { addLogContext } from '../../../platform/log-context.ts'
import type { Log } from '../../../platform/log.ts'
import type { Vault } from '../../../platform/secrets.ts'
import {
  claimOne,
  defineWork,
  leaseOf,
  lockLeased,
  noteTaskContext,
  releaseRow,
  renewLeases,
  rescheduleForEver,
  leaseMs,
} from '../../../platform/work/index.ts'
import {
  DestinationFailure,
  type AdapterParts,
  type Connection,
  type DestinationAdapter,
  type LeadDocument,
  type RecordOutcome,
  type RemoteRecord,
} from '../../../providers/destinations/port.ts'
import { listDocuments } from './documents.ts'
import type { Kind } from './schema.ts'
import { listAllowed } from './queue.ts'
import { destinationRows, findDestination, openCredentials, type Destination } from './store.ts'
import { findExcluded } from '../../leads/index.ts'
import { pauseOf, retryAfterMs } from './rules.ts'
import { readStagePage, recordStagePage, type RecordStages, type StagePage } from './stages.ts'

/** Makes the parts of an adapter for a destination: its calls are guarded, counted and paced by who composes the service. */
export type CallsOf = (destination: Destination, now: Date) => AdapterParts

/** What delivering works with. */
export type DestinationDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly vault: Vault
  readonly system: SystemClock
  readonly faultPoint: FaultPointHook
  readonly log: Log
  /** Id of this process, for leases. */
  readonly owner: string
  readonly callsOf: CallsOf
  /** The adapter of a kind; none of `webhook`, which the loop of webhooks sends. */
  readonly adapterOf: (kind: Kind) => DestinationAdapter | undefined
  /** Where results of a CRM go. */
  readonly recordStages: RecordStages
  /** Where the dashboard is, for links; null when nobody has said. */
  readonly origin: () => string | null
}

type Leased = { readonly destination: Destination; readonly fence: number }

type Waiting = {
  readonly id: string
  readonly subject: string
  readonly personUrn: string
  readonly leadId: string
  /** When it was first begun; null where it has not been. */
  readonly begunAt: Date | null
  readonly attempts: number
  readonly digest: Buffer | null
  readonly remote: RemoteRecord | null
}

/** A delivery ready to be sent. */
type Ready = { readonly waiting: Waiting; readonly document: LeadDocument; readonly digest: Buffer }

/**
 * What is due of a leased destination, at most one batch. What was begun and never recorded goes by itself, as the batch that it was: a
 * file that was written then is found by the names of those in it.
 */
async function listWaiting(tx: Tx, { teamId, id }: Destination, limit: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select d.id, d.subject, d.person_urn as "personUrn", d.lead_id as "leadId", d.begun_at as "begunAt", d.attempts,
      r.digest, case when r.remote_id is not null then jsonb_build_object('id', r.remote_id, 'url', r.remote_url,
        'companyId', r.company_id, 'notes', to_jsonb(r.notes)) end as remote
    from destination_delivery d
    left join destination_record r on r.team_id = d.team_id and r.destination_id = d.destination_id and r.subject = d.subject
    where d.team_id = ${teamId} and d.destination_id = ${id} and d.state = 'waiting' and d.due_at <= ${tx.now}
      and d.begun_at is not distinct from (
        select min(b.begun_at) from destination_delivery b
        where b.team_id = ${teamId} and b.destination_id = ${id} and b.state = 'waiting' and b.due_at <= ${tx.now})
    order by d.due_at, d.id limit ${limit}`.execute(tx.db)
  return rows
}

const digestOf = (mapped: unknown): Buffer => createHash('sha256').update(JSON.stringify(mapped)).digest()

/** Ends deliveries without sending them. */
async function endAs(tx: Tx, { teamId, id }: Destination, ended: readonly Waiting[], state: 'excluded' | 'unchanged') {
  if (ended.length > 0)
    await sql`
      update destination_delivery d set state = ${state}, begun_at = null, at = ${tx.now},
        remote_id = r.remote_id, remote_url = r.remote_url
      from unnest(${ended.map((one) => one.id)}::uuid[], ${ended.map((one) => one.subject)}::text[]) as e (id, subject)
      left join destination_record r on r.team_id = ${teamId} and r.destination_id = ${id} and r.subject = e.subject
      where d.team_id = ${teamId} and d.id = e.id and d.state = 'waiting'`.execute(tx.db)
}

async function dropWaiting(tx: Tx, { teamId }: Destination, dropped: readonly Waiting[]) {
  if (dropped.length > 0)
    await sql`
      delete from destination_delivery where team_id = ${teamId} and id = any(${dropped.map(({ id }) => id)}::uuid[])
        and state = 'waiting'`.execute(tx.db)
}

/** What is left to be sent of what waits: judged anew, those marked as begun that go. Undefined when the lease is lost. */
async function begin(
  deps: DestinationDeps,
  { leased, connection, adapter }: { leased: Leased; connection: Connection; adapter: DestinationAdapter },
): Promise<{ ready: Ready[]; lost: Ready[] } | undefined> {
  return deps.unitOfWork(async (tx) => {
    const destination = leased.destination
    if (!(await lockLeased(tx, destinationRows, nameOf(leased)))) return undefined
    const waiting = await listWaiting(tx, destination, adapter.limits.recordsPerDelivery)
    const leadIds = waiting.map(({ leadId }) => leadId)
    const excluded = await findExcluded(tx.db, destination.teamId, leadIds)
    const allowed = await listAllowed(tx.db, destination, leadIds)
    const documents = await listDocuments(tx.db, { teamId: destination.teamId, leadIds, origin: deps.origin() })
    await endAs(
      tx,
      destination,
      waiting.filter(({ leadId }) => excluded.has(leadId)),
      'excluded',
    )
    const gone = ({ leadId }: Waiting) => !allowed.has(leadId) || !documents.has(leadId)
    await dropWaiting(
      tx,
      destination,
      waiting.filter((one) => !excluded.has(one.leadId) && gone(one)),
    )
    const told = waiting
      .filter((one) => !excluded.has(one.leadId) && !gone(one))
      .map((one): Ready => {
        const document = documents.get(one.leadId)!
        return { waiting: one, document, digest: digestOf(adapter.map(connection, document)) }
      })
    const going = adapter.limits.per === 'lead' ? told : mergePeople(told)
    await endAs(
      tx,
      destination,
      told.filter((one) => !going.includes(one)).map((one) => one.waiting),
      'unchanged',
    )
    const isUnchanged = ({ waiting: { begunAt, digest: before }, digest }: Ready) =>
      begunAt === null && before?.equals(digest) === true
    await endAs(
      tx,
      destination,
      going.filter(isUnchanged).map((one) => one.waiting),
      'unchanged',
    )
    const changed = going.filter((one) => !isUnchanged(one))
    const lost = adapter.isRepeatable ? [] : changed.filter((one) => one.waiting.begunAt !== null)
    const ready = changed.filter((one) => !lost.includes(one))
    await markBegun(tx, destination, [...ready, ...lost])
    await deps.faultPoint('destination.begun')
    return { ready, lost }
  })
}

/** One a person: two who turned out to be the same after they were queued are one record, told of by the newest lead. */
function mergePeople(told: readonly Ready[]): readonly Ready[] {
  const newest = new Map<string, Ready>()
  for (const one of told) {
    const before = newest.get(one.document.personKey)
    if (!before || (one.document.engagedAt ?? '') > (before.document.engagedAt ?? ''))
      newest.set(one.document.personKey, one)
  }
  return told.filter((one) => newest.get(one.document.personKey) === one)
}

async function markBegun(tx: Tx, { teamId }: Destination, begun: readonly Ready[]): Promise<void> {
  if (begun.length > 0)
    await sql`
      update destination_delivery set begun_at = coalesce(begun_at, ${tx.now}::timestamptz) where team_id = ${teamId}
        and id = any(${begun.map(({ waiting }) => waiting.id)}::uuid[])`.execute(tx.db)
}

/** A record that the platform cannot take for now is tried again so much later, where it does not say. */
const aMinuteMs = 60_000
/** What may have been written is looked up so much later. */
const lostWaitMs = 10_000

const nameOf = ({ destination, fence }: Leased) => ({ teamId: destination.teamId, id: destination.id, fence })

/**
 * What came of a batch: outcomes by delivery, and the failure of the platform as a whole, if it failed. `unaskable`: deliveries whose
 * answer is lost for good.
 */
type Sent = {
  readonly outcomes: ReadonlyMap<string, RecordOutcome>
  readonly unaskable: ReadonlySet<string>
  readonly failure: DestinationFailure | null
}

/** Looks up what may have been written already; answers what is known of it, the rest is to be sent. */
async function lookUp(
  parts: AdapterParts,
  { adapter, connection, lost }: { adapter: DestinationAdapter; connection: Connection; lost: readonly Ready[] },
): Promise<{ outcomes: Map<string, RecordOutcome>; unaskable: ReadonlySet<string>; unsent: Ready[] }> {
  const outcomes = new Map<string, RecordOutcome>()
  if (lost.length === 0) return { outcomes, unaskable: new Set(), unsent: [] }
  const keyOf = ({ document }: Ready) => (adapter.limits.per === 'lead' ? document.leadId : document.personKey)
  const found = await adapter.find(parts, connection, lost.map(keyOf))
  for (const one of lost) {
    const { id } = one.waiting
    const remote = found?.get(keyOf(one))
    if (found === null)
      outcomes.set(id, { id, state: 'unknown', message: 'The answer was lost, and the platform cannot be asked.' })
    else if (remote) outcomes.set(id, { id, state: 'written', how: 'updated', remote })
  }
  return {
    outcomes,
    unaskable: new Set(found === null ? outcomes.keys() : []),
    unsent: lost.filter(({ waiting }) => !outcomes.has(waiting.id)),
  }
}

/** The trouble of the platform as a whole that outcomes tell of; one record that it cannot take for now is none. */
function failureIn(outcomes: readonly RecordOutcome[]): DestinationFailure | null {
  const [lost] = outcomes.filter((outcome) => outcome.state === 'unknown')
  if (lost && outcomes.every(({ state }) => state === 'unknown'))
    return new DestinationFailure('answer_lost', lost.message)
  const later = outcomes.filter((outcome) => outcome.state === 'later')
  const whole = later.find(({ trouble }) => trouble === 'rate' || pauseOf(trouble) !== null)
  const first = whole ?? (later.length === outcomes.length ? later[0] : undefined)
  return first ? new DestinationFailure(first.trouble, first.message, { retryAt: first.at }) : null
}

/** Sends a batch; the failure of the platform as a whole is an answer too. */
async function sendBatch(
  parts: AdapterParts,
  {
    adapter,
    connection,
    ready,
    lost,
  }: { adapter: DestinationAdapter; connection: Connection; ready: readonly Ready[]; lost: readonly Ready[] },
): Promise<Sent> {
  const outcomes = new Map<string, RecordOutcome>()
  let unaskable: ReadonlySet<string> = new Set()
  let isLookedUp = false
  try {
    const looked = await lookUp(parts, { adapter, connection, lost })
    isLookedUp = true
    unaskable = looked.unaskable
    for (const [id, outcome] of looked.outcomes) outcomes.set(id, outcome)
    const records = [...looked.unsent, ...ready].map(({ waiting: { id, remote }, document }) => ({
      id,
      document,
      remote,
      isSample: false,
    }))
    if (records.length > 0)
      for (const outcome of await adapter.deliver(parts, connection, records)) outcomes.set(outcome.id, outcome)
    const said = [...outcomes.values()].filter(({ id }) => !unaskable.has(id))
    return { outcomes, unaskable, failure: failureIn(said) }
  } catch (error) {
    if (!(error instanceof DestinationFailure)) throw error
    // Still nobody knows: they are looked up again before they are sent.
    if (!isLookedUp)
      for (const { waiting } of lost)
        outcomes.set(waiting.id, { id: waiting.id, state: 'unknown', message: error.message })
    return { outcomes, unaskable, failure: error }
  }
}

/** Days whose files are whole, and the failure of the platform that kept some of them open. */
type Closing = { readonly closed: readonly string[]; readonly failure: DestinationFailure | null }

/** A day of files is closed an hour after its end: what was begun before has been repeated by then. */
const closesAfterMs = 25 * 60 * 60_000

/** Says of days that are over which files are of them. */
async function closeDays(
  deps: DestinationDeps,
  {
    destination: { teamId, id },
    adapter,
    connection,
    parts,
  }: { destination: Destination; adapter: DestinationAdapter; connection: Connection; parts: AdapterParts },
): Promise<Closing | null> {
  if (!adapter.closeDay) return null
  const { rows } = await sql<{ day: string; keys: string[] }>`
    select f.day::text as day, array(
      select distinct d.remote_id from destination_delivery d
      where d.team_id = f.team_id and d.destination_id = f.destination_id and d.state = 'delivered'
        and d.remote_id like '%/' || f.day::text || '/%') as keys
    from destination_day f where f.team_id = ${teamId} and f.destination_id = ${id} and f.closes_at <= ${parts.now}
      -- What was begun on that day and may have been written belongs to it.
      and not exists (
        select from destination_delivery d where d.team_id = f.team_id and d.destination_id = f.destination_id
          and d.state = 'waiting' and (d.begun_at at time zone 'UTC')::date = f.day)
    order by f.day`.execute(deps.db)
  const closed: string[] = []
  try {
    for (const { day, keys } of rows) {
      await adapter.closeDay(parts, connection, day, keys)
      closed.push(day)
    }
    return { closed, failure: null }
  } catch (error) {
    if (!(error instanceof DestinationFailure)) throw error
    return { closed, failure: error }
  }
}

async function openDay(tx: Tx, { teamId, id }: Destination, day: string): Promise<void> {
  await sql`
    insert into destination_day (team_id, destination_id, day, closes_at)
    values (${teamId}, ${id}, ${day}::date, ${new Date(Date.parse(day) + closesAfterMs)})
    on conflict (team_id, destination_id, day) do nothing`.execute(tx.db)
}

async function endDays(tx: Tx, { teamId, id }: Destination, { closed }: Closing): Promise<void> {
  if (closed.length > 0)
    await sql`
      delete from destination_day where team_id = ${teamId} and destination_id = ${id}
        and day = any(${[...closed]}::date[])`.execute(tx.db)
}

/** Locks a destination that is still ours, also when somebody has paused it meanwhile: what was sent is recorded all the same. */
async function lockOurs(tx: Tx, leased: Leased): Promise<boolean> {
  const { teamId, id, fence } = nameOf(leased)
  const { rows } = await sql`
    select 1 from destination where team_id = ${teamId} and id = ${id} and fence = ${fence} for update`.execute(tx.db)
  return rows.length > 0
}

/** Writes what came of a batch, under the fence of the claim. */
async function record(
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
    await writeDelivered(tx, destination, byState('written'))
    if (adapter.closeDay && byState('written').length > 0) await openDay(tx, destination, day)
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
      ...[...byState('written'), ...byState('refused')].map(({ one }) => one.waiting.id),
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
      delivered: byState('written').length,
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

/** Delivers a batch of the destination that waits longest; `idle` when none is due. */
function destinationStep(deps: DestinationDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const claimed = await deps.unitOfWork(async (tx) => {
      const row = await claimOne<{ team_id: string; id: string; fence: number; unexpected_failures: number }>(
        tx,
        destinationRows,
        leaseOf(deps.owner, deps.system.nowMs()),
      )
      if (!row) return undefined
      addLogContext({ teamId: row.team_id, destinationId: row.id })
      noteTaskContext(tx, destinationRows, row)
      const destination = await findDestination(tx.db, row.team_id, row.id)
      return { leased: { destination: destination!, fence: row.fence }, now: tx.now }
    })
    if (!claimed) return 'idle'
    const { leased, now } = claimed
    const { destination } = leased
    const adapter = deps.adapterOf(destination.kind)!
    const connection = await openConnection(deps, destination, adapter)
    // Deleted meanwhile.
    if (!connection) return 'worked'
    const begun = await begin(deps, { leased, connection, adapter })
    if (!begun) return 'worked'
    const startedMs = deps.system.nowMs()
    const firstTry = begun.ready[0]?.waiting.begunAt ?? begun.lost[0]?.waiting.begunAt ?? now
    const day = firstTry.toISOString().slice(0, 10)
    let calls = 0
    const made = deps.callsOf(destination, now)
    const keepLease = leaseKeeper(deps, leased)
    const parts: AdapterParts = {
      ...made,
      call: async (request) => {
        calls += 1
        await keepLease()
        return made.call(request)
      },
    }
    const all = [...begun.ready, ...begun.lost]
    const delivered = await sendBatch({ ...parts, day }, { adapter, connection, ...begun })
    const asked = { destination, adapter, connection, parts }
    const { page, failure } = all.length > 0 ? { page: null, failure: null } : await readStages(deps, asked)
    const sent = failure ? { ...delivered, failure } : delivered
    const closing = sent.failure === null ? await closeDays(deps, { destination, adapter, connection, parts }) : null
    await deps.faultPoint('destination.sent')
    const tookMs = deps.system.nowMs() - startedMs
    await record(deps, { leased, adapter, begun: all, sent, tookMs, calls, day, closing, page })
    return 'worked'
  }
}

/** The next page of stages, when nothing waits; a platform that fails is asked later, as with deliveries. */
async function readStages(
  deps: DestinationDeps,
  asked: Parameters<typeof readStagePage>[1],
): Promise<{ page: StagePage | null; failure: DestinationFailure | null }> {
  try {
    return { page: await readStagePage(deps.db, asked), failure: null }
  } catch (error) {
    if (!(error instanceof DestinationFailure)) throw error
    return { page: null, failure: error }
  }
}

/** Asked before every call: a batch of many slow calls outlasts a lease, and nobody else may send it meanwhile. */
function leaseKeeper(deps: DestinationDeps, leased: Leased): () => Promise<void> {
  let renewedMs = deps.system.nowMs()
  return async () => {
    const nowMs = deps.system.nowMs()
    if (nowMs - renewedMs < leaseMs / 4) return
    renewedMs = nowMs
    await deps.unitOfWork(async (tx) => {
      if (!(await lockLeased(tx, destinationRows, nameOf(leased))))
        throw new DestinationFailure('unavailable', 'Another process has taken over.')
      await renewLeases(tx, destinationRows, [nameOf(leased)], nowMs + leaseMs)
    })
  }
}

/** What an adapter is asked with: settings and credentials as its schemas read them; undefined when the destination is gone. */
export async function openConnection(
  deps: Pick<DestinationDeps, 'db' | 'vault'>,
  { teamId, id, settings, mapping }: Pick<Destination, 'teamId' | 'id' | 'settings' | 'mapping'>,
  adapter: Pick<DestinationAdapter, 'settings' | 'credentials'>,
): Promise<Connection | undefined> {
  const credentials = await openCredentials(deps.db, { vault: deps.vault, teamId, id })
  if (credentials === null) return undefined
  return {
    settings: adapter.settings.parse(settings),
    credentials: adapter.credentials.parse(credentials),
    mapping,
  }
}

/** Destinations, as work. */
export const destinationWork = defineWork({
  kind: 'destination',
  rows: [destinationRows],
  step: destinationStep,
  // What waits stays, however often it fails.
  unexpected: { destination: (tx, work, dueAt) => rescheduleForEver(tx, destinationRows, work, dueAt) },
})
