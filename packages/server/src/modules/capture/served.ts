import { readTeam, teamIsServed as isServed } from '../accounts/index.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'

/** True while the team has an active subscription or an unexpired trial, by service time (G129). */
export async function teamIsServed(tx: Tx, teamId: string): Promise<boolean> {
  const team = await readTeam(tx.db, teamId)
  return team !== null && isServed(team, tx.now)
}
