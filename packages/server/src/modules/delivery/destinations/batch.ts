import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { queryAll } from '../../../platform/db/query.ts'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { lockLeased } from '../../../platform/work/index.ts'
import type { LeadDocument, RemoteRecord } from '../../../providers/destinations/port.ts'
import { findExcluded } from '../../leads/index.ts'
import type { DestinationDeps } from './deps.ts'
import { listDocuments } from './documents.ts'
import { listAllowed } from './queue.ts'
import { destinationRows, type Destination, type Session } from './store.ts'

/** A destination leased by this process; `fence` counts its leases. */
export type Leased = { readonly destination: Destination; readonly fence: number }

/** The key and fence of a leased destination, as `lockLeased` takes them. */
export const nameOf = ({ destination, fence }: Leased) => ({ teamId: destination.teamId, id: destination.id, fence })

/** A waiting delivery, with the record that was last written for its subject. */
export type Waiting = {
  readonly id: string
  readonly subject: string
  readonly personUrn: string
  readonly leadId: string
  readonly begunAt: Date | null
  readonly digest: Buffer | null
  readonly remote: RemoteRecord | null
}

/** A delivery ready to send; `digest` is the hash of what the adapter maps the document to. */
export type Ready = { readonly waiting: Waiting; readonly document: LeadDocument; readonly digest: Buffer }

/** A begun, unrecorded batch goes first and alone, since a file it wrote is found by its deliveries' names; then the unbegun. */
const listWaiting = (tx: Tx, { teamId, id }: Destination, limit: number) =>
  queryAll<Waiting>(tx.db)`
    select d.id, d.subject, d.person_urn as "personUrn", d.lead_id as "leadId", d.begun_at as "begunAt", r.digest,
      case when r.remote_id is not null then jsonb_build_object('id', r.remote_id, 'url', r.remote_url,
        'companyId', r.company_id, 'notes', to_jsonb(r.notes)) end as remote
    from destination_delivery d
    left join destination_record r on r.team_id = d.team_id and r.destination_id = d.destination_id and r.subject = d.subject
    where d.team_id = ${teamId} and d.destination_id = ${id} and d.state = 'waiting' and d.due_at <= ${tx.now}
      and d.begun_at is not distinct from (
        select min(b.begun_at) from destination_delivery b
        where b.team_id = ${teamId} and b.destination_id = ${id} and b.state = 'waiting' and b.due_at <= ${tx.now})
    order by d.due_at, d.id limit ${limit}`

const digestOf = (mapped: unknown): Buffer => createHash('sha256').update(JSON.stringify(mapped)).digest()

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

/** A batch to send; `unconfirmed` was begun before and cannot safely be repeated, so the platform is asked about it first. */
export type Begun = { readonly ready: readonly Ready[]; readonly unconfirmed: readonly Ready[] }

/** Judges the waiting deliveries again and marks the rest as begun. Undefined when the lease is lost. */
export async function begin(
  deps: DestinationDeps,
  leased: Leased,
  { adapter, connection }: Pick<Session, 'adapter' | 'connection'>,
): Promise<Begun | undefined> {
  return deps.unitOfWork(async (tx) => {
    const destination = leased.destination
    if (!(await lockLeased(tx, destinationRows, nameOf(leased)))) return undefined
    const waiting = await listWaiting(tx, destination, adapter.limits.recordsPerDelivery)
    const leadIds = waiting.map(({ leadId }) => leadId)
    const excluded = await findExcluded(tx.db, destination.teamId, leadIds)
    const allowed = await listAllowed(tx.db, destination, leadIds)
    const documents = await listDocuments(tx.db, destination.teamId, { leadIds, origin: deps.origin() })
    const isGone = ({ leadId }: Waiting) => !allowed.has(leadId) || !documents.has(leadId)
    const mapped: Ready[] = []
    const [ended, gone]: [Waiting[], Waiting[]] = [[], []]
    for (const one of waiting) {
      if (excluded.has(one.leadId)) ended.push(one)
      else if (isGone(one)) gone.push(one)
      else {
        const document = documents.get(one.leadId)!
        mapped.push({ waiting: one, document, digest: digestOf(adapter.map(connection, document)) })
      }
    }
    await endAs(tx, destination, ended, 'excluded')
    await dropWaiting(tx, destination, gone)
    const kept = new Set(adapter.limits.per === 'lead' ? mapped : mergePeople(mapped))
    const isChanged = (one: Ready) =>
      kept.has(one) && (one.waiting.begunAt !== null || one.waiting.digest?.equals(one.digest) !== true)
    const isUnconfirmed = ({ waiting: { begunAt } }: Ready) => !adapter.isRepeatable && begunAt !== null
    const unchanged = mapped.filter((one) => !isChanged(one)).map((one) => one.waiting)
    await endAs(tx, destination, unchanged, 'unchanged')
    const changed = mapped.filter(isChanged)
    const unconfirmed = changed.filter(isUnconfirmed)
    const ready = changed.filter((one) => !isUnconfirmed(one))
    await markBegun(tx, destination, [...ready, ...unconfirmed])
    await deps.faultPoint('destination.begun')
    return { ready, unconfirmed }
  })
}

/** Two people found to be one person after queueing share one record, written from the newest lead. */
function mergePeople(ready: readonly Ready[]): readonly Ready[] {
  const newest = new Map<string, Ready>()
  for (const one of ready) {
    const before = newest.get(one.document.personKey)
    if (!before || (one.document.engagedAt ?? '') > (before.document.engagedAt ?? ''))
      newest.set(one.document.personKey, one)
  }
  return ready.filter((one) => newest.get(one.document.personKey) === one)
}

async function markBegun(tx: Tx, { teamId }: Destination, begun: readonly Ready[]): Promise<void> {
  if (begun.length > 0)
    await sql`
      update destination_delivery set begun_at = coalesce(begun_at, ${tx.now}::timestamptz) where team_id = ${teamId}
        and id = any(${begun.map(({ waiting }) => waiting.id)}::uuid[])`.execute(tx.db)
}
