import { foldText } from '@les/contract'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { isAbout, namesPerson, identifyingNames, type ErasedPerson } from '../../accounts/index.ts'
import type { How } from './store.ts'

/**
 * Removes a person from the people named in sends, sent or not. Ids of deleted leads stay, and are skipped when sent. Of other
 * people with the same name the name is removed.
 */
export async function erasePersonFromSends(tx: Tx, teamId: string, person: ErasedPerson): Promise<void> {
  const { rows } = await sql<{ sendId: string; place: number; how: How & { what: 'people' } }>`
    select send_id as "sendId", place, how from planned_send_part
    where team_id = ${teamId} and how->>'what' = 'people' and ${namesPerson(sql`how::text`, person)}
    order by send_id, place for update`.execute(tx.db)
  const names = new Set(identifyingNames(person.names).map(foldText))
  const mails = new Set(person.mails?.map(foldText))
  for (const { sendId, place, how } of rows) {
    const people = how.people
      .filter(({ profileUrl, email }) => !isAbout(profileUrl, person) && !mails.has(foldText(email ?? '')))
      .map((other) => (names.has(foldText(other.name ?? '')) ? { ...other, name: null } : other))
    await sql`update planned_send_part set how = ${JSON.stringify({ ...how, people })}::jsonb
      where team_id = ${teamId} and send_id = ${sendId} and place = ${place}`.execute(tx.db)
  }
  await sql`update planned_send set label = '(erased)'
    where team_id = ${teamId} and ${namesPerson(sql`label`, person)}`.execute(tx.db)
}
