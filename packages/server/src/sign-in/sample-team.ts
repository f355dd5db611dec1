/**
 * The sample team (decision 0020): rows recorded from a week of a team on the synthetic network, put in by whoever opens it first and put
 * in anew once they are a day old, so that the last run was always within a day. It is written here, and nothing else writes for it:
 * nobody is a member (so visitors do not see each other), nothing is worked on for it, and its answers are read-only (`edge/dashboard`).
 */
import { sql } from 'kysely'
import { createTeam, readTeam } from '../modules/accounts/index.ts'
import type { Reader, Tx } from '../platform/db/unit-of-work.ts'
import type { Ids } from '../platform/random.ts'
import { sampleTeamId } from '../platform/sample-team.ts'
import type { Vault } from '../platform/secrets.ts'
import type { TeamOfPerson } from './memberships.ts'
import { readRecording, type RecordedTable } from './rules/recording.ts'

/** Rows that triggers write beside those recorded. */
const written = ['credit_day'] as const

/** The sample team as everybody sees it; null before somebody has opened it. */
export async function readSampleTeam(db: Reader): Promise<TeamOfPerson | null> {
  const team = await readTeam(db, sampleTeamId)
  return team && { id: team.id, name: team.name, role: 'viewer', plan: team.plan, status: team.status }
}

/** Makes it when there is none, and puts its rows in anew when they are of an earlier day; answers it. */
export async function openSampleTeam(
  tx: Tx,
  { vault, ids }: { readonly vault: Vault; readonly ids: Ids },
  recorded: string,
): Promise<TeamOfPerson> {
  // Two people who open it at once: the second finds it.
  await sql`select pg_advisory_xact_lock(hashtextextended('sample team', 0))`.execute(tx.db)
  if ((await readTeam(tx.db, sampleTeamId)) === null)
    await createTeam(
      tx,
      { vault, ids },
      {
        name: 'Sample team',
        plan: 'growth',
        status: 'active',
        limits: { reads: 100_000 },
        captureAllowed: true,
        firstKey: false,
        id: sampleTeamId,
      },
    )
  const recording = readRecording(recorded, tx.now)
  if (!(await isOfToday(tx.db, recording.endedAt))) await putIn(tx, recording.tables)
  return (await readSampleTeam(tx.db))!
}

/** True when the last run in the database is that of the recording, moved to `endedAt`. */
async function isOfToday(db: Reader, endedAt: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sync where team_id = ${sampleTeamId} having max(created_at) = ${endedAt}`.execute(db)
  return rows.length > 0
}

async function putIn(tx: Tx, tables: readonly RecordedTable[]): Promise<void> {
  const names = [...written, ...tables.map(({ name }) => name).toReversed()]
  for (const name of names) await sql`delete from ${sql.table(name)} where team_id = ${sampleTeamId}`.execute(tx.db)
  for (const { name, columns, rows } of tables) {
    const list = sql.join(columns.map((column) => sql.ref(column)))
    await sql`
      insert into ${sql.table(name)} (${list})
      select ${list} from jsonb_populate_recordset(null::${sql.table(name)}, ${JSON.stringify(rows)}::jsonb)`.execute(
      tx.db,
    )
  }
}
