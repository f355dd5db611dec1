/** What is kept of sources: each row for ever, since its name is one source for ever (C27); the raw leads of it for a while. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { PurgeTeam } from '../../platform/retention.ts'
import { findOldRawOwner, purgeRawLeadsOf } from '../leads/index.ts'
import { lockSources } from './find.ts'
import { moveCounts } from './store.ts'

/** Deletes the oldest raw leads of one source from before, under its lock; their engagements stay known (`lead_gone`). */
export const purgeRawLeads: PurgeTeam = async (tx, { teamId, before, limit }) => {
  const ownerId = await findOldRawOwner(tx.db, teamId, before)
  if (ownerId === undefined) return { removed: 0, more: false }
  await lockSources(tx, teamId, [ownerId])
  const removed = await purgeRawLeadsOf(tx, { teamId, ownerId, before, limit })
  await moveCounts(tx, { teamId, id: ownerId }, { raw: -removed })
  return { removed, more: removed > 0 }
}

/** Those of these people and posts that are tracked, or were. */
export async function listTrackedUrns(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ urn: string }>`
    select network_urn as urn from source where team_id = ${teamId} and network_urn = any(${[...urns]}::text[])
    union select username from source
    where team_id = ${teamId} and type = 'post' and username = any(${[...urns]}::text[])
    union select urn from source_alias where team_id = ${teamId} and urn = any(${[...urns]}::text[])`.execute(db)
  return new Set(rows.map((row) => row.urn))
}
