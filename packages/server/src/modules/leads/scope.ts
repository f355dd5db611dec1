/** Which source a lead list is about; leads lie below sources, so this reads the table without its module. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'

/** A source as lists need it. */
export type LeadOwner = { readonly id: string; readonly active: boolean; readonly type: string }

/** Finds the source named by id, or by handle or joined terms in any case; a malformed id names nothing. */
export async function findOwner(db: Reader, teamId: string, by: { profileId?: string | null | undefined; username?: string | undefined }): Promise<LeadOwner | null> {
  const base = db.selectFrom('source').select(['id', 'status', 'type']).where('team_id', '=', teamId)
  if (by.profileId === null) return null
  const query = by.profileId !== undefined ? base.where('id', '=', by.profileId) : base.where(sql`lower(username)`, '=', by.username ?? '')
  const row = await query.executeTakeFirst()
  return row ? { id: row.id, active: row.status === 'active', type: row.type } : null
}

/** The source a list is narrowed to, null for the whole team; refuses an unknown one, and an untracked one unless it was asked for (a keyword search stays readable, C3). */
export async function readScope(db: Reader, teamId: string, input: { profileId?: string | null | undefined; username?: string | undefined; includeInactive?: boolean | undefined }): Promise<string | null> {
  if (input.profileId === undefined && input.username === undefined) return null
  const owner = (await findOwner(db, teamId, input)) ?? refuse('not_found', {}, 'No such source: it is not tracked by this team')
  if (!owner.active && owner.type !== 'keyword' && input.includeInactive !== true) refuse('not_found', {}, 'That source is no longer tracked: send includeInactive=true to read its retained leads')
  return owner.id
}
