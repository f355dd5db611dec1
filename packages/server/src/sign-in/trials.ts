/** One free trial a person: a person is a proven mail address. */
import { sql } from 'kysely'
import type { Tx } from '../platform/db/unit-of-work.ts'
import { sha256 } from '../platform/secrets.ts'

/** What an address is known by: what comes after a plus sign reaches the same person. */
function addressOf(email: string): Buffer {
  const at = email.lastIndexOf('@')
  const [name] = email.slice(0, at).split('+')
  return sha256(`${name}${email.slice(at)}`.toLowerCase())
}

/** Begins the trial of somebody, in the unit that opens the team; false when they have had theirs, for whatever became of it. */
export async function beginTrial(
  tx: Tx,
  trial: { readonly email: string; readonly userId: string; readonly teamId: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into sign_in.trial (address, user_id, team_id, started_at)
    values (${addressOf(trial.email)}, ${trial.userId}, ${trial.teamId}, ${tx.now})
    on conflict (address) do nothing`.execute(tx.db)
  return numAffectedRows === 1n
}
