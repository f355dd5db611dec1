import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { DestinationFailure } from '../../../providers/destinations/port.ts'
import type { DestinationDeps } from './deps.ts'
import type { Destination, Session } from './store.ts'

/** The days that were closed, and the platform failure that stopped the others from closing. */
export type Closing = { readonly closed: readonly string[]; readonly failure: DestinationFailure | null }

/** One hour after the day's end: batches begun that day have been repeated by then. */
const closesAfterMs = 25 * 60 * 60_000

/** Writes the list of files of every day that is over; null when the adapter keeps no days. */
export async function closeDays(
  deps: Pick<DestinationDeps, 'db'>,
  { destination: { teamId, id }, adapter, connection, parts }: Session,
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

export async function openDay(tx: Tx, { teamId, id }: Destination, day: string): Promise<void> {
  await sql`
    insert into destination_day (team_id, destination_id, day, closes_at)
    values (${teamId}, ${id}, ${day}::date, ${new Date(Date.parse(day) + closesAfterMs)})
    on conflict (team_id, destination_id, day) do nothing`.execute(tx.db)
}

export async function endDays(tx: Tx, { teamId, id }: Destination, { closed }: Closing): Promise<void> {
  if (closed.length > 0)
    await sql`
      delete from destination_day where team_id = ${teamId} and destination_id = ${id}
        and day = any(${[...closed]}::date[])`.execute(tx.db)
}
