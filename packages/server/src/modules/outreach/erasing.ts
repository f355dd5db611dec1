import { sql } from 'kysely'
import { countAffected } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { ErasedPerson } from '../accounts/index.ts'

/** Deletes a person from queue and ledger; returns how many sends. The platform itself is not told. */
export async function erasePersonFromOutreach(
  tx: Tx,
  teamId: string,
  { urns, handles }: Pick<ErasedPerson, 'urns' | 'handles'>,
): Promise<number> {
  // Code that queues people shares its rule: it has done so, or finds the leads gone.
  await sql`select 1 from outreach_rule where team_id = ${teamId} order by owner_id for no key update`.execute(tx.db)
  await sql`delete from outreach_queue where team_id = ${teamId}
    and person_urn = any(${[...urns]}::text[])`.execute(tx.db)
  return countAffected(tx.db)`
    delete from outreach_send where team_id = ${teamId}
      and (person_urn = any(${[...urns]}::text[]) or handle = any(${[...handles]}::text[]))`
}
