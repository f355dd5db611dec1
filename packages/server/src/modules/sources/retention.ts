/** Sources stay for ever (C27); raw leads and old runs go. Charges are keyed by source and person or post: none is repeated. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { uuidFrom } from '../../platform/random.ts'
import { batchOf, type PurgeTeam } from '../../platform/retention.ts'
import { findOldRawOwner, purgeRawLeadsOf } from '../leads/index.ts'
import { lockSources } from './find.ts'
import { moveCounts } from './store.ts'

/** Deletes the oldest raw leads of one source, under its lock; their engagements stay known (`lead_gone`). */
export const purgeRawLeads: PurgeTeam = async (tx, { teamId, before, limit }) => {
  const ownerId = await findOldRawOwner(tx.db, teamId, before)
  if (ownerId === undefined) return { removed: 0, more: false }
  await lockSources(tx, teamId, [ownerId])
  const removed = await purgeRawLeadsOf(tx, { teamId, ownerId, before, limit })
  await moveCounts(tx, { teamId, id: ownerId }, { raw: -removed })
  return { removed, more: removed > 0 }
}

/** Which URNs of people and posts are tracked, or were. */
export async function listTrackedUrns(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ urn: string }>`
    select network_urn as urn from source where team_id = ${teamId} and network_urn = any(${[...urns]}::text[])
    union select username from source
    where team_id = ${teamId} and type = 'post' and username = any(${[...urns]}::text[])
    union select urn from source_alias where team_id = ${teamId} and urn = any(${[...urns]}::text[])`.execute(db)
  return new Set(rows.map((row) => row.urn))
}

/** Deletes old ended runs, except the last of each source and the last that a list shows (C4). */
export const purgeRuns: PurgeTeam = async (tx, { teamId, before, limit }) => {
  const { numAffectedRows } = await sql`
    delete from sync where team_id = ${teamId} and id = any(array(
      select y.id from sync y
      where y.team_id = ${teamId} and y.id < ${uuidFrom(before.getTime(), new Uint8Array(10))}
        and y.finished_at < ${before}
        and exists (select 1 from sync z
          where z.team_id = y.team_id and z.source_id = y.source_id and z.finished_at is not null
            and (z.created_at, z.id) > (y.created_at, y.id))
        and y.id is distinct from (select z.id from sync z
          where z.team_id = y.team_id and z.source_id = y.source_id and z.state in ('captured', 'failed')
          order by z.created_at desc, z.id desc limit 1)
      order by y.id limit ${limit} for update of y skip locked))`.execute(tx.db)
  return batchOf(Number(numAffectedRows ?? 0), limit)
}
