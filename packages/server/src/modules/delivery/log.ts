/** The delivery log: `GET /deliveries` (EXC-10, G37). */
import { sql, type RawBuilder } from 'kysely'
import type { Answer, OperationOf } from '@les/contract'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Handlers } from '../accounts/index.ts'
import { isClearing } from '../leads/index.ts'
import { isCancelled, hasLease } from './deliveries.ts'

/** SQL: the shown state of delivery `d`: `sending` while a pending one is leased, `cancelled` once its URL was cleared. */
export const stateOfDelivery = sql`case when ${isCancelled} then 'cancelled'
    when d.state = 'pending' and ${hasLease} then 'sending' else d.state end`

/** SQL: delivery `d` is in a shown state, written so that the partial indexes of unsent and given-up deliveries apply. */
export async function inState(db: Reader, teamId: string, state: string): Promise<RawBuilder<unknown>> {
  if (state === 'pending' || state === 'sending') return sql`d.state = 'pending' and ${stateOfDelivery} = ${state}`
  const isNow = (state === 'held' || state === 'cancelled') && (await isClearing(db, teamId))
  if (!isNow) return sql`d.state = ${state}`
  return sql`d.state in ('pending', 'held', 'cancelled') and ${stateOfDelivery} = ${state}`
}

type LogRow = Answer<OperationOf<'listWebhookDeliveries'>>['deliveries'][number]

const countLimit = 10_000

/** The handler. Raw leads have no deliveries, so they never appear. */
export const deliveryListOperations: Handlers<'listWebhookDeliveries'> = {
  listWebhookDeliveries: async ({ state, sourceId, leadId, limit, offset }, { caller: { teamId }, db }) => {
    const which = sql.join(
      [
        sql`d.team_id = ${teamId}`,
        ...(state === undefined ? [] : [await inState(db, teamId, state)]),
        ...(sourceId === undefined ? [] : [sql`(d.owner_id = ${sourceId} or d.source_id = ${sourceId})`]),
        ...(leadId === undefined ? [] : [sql`d.lead_id = ${leadId}`]),
      ],
      sql` and `,
    )
    const { rows } = await sql<LogRow>`
      select d.id, d.event, d.lead_id as "leadId", case when w.owner_kind in ('destination', 'hook') then d.source_id else coalesce(d.source_id, d.owner_id) end as "sourceId",
        ${stateOfDelivery} as state, d.attempts, w.url,
        a.status as "responseStatus", case when a.outcome <> 'delivered' and d.state <> 'sent' then a.outcome end as error,
        coalesce(d.finished_at, a.at, d.created_at) as at
      from (select * from delivery d where ${which} order by d.id desc limit ${limit + 1} offset ${offset}) d
      left join webhook w on w.team_id = d.team_id and w.owner_id = d.owner_id
      left join lateral (select status, outcome, at from delivery_attempt
        where team_id = d.team_id and delivery_id = d.id order by number desc limit 1) a on true
      order by d.id desc`.execute(db)
    const counted = await queryAll<{ total: number }>(db)`
      select count(*)::integer as total from (select 1 from delivery d where ${which} limit ${countLimit + 1}) d`
    const { total } = counted[0]!
    return {
      deliveries: rows.slice(0, limit),
      total: Math.min(total, countLimit),
      ...(total > countLimit ? { totalExact: false as const } : {}),
      limit,
      offset,
      hasMore: rows.length > limit,
    }
  },
}
