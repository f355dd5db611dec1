/** SQL of the ledger. Unique indexes (member id, handle) let only one send insert a person; rows are kept for ever. */
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import { queryColumn, queryExists, queryValue } from '../../platform/db/query.ts'
import { camelKeys, type SnakeKeys } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import {
  defineRows,
  endLease,
  noteTaskContext,
  leaseRows,
  oldest,
  reschedule,
  renewLeases,
  type Lease,
} from '../../platform/work/index.ts'
import type { Recorded, Work } from '../../platform/task-context.ts'
import type { PersonKeys } from './rules/sending.ts'

export type Batch = {
  readonly teamId: string
  readonly id: string
  readonly campaignId: string
  readonly fence: number
}

/** A batch being looked up; `checks` counts lookups, including this one. */
export type OpenBatch = Batch & { readonly checks: number }

export type LedgerPerson = PersonKeys & { readonly profileUrl: string; readonly leadId: string | null }

const peopleAs = (people: readonly (PersonKeys & { readonly place?: number })[]) =>
  sql`unnest(${people.map((one) => one.personUrn)}::text[], ${people.map((one) => one.handle)}::text[],
      ${people.map((_one, place) => place)}::int[]) as a(urn, handle, place)`

const rowsOf = (teamId: string, campaignId: string) => sql`
  select id, state, batch_id from outreach_send
  where team_id = ${teamId} and campaign_id = ${campaignId} and person_urn = a.urn
  union select id, state, batch_id from outreach_send
  where team_id = ${teamId} and campaign_id = ${campaignId} and handle = a.handle`

/** Claims people for a new batch; `places` are the list indexes of those nobody else sent or is sending. Undefined when none. */
export async function claimPeople(
  tx: Tx,
  { to, people, lease }: { to: { teamId: string; campaignId: string }; people: readonly LedgerPerson[]; lease: Lease },
): Promise<{ batch: Batch; places: readonly number[] } | undefined> {
  const { teamId, campaignId } = to
  const id = tx.newId()
  await sql`delete from outreach_send
    where team_id = ${teamId} and id in (select s.id from ${peopleAs(people)}
      cross join lateral (${rowsOf(teamId, campaignId)}) s where s.state = 'failed')`.execute(tx.db)
  const rows = people.map((person, place) => ({ ...person, id: tx.newId(), place }))
  // Sorted, so that two claims of the same people do not deadlock.
  const ordered = rows.toSorted((a, b) => ((a.personUrn ?? a.handle ?? '') < (b.personUrn ?? b.handle ?? '') ? -1 : 1))
  const { rows: inserted } = await sql<{ id: string }>`
    insert into outreach_send (team_id, id, campaign_id, batch_id, person_urn, handle, profile_url, lead_id, state,
        sent_at)
    select ${teamId}::uuid, r.id, ${campaignId}, ${id}::uuid, r."personUrn", r.handle, r."profileUrl", r."leadId", 'sending',
      ${tx.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(ordered)}::jsonb) as r(id uuid, "personUrn" text, handle text,
      "profileUrl" text, "leadId" uuid)
    on conflict do nothing returning id`.execute(tx.db)
  if (inserted.length === 0) return undefined
  const claimed = new Set(inserted.map((row) => row.id))
  await sql`
    insert into outreach_batch (team_id, id, campaign_id, state, due_at, lease_owner, lease_until_ms, fence, created_at)
    values (${teamId}, ${id}, ${campaignId}, 'sending', ${tx.now}, ${lease.processId}, ${lease.untilMs}, 1,
        ${tx.now})`.execute(tx.db)
  // If the sender dies, the batch is found when its lease expires.
  tx.mark('outreach', teamId)
  return {
    batch: { teamId, id, campaignId, fence: 1 },
    places: rows.filter((row) => claimed.has(row.id)).map((row) => row.place),
  }
}

/** Counts people who may have been sent by a call whose answer was lost. */
export async function countUncertain(
  db: Reader,
  to: { readonly teamId: string; readonly campaignId: string },
  people: readonly PersonKeys[],
): Promise<number> {
  if (people.length === 0) return 0
  return (await queryValue<number>(db)`
    select count(*)::integer as people from (
      select a.place from ${peopleAs(people)} cross join lateral (${rowsOf(to.teamId, to.campaignId)}) s
      group by a.place having bool_or(s.state = 'uncertain') and not bool_or(s.state = 'sent')) uncertain`)!
}

/** What the ledger knows, by list index: `sent` (also uncertain for good), or `open` while a batch is not settled. */
export async function findKnown(
  db: Reader,
  { teamId, campaignId, people }: { teamId: string; campaignId: string; people: readonly PersonKeys[] },
): Promise<Map<number, 'sent' | 'open'>> {
  if (people.length === 0) return new Map()
  const { rows } = await sql<{ place: number; sent: boolean }>`
    select a.place, bool_or(s.state = 'sent' or b.state = 'settled') as sent from ${peopleAs(people)}
    cross join lateral (${rowsOf(teamId, campaignId)}) s
    join outreach_batch b on b.team_id = ${teamId} and b.id = s.batch_id where s.state <> 'failed'
    group by a.place`.execute(db)
  return new Map(rows.map((row) => [row.place, row.sent ? 'sent' : 'open']))
}

/** Those of the people who were sent to any campaign. */
export async function listSentPeople(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const found = await queryColumn<string>(db)`
    select distinct person_urn as urn from outreach_send
    where team_id = ${teamId} and person_urn = any(${[...urns]}::text[])`
  return new Set(found)
}

/** Locks a batch that is still ours and not settled; false otherwise. */
export const lockBatch = (tx: Tx, batch: Omit<Batch, 'campaignId'>) =>
  queryExists(tx.db)`
    select 1 from outreach_batch
      where team_id = ${batch.teamId} and id = ${batch.id} and fence = ${batch.fence} and state <> 'settled'
      for update`

/** Settles a batch with one state for all its people. */
export async function settleBatch(tx: Tx, batch: Batch, state: 'sent' | 'failed'): Promise<void> {
  await sql`update outreach_send set state = ${state}
    where team_id = ${batch.teamId} and batch_id = ${batch.id}`.execute(tx.db)
  await closeBatch(tx, batch)
}

/** Settles a batch without touching its people. */
export async function closeBatch(tx: Tx, batch: Pick<Batch, 'teamId' | 'id'>): Promise<void> {
  await sql`update outreach_batch
    set state = 'settled', finished_at = ${tx.now}, lease_owner = null, lease_until_ms = null
    where team_id = ${batch.teamId} and id = ${batch.id}`.execute(tx.db)
}

/** Deletes a batch that certainly added nobody; its people can be sent again at once. */
export async function undoBatch(tx: Tx, batch: Batch): Promise<void> {
  await sql`delete from outreach_send where team_id = ${batch.teamId} and batch_id = ${batch.id}`.execute(tx.db)
  await sql`delete from outreach_batch where team_id = ${batch.teamId} and id = ${batch.id}`.execute(tx.db)
}

/** Marks a batch as uncertain; it is looked up at `dueAt`. */
export async function leaveOpen(tx: Tx, batch: Batch, dueAt: Date): Promise<void> {
  await sql`update outreach_send set state = 'uncertain'
    where team_id = ${batch.teamId} and batch_id = ${batch.id}`.execute(tx.db)
  await endLease(tx, batchRows.open, batch, sql`, state = 'uncertain', due_at = ${dueAt}`)
}

/** Leaves a batch open whose lookup was not made because the account is on hold; the lookup is not counted. */
export async function leaveUnasked(tx: Tx, batch: Batch, dueAt: Date): Promise<void> {
  await leaveOpen(tx, batch, dueAt)
  await sql`update outreach_batch set checks = checks - 1
    where team_id = ${batch.teamId} and id = ${batch.id} and checks > 0`.execute(tx.db)
}

const batchesIn = (state: 'sending' | 'uncertain') =>
  defineRows({
    kind: 'outreach',
    rowKind: 'batch',
    table: 'outreach_batch',
    key: 'id',
    keyType: 'uuid',
    open: sql<boolean>`w.state = ${sql.lit(state)}`,
    always: true,
    fence: 'counted',
  })

/** Batches as work rows: `abandoned` ones whose sender's lease expired, and `open` ones to look up. */
export const batchRows = { abandoned: batchesIn('sending'), open: batchesIn('uncertain') } as const

type BatchRow = SnakeKeys<OpenBatch> & { readonly unexpected_failures: number }

/** Leases the batch of these teams that is due longest. */
export async function leaseBatch(
  tx: Tx,
  { state, teams, lease }: { state: keyof typeof batchRows; teams: readonly string[]; lease: Lease },
): Promise<OpenBatch | undefined> {
  const rows = batchRows[state]
  const set = state === 'open' ? sql`, checks = w.checks + 1` : sql``
  const candidates = oldest(tx, rows, { teams, nowMs: lease.nowMs, most: 1 })
  const [row] = await leaseRows<BatchRow>(tx, rows, lease, candidates, set)
  if (!row) return undefined
  addLogContext({ teamId: row.team_id, batchId: row.id })
  noteTaskContext(tx, rows, row)
  return camelKeys<BatchRow>(row)
}

/** Extends the lease of a batch during a lookup. */
export const renewBatch = (tx: Tx, batch: Batch, untilMs: number): Promise<void> =>
  renewLeases(tx, batchRows.open, [batch], untilMs)

/** The profile URLs of the people in a batch. */
export const listAddresses = (db: Reader, batch: Batch): Promise<string[]> =>
  queryColumn<string>(db)`
    select profile_url as url from outreach_send where team_id = ${batch.teamId} and batch_id = ${batch.id}`

/** Settles a looked-up batch: `found` people are sent, `missing` ones failed and may be sent again, the others stay uncertain. */
export async function settleFound(
  tx: Tx,
  batch: Batch,
  { found, missing }: { found: readonly string[]; missing: readonly string[] },
): Promise<void> {
  await sql`
    update outreach_send set state = case when profile_url = any(${found}::text[]) then 'sent'
        when profile_url = any(${missing}::text[]) then 'failed' else 'uncertain' end
    where team_id = ${batch.teamId} and batch_id = ${batch.id}`.execute(tx.db)
  await closeBatch(tx, batch)
}

/** Retries an unexpected failure at `dueAt`, or (null) settles the batch with its people uncertain, never to be sent again. */
export async function recordUnexpectedOfBatch(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const batch = { teamId: work.teamId, id: work.id, fence: work.fence }
  if (!(await lockBatch(tx, batch))) return 'lost'
  if (dueAt === null) {
    await sql`update outreach_send set state = 'uncertain'
      where team_id = ${work.teamId} and batch_id = ${work.id} and state = 'sending'`.execute(tx.db)
    await closeBatch(tx, batch)
    return 'ended'
  }
  await reschedule(tx, batchRows.open, work, dueAt)
  return 'put_off'
}
