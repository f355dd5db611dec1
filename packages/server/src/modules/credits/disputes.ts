/**
 * Disputes of charges. The only writer of `dispute`.
 *
 *   (none) --POST /credits/disputes--> credited   while the month's automatic credits stay within 5 % of its charges, or within 10
 *                                 `--> open       beyond that, and for `other` --operator--> credited | declined
 *
 * A credit is one ledger line `refund:{entry}`; it raises the balance like a top-up and leaves `used` unchanged. The account is
 * locked first, so that concurrent disputes cannot exceed the limit.
 */
import type { disputeReasons } from '@les/contract'
import { sql } from 'kysely'
import { isOfTeamHere } from '../../platform/db/shards.ts'
import { queryAll, queryExists, queryOne, queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import type { Handlers } from '../accounts/index.ts'
import { lockAccount, type LockedAccount } from './actions.ts'
import { isFreeLine } from './free-lines.ts'
import { isCreditedAtOnce } from './rules/dispute.ts'
import { chargeKeysOfPerson, type ChargedFor } from './rules/keys.ts'
import { insertEntries, saveAccount } from './store.ts'

export type DisputeState = 'open' | 'credited' | 'declined'

type Reason = (typeof disputeReasons)[number]

type Disputed = {
  readonly kind: string
  readonly amount: number
  readonly sourceId: string | null
  readonly syncId: string | null
}

const findLine = (db: Reader, teamId: string, entryId: string) =>
  queryOne<Disputed>(db)`
    select kind, amount, source_id as "sourceId", sync_id as "syncId" from credit_entry
    where team_id = ${teamId} and id = ${entryId} and account = 'team'`

const findDispute = (db: Reader, teamId: string, entryId: string) =>
  queryValue<string>(db)`
    select id from dispute where team_id = ${teamId} and entry_id = ${entryId}`

async function monthSoFar(tx: Tx, teamId: string): Promise<{ charged: number; credited: number }> {
  const month = new Date(Date.UTC(tx.now.getUTCFullYear(), tx.now.getUTCMonth(), 1))
  return (await queryOne<{ charged: number; credited: number }>(tx.db)`
    select (select coalesce(-sum(amount), 0)::bigint from credit_entry
        where team_id = ${teamId} and kind = 'charge' and account = 'team' and created_at >= ${month}) as charged,
      (select coalesce(sum(credits), 0)::bigint from dispute
        where team_id = ${teamId} and settled_by = 'automatic' and created_at >= ${month}) as credited`)!
}

type Refund = Pick<Disputed, 'sourceId' | 'syncId'> & { readonly entryId: string; readonly credits: number }

async function refund(tx: Tx, locked: LockedAccount, charges: readonly Refund[]): Promise<void> {
  const entries = charges.map(
    ({ entryId, credits, sourceId, syncId }) =>
      ({ key: `refund:${entryId}`, kind: 'refund', amount: credits, sourceId, syncId }) as const,
  )
  if (!(await insertEntries(tx, locked, entries)))
    throw new Error(`one of ${entries.map(({ key }) => key).join(', ')} was given back before`)
  const credits = charges.reduce((sum, charge) => sum + charge.credits, 0)
  await saveAccount(tx, locked, { ...locked.account, granted: locked.account.granted + credits })
}

/** Refunds charges for people who should not have been captured, except those already refunded by a dispute. */
export async function giveBackCharges(tx: Tx, locked: LockedAccount, charged: ChargedFor): Promise<void> {
  const { rows } = await sql<Refund>`
    select e.id as "entryId", -e.amount as credits, e.source_id as "sourceId", e.sync_id as "syncId"
    from unnest(${chargeKeysOfPerson(charged)}::text[]) as named (key)
    join credit_entry e on e.team_id = ${locked.teamId} and e.key = named.key
    where e.kind = 'charge' and e.account = ${locked.name} and not exists (
      select 1 from credit_entry r where r.team_id = e.team_id and r.key = 'refund:' || e.id)
    order by e.id`.execute(tx.db)
  if (rows.length === 0) return
  await refund(tx, locked, rows)
  // An operator has no more to decide about these.
  await sql`
    update dispute set state = 'credited', settled_by = coalesce(settled_by, 'automatic'),
      settled_at = coalesce(settled_at, ${tx.now})
    where team_id = ${locked.teamId} and entry_id = any(${rows.map(({ entryId }) => entryId)}::uuid[])`.execute(tx.db)
}

/** An erased person who came back under another id has been given back already. */
const isGivenBack = (db: Reader, teamId: string, entryId: string) =>
  queryExists(db)`select 1 from credit_entry where team_id = ${teamId} and key = ${`refund:${entryId}`}`

type Asked = { readonly entryId: string; readonly reason: Reason; readonly note?: string | undefined }

async function openDispute(tx: Tx, teamId: string, { entryId, reason, note }: Asked) {
  const locked = await lockAccount(tx, teamId)
  const line = await findLine(tx.db, teamId, entryId)
  if (!line && !(await isFreeLine(tx.db, teamId, entryId)))
    return refuse(
      'not_found',
      {},
      `The ledger has no line ${entryId}: list its charges with GET /credits/ledger?kind=charge`,
    )
  if (line?.kind !== 'charge')
    return refuse(
      'invalid_request',
      {},
      `\`entryId\` must be the id of a charge: that line is ${line ? `a ${line.kind}` : 'free'}`,
    )
  const disputeId = await findDispute(tx.db, teamId, entryId)
  if (disputeId !== undefined) return refuse('already_disputed', { disputeId })
  if (await isGivenBack(tx.db, teamId, entryId))
    return refuse('invalid_request', {}, 'That charge has been given back already')
  const credits = -line.amount
  const state = isCreditedAtOnce(await monthSoFar(tx, teamId), { reason, credits }) ? 'credited' : 'open'
  const settled = state === 'credited'
  const id = tx.newId()
  await sql`
    insert into dispute (team_id, id, entry_id, reason, note, credits, state, settled_by, created_at, settled_at)
    values (${teamId}, ${id}, ${entryId}, ${reason}, ${note || null}, ${credits}, ${state},
      ${settled ? 'automatic' : null}, ${tx.now}, ${settled ? tx.now : null})`.execute(tx.db)
  if (settled) await refund(tx, locked, [{ ...line, entryId, credits }])
  return { id, state, credits } as const
}

export const disputeOperations: Handlers<'disputeCharge'> = {
  disputeCharge: (input, { caller: { teamId }, unitOfWork }) => unitOfWork((tx) => openDispute(tx, teamId, input)),
}

type DisputeForOperator = {
  readonly id: string
  readonly teamId: string
  readonly entryId: string
  readonly reason: string
  readonly note: string | null
  readonly credits: number
  readonly state: DisputeState
  readonly createdAt: Date
}

const shown = sql`id, team_id as "teamId", entry_id as "entryId", reason, note, credits, state, created_at as "createdAt"`

/** Open disputes of all teams, oldest first, at most `limit`. */
export const listDisputes = (db: Reader, limit: number) =>
  queryAll<DisputeForOperator>(db)`
    select ${shown} from dispute where state = 'open' and ${isOfTeamHere(sql`team_id`)}
    order by created_at, id limit ${limit}`

/** The team of a dispute. */
export const findTeamOfDispute = (db: Reader, id: string) =>
  queryValue<string>(db)`
    select team_id as "teamId" from dispute where id = ${id} and ${isOfTeamHere(sql`team_id`)}`

/** Settles an open dispute by the operator's decision; refuses `not_found`, or `dispute_settled` when it is not open. */
export async function decideDispute(
  tx: Tx,
  id: string,
  { decision, note }: { decision: 'credit' | 'decline'; note?: string | undefined },
): Promise<DisputeForOperator> {
  const teamId = await findTeamOfDispute(tx.db, id)
  if (teamId === undefined) return refuse('not_found', {}, 'No such dispute')
  const locked = await lockAccount(tx, teamId)
  const { rows } = await sql<DisputeForOperator>`
    select ${shown} from dispute where team_id = ${teamId} and id = ${id} for update`.execute(tx.db)
  const dispute = rows[0]!
  if (dispute.state !== 'open') return refuse('dispute_settled', {}, `That dispute is ${dispute.state} already`)
  const state = decision === 'credit' ? 'credited' : 'declined'
  await sql`
    update dispute set state = ${state}, settled_by = 'operator', decision_note = ${note ?? null}, settled_at = ${tx.now}
    where team_id = ${teamId} and id = ${id}`.execute(tx.db)
  if (decision === 'credit') {
    const { entryId, credits } = dispute
    const line = await findLine(tx.db, teamId, entryId)
    await refund(tx, locked, [{ ...line!, entryId, credits }])
  }
  return { ...dispute, state }
}
