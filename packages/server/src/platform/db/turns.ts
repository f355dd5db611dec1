/** Turns of teams: who was served longest ago goes first. Modules that claim in one statement take the turn there. */
import { sql } from 'kysely'
import type { JobKind } from '../../job-catalog.ts'
import type { Tx } from './unit-of-work.ts'

/** Notes that a team had its turn at a kind of work. */
export async function takeTurn(tx: Tx, teamId: string, kind: JobKind): Promise<void> {
  await sql`
    insert into work_turn (team_id, kind, served) values (${teamId}, ${kind}, nextval('work_turn_number'))
    on conflict (team_id, kind) do update set served = excluded.served`.execute(tx.db)
}
