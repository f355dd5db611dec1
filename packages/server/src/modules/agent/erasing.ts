import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { namesPerson, withoutPerson, type ErasedPerson } from '../accounts/index.ts'
import type { Profile } from './rules/profile.ts'

/** A name of letters alone, such as `max` or `sales`, may be any word. */
const isNoWord = (name: string): boolean => !/^\p{L}+$/u.test(name)

/**
 * Removes a person from agents' profiles and pending starts. These are words about customers, so a handle or name that may be one
 * of them counts only where texts name people: as a mention or in an address.
 */
export async function erasePersonFromAgents(tx: Tx, teamId: string, erased: ErasedPerson): Promise<void> {
  const person = { ...erased, handles: erased.handles.filter(isNoWord), names: erased.names.filter(isNoWord) }
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
