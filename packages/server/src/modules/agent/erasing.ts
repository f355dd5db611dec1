import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { namesPerson, withoutPerson, type ErasedPerson } from '../accounts/index.ts'
import type { Profile } from './rules/profile.ts'

/** Removes a person from agents' profiles and pending starts. */
export async function erasePersonFromAgents(tx: Tx, teamId: string, person: ErasedPerson): Promise<void> {
  const { rows } = await sql<{ id: string; profile: Profile; pending: unknown }>`
    select id, profile, pending from agent
    where team_id = ${teamId} and ${namesPerson(sql`profile::text || coalesce(pending::text, '')`, person)}
    order by id for update`.execute(tx.db)
  for (const { id, profile, pending } of rows) {
    const { summary, ...lists } = profile
    const left = { ...(withoutPerson(lists, person) as object), summary: withoutPerson(summary, person) ?? '' }
    await sql`
      update agent set profile = ${JSON.stringify(left)}::jsonb,
        pending = ${pending === null ? null : JSON.stringify(withoutPerson(pending, person))}::jsonb
      where team_id = ${teamId} and id = ${id}`.execute(tx.db)
  }
}
