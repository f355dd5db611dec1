/** SQL of sends; only this writes `planned_send` and `planned_send_part`. Lock order: planned_send, then what a part touches. */
import type { Answer, SessionOperationOf } from '@les/contract'
import { sql } from 'kysely'
import { countAffected, queryAll, queryOne, queryExists } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { camelKeys, type SnakeKeys } from '../../../platform/db/columns.ts'
import { addLogContext } from '../../../platform/log-context.ts'
import {
  claimOne,
  defineRows,
  endLease,
  noteTaskContext,
  lockLeased,
  reschedule,
  type Lease,
  type LeasedRow,
} from '../../../platform/work/index.ts'
import type { Recorded, Work } from '../../../platform/task-context.ts'
import type { NamedPerson } from '../../outreach/index.ts'

export type How =
  | { readonly what: 'push'; readonly keyword: boolean; readonly icpOnly: boolean }
  | { readonly what: 'agent' }
  | { readonly what: 'campaign' }
  | { readonly what: 'people'; readonly people: readonly NamedPerson[] }
  | { readonly what: 'replay'; readonly states: readonly string[] }

/** A part of a send: leads or deliveries of an owner, or the people of one call to the platform. */
export type Part = { readonly ownerId: string | null; readonly ids: readonly string[]; readonly how: How }

export type Counts = SendRow['counts']

type SendRow = Answer<SessionOperationOf<'planSend'>>['send']

export const sendRows = defineRows({
  kind: 'send',
  rowKind: 'send',
  table: 'planned_send',
  key: 'id',
  keyType: 'uuid',
  open: sql<boolean>`w.state in ('planned', 'sending')`,
  fence: 'counted',
})

type NewSend = Pick<SendRow, 'kind' | 'label' | 'goes' | 'requestedBy' | 'startsAt'> & {
  readonly teamId: string
  readonly campaignId: string | null
  readonly agentId: string | null
  readonly parts: readonly Part[]
}

/** Writes a send with its parts; it starts at `startsAt`. Answers its id. */
export async function insertSend(tx: Tx, send: NewSend): Promise<string> {
  const id = tx.newId()
  await sql`
    insert into planned_send (team_id, id, kind, label, campaign_id, agent_id, goes, state, requested_by, created_at,
        due_at, starts_at)
    values (${send.teamId}, ${id}, ${send.kind}, ${send.label}, ${send.campaignId}, ${send.agentId}, ${send.goes},
        'planned', ${send.requestedBy}, ${tx.now}, ${send.startsAt}, ${send.startsAt})`.execute(tx.db)
  const parts = send.parts.map(({ ownerId, ids, how }, place) => ({ place, owner: ownerId, ids, how }))
  await sql`
    insert into planned_send_part (team_id, send_id, place, owner_id, ids, how)
    select ${send.teamId}::uuid, ${id}::uuid, p.place, p.owner, p.ids, p.how
    from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as p(place int, owner uuid, ids uuid[],
        how jsonb)`.execute(tx.db)
  tx.enqueue('send', send.teamId)
  return id
}

const columns = sql`s.id, s.kind, s.label, s.goes, s.state, s.failure, s.requested_by as "requestedBy",
  s.created_at as "createdAt", s.starts_at as "startsAt", s.finished_at as "finishedAt",
  jsonb_build_object('sent', coalesce(p.sent, 0), 'already', coalesce(p.already, 0), 'undecided',
      coalesce(p.undecided, 0), 'failed', coalesce(p.failed, 0)) as counts, coalesce(p.push_ids, '{}') as "pushIds"`
const sums = sql`
  left join lateral (
    select sum((counts->>'sent')::integer)::integer as sent, sum((counts->>'already')::integer)::integer as already,
      sum((counts->>'undecided')::integer)::integer as undecided,
      sum((counts->>'failed')::integer)::integer as failed,
      (array_agg(push_id order by place) filter (where push_id is not null))[1:20] as push_ids
    from planned_send_part where team_id = s.team_id and send_id = s.id) p on true`

/** The newest sends of a team since an instant, at most `limit`. */
export const listSends = (db: Reader, { teamId, since, limit }: { teamId: string; since: Date; limit: number }) =>
  queryAll<SendRow>(db)`
    select ${columns} from planned_send s ${sums} where s.team_id = ${teamId} and s.created_at >= ${since}
    order by s.created_at desc, s.id desc limit ${limit}`

export const findSend = (db: Reader, teamId: string, id: string) =>
  queryOne<SendRow>(db)`
    select ${columns} from planned_send s ${sums}
      where s.team_id = ${teamId} and s.id = ${id}`

/** Cancels a send that has not begun; false when it has. */
export async function cancelPlanned(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const result = await sql`
    update planned_send set state = 'cancelled', finished_at = ${tx.now}
    where team_id = ${teamId} and id = ${id} and state = 'planned'`.execute(tx.db)
  tx.mark('send', teamId)
  return result.numAffectedRows === 1n
}

export type ClaimedSend = LeasedRow & {
  readonly campaignId: string | null
  readonly agentId: string | null
  readonly attempts: number
}

type ClaimedRow = SnakeKeys<ClaimedSend> & { readonly unexpected_failures: number }

/** Claims a due send, of the team served longest ago; from then on it cannot be undone. */
export async function claimSend(tx: Tx, lease: Lease): Promise<ClaimedSend | undefined> {
  const row = await claimOne<ClaimedRow>(tx, sendRows, lease, sql`, state = 'sending'`)
  if (!row) return undefined
  addLogContext({ teamId: row.team_id, sendId: row.id })
  noteTaskContext(tx, sendRows, row)
  return camelKeys<ClaimedRow>(row)
}

export type OpenPart = Part & { readonly place: number }

/** The first part that was not sent. */
export const nextPart = (db: Reader, { teamId, id }: LeasedRow) =>
  queryOne<OpenPart>(db)`
    select place, owner_id as "ownerId", ids, how from planned_send_part
    where team_id = ${teamId} and send_id = ${id} and counts is null order by place limit 1`

/** Writes the result of a part of a locked send, and releases the send: the next part follows, or it is done. */
export async function settlePart(
  tx: Tx,
  send: LeasedRow,
  { place, counts, pushId = null }: { place: number; counts: Counts; pushId?: string | null },
): Promise<void> {
  await sql`
    update planned_send_part set counts = ${JSON.stringify(counts)}::jsonb, push_id = ${pushId}
    where team_id = ${send.teamId} and send_id = ${send.id} and place = ${place}`.execute(tx.db)
  const goesOn = await queryExists(tx.db)`
    select 1 from planned_send_part
    where team_id = ${send.teamId} and send_id = ${send.id} and counts is null limit 1`
  const over = sql`, state = 'done', finished_at = ${tx.now}`
  await endLease(tx, sendRows, send, goesOn ? sql`, attempts = 0, unexpected_failures = 0` : over)
}

/** Ends a locked send as failed, for a reason in words; its remaining parts are not sent. */
export const failSend = (tx: Tx, send: LeasedRow, failure: string): Promise<void> =>
  endLease(tx, sendRows, send, sql`, state = 'failed', finished_at = ${tx.now}, failure = ${failure}`)

/** Records an unexpected failure under the fence: retried at `dueAt`, or ended when that is null. */
export async function recordUnexpectedOfSend(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  if ((await lockLeased(tx, sendRows, work)) === undefined) return 'lost'
  if (dueAt !== null) {
    await reschedule(tx, sendRows, work, dueAt)
    return 'put_off'
  }
  await failSend(tx, work, 'The service failed; what was not sent can be sent again')
  return 'ended'
}

/** Deletes at most `limit` sends that ended before an instant; answers how many. */
export const purgeSends = (tx: Tx, before: Date, limit: number) =>
  countAffected(tx.db)`
    delete from planned_send s
    using (select team_id, id from planned_send where finished_at < ${before} order by team_id, id limit ${limit}) old
    where s.team_id = old.team_id and s.id = old.id`
