/**
 * The sample team (decision 0020): rows of a recorded week, inserted when first opened and again when a day old, so that the last
 * run is within a day. Only this file writes for it: it has no members (visitors do not see each other) and no work, and is
 * read-only.
 */
import { sql } from 'kysely'
import { createTeam, readTeam } from '../modules/accounts/index.ts'
import { queryExists } from '../platform/db/query.ts'
import type { Reader, Tx } from '../platform/db/unit-of-work.ts'
import type { Ids } from '../platform/random.ts'
import { sampleTeamId } from '../platform/sample-team.ts'
import type { Vault } from '../platform/secrets.ts'
import type { TeamOfPerson } from './memberships.ts'

const dayMs = 86_400_000

/** The sample team as everybody sees it; null before anyone has opened it. */
export async function readSampleTeam(db: Reader): Promise<TeamOfPerson | null> {
  const team = await readTeam(db, sampleTeamId)
  return team && { id: team.id, name: team.name, role: 'viewer', plan: team.plan, status: team.status }
}

/** Makes the sample team when there is none, and inserts its rows again when they are of an earlier day. */
export async function openSampleTeam(
  tx: Tx,
  parts: { vault: Vault; ids: Ids },
  recorded: string,
): Promise<TeamOfPerson> {
  // When two people open it at once, the second finds it.
  await sql`select pg_advisory_xact_lock(hashtextextended('sample team', 0))`.execute(tx.db)
  if ((await readTeam(tx.db, sampleTeamId)) === null)
    await createTeam(tx, parts, {
      name: 'Sample team',
      plan: 'growth',
      status: 'active',
      limits: { reads: 100_000 },
      captureAllowed: true,
      firstKey: false,
      id: sampleTeamId,
    })
  const recording = readRecording(recorded, tx.now)
  if (!(await isOfToday(tx.db, recording.endedAt))) await putIn(tx, recording.tables)
  return (await readSampleTeam(tx.db))!
}

const isOfToday = (db: Reader, endedAt: Date) =>
  queryExists(db)`
    select 1 from sync where team_id = ${sampleTeamId} having max(created_at) = ${endedAt}`

async function putIn(tx: Tx, tables: readonly RecordedTable[]): Promise<void> {
  const names = tables.map(({ name }) => name).toReversed()
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

type RecordedTable = {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** `endedAt` is when the last run began. */
type Recording = { readonly tables: readonly RecordedTable[]; readonly endedAt: Date }

type RecordedColumns = Omit<RecordedTable, 'rows'> & { readonly texts?: readonly string[] }
type Head = { readonly recordedTo: string; readonly tables: readonly RecordedColumns[] }

/**
 * Reads a recording: a line of JSON that names the tables, then one line per row. Instants and days move by whole days, to end
 * within the day before `now`, so that sums by day stay right. Columns in `texts` hold bytes.
 */
export function readRecording(recorded: string, now: Date): Recording {
  const head = JSON.parse(recorded.slice(0, recorded.indexOf('\n'))) as Head
  const end = Date.parse(head.recordedTo)
  const byMs = Math.floor((now.getTime() - end) / dayMs) * dayMs
  const move = (at: string): string => new Date(Date.parse(at) + byMs).toISOString()
  const rows: Record<string, unknown>[][] = head.tables.map(() => [])
  const body = recorded
    .slice(recorded.indexOf('\n') + 1)
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, move)
    .replaceAll(/"(\d{4}-\d\d-\d\d)"/g, (_all, day: string) => `"${move(day).slice(0, 10)}"`)
  for (const line of body.split('\n')) {
    if (line === '') continue
    const [at, ...values] = JSON.parse(line) as [number, ...unknown[]]
    const { columns, texts = [] } = head.tables[at]!
    rows[at]!.push(
      Object.fromEntries(
        columns.map((column, index) => {
          const value = values[index]
          return [column, texts.includes(column) ? `\\x${Buffer.from(String(value)).toString('hex')}` : value]
        }),
      ),
    )
  }
  const tables = head.tables.map(({ name, columns }, at) => ({ name, columns, rows: rows[at]! }))
  return { tables, endedAt: new Date(end + byMs) }
}
