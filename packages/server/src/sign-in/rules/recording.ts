/** Reading the recorded rows of the sample team: a line of JSON that names the tables, then one line a row. */

/** Rows of a table to put in, by column; instants are those of today. */
export type RecordedTable = {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** All of it, and when its last run began. */
export type Recording = { readonly tables: readonly RecordedTable[]; readonly endedAt: Date }

type Head = {
  readonly recordedTo: string
  readonly tables: readonly {
    readonly name: string
    readonly columns: readonly string[]
    readonly texts?: readonly string[]
  }[]
}

const dayMs = 86_400_000

/**
 * Reads it, with every instant and every day moved by whole days, so that its end lies within the day before `now`: dates, and sums by day,
 * stay right. Columns named `texts` hold bytes, which are written as PostgreSQL reads them.
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
