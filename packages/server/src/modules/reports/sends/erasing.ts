import { sql } from 'kysely'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { mailsIn, namesPerson, withoutPerson, type ErasedPerson } from '../../accounts/index.ts'

/** The mail addresses in sends that belong to a person. */
export async function mailsInSends(db: Reader, teamId: string, person: ErasedPerson): Promise<string[]> {
  const { rows } = await sql<{ how: unknown }>`
    select how from planned_send_part where team_id = ${teamId} and ${namesPerson(sql`how::text`, person)}`.execute(db)
  return rows.flatMap(({ how }) => mailsIn(how, person))
}

/** Removes a person from people named by sends, sent or not. Ids of deleted leads may stay: they are skipped on their turn. */
export async function erasePersonFromSends(tx: Tx, teamId: string, person: ErasedPerson): Promise<void> {
  const { rows } = await sql<{ sendId: string; place: number; how: unknown }>`
    select send_id as "sendId", place, how from planned_send_part
    where team_id = ${teamId} and ${namesPerson(sql`how::text`, person)} order by send_id, place for update`.execute(
    tx.db,
  )
  for (const { sendId, place, how } of rows)
    await sql`update planned_send_part set how = ${JSON.stringify(withoutPerson(how, person))}::jsonb
      where team_id = ${teamId} and send_id = ${sendId} and place = ${place}`.execute(tx.db)
  await sql`update planned_send set label = '(erased)'
    where team_id = ${teamId} and ${namesPerson(sql`label`, person)}`.execute(tx.db)
}
