/**
 * `les-server indexes`: how the indexes of large tables stand, those that the migrations of this release make among them, and making
 * them before it is rolled out.
 */
import { findRunningDatabase } from '../backup/place.ts'
import { readProcessConfig } from '../config/env.ts'
import { largeIndexes } from '../../migrations/large-indexes.ts'
import { buildIndexes, readIndexes, type LargeIndex } from '../platform/db/indexes.ts'
import { buildPlannedIndexes, readPlannedIndexes } from '../platform/db/indexes-ahead.ts'
import { openDatabase } from '../platform/db/open.ts'

const usage = `les-server indexes            says which indexes of large tables are there
les-server indexes --build    makes those that are not; nobody waits to write meanwhile

Those of tables that are large already, before a release whose migrations make some: a start makes them first, and takes as long as
that. The clock of the service makes the others too. The database must run.
`

const quiet = (err: (text: string) => void) => {
  const line = (message: string, fields?: object) => err(`${message} ${JSON.stringify(fields ?? {})}\n`)
  return { info: line, warn: line }
}

/** Runs it; answers 0, 1 when some are missing or another process builds them, 2 when the words make no sense. */
export async function runIndexes(
  words: readonly string[],
  out: (text: string) => void,
  err: (text: string) => void,
): Promise<number> {
  if (words.some((word) => word !== '--build')) {
    err(usage)
    return words.includes('--help') ? 0 : 2
  }
  const connection = await findRunningDatabase(readProcessConfig())
  if (connection === null) {
    err('les-server indexes: the embedded database does not run: start the service\n')
    return 1
  }
  const database = openDatabase(connection, { poolSize: 1, onError: () => {} })
  try {
    if (words.includes('--build')) {
      await buildPlannedIndexes(database.bare, quiet(err))
      if ((await buildIndexes({ connection, log: quiet(err) })).busy) {
        err('les-server indexes: another process is building them\n')
        return 1
      }
    }
    const planned = await readPlannedIndexes(database.root)
    for (const { state, name, table, migration } of planned)
      out(`${state.padEnd(9)} ${name} on ${table}, which ${migration} makes\n`)
    const states = await readIndexes(database.root)
    for (const name of Object.keys(states) as LargeIndex[])
      out(`${states[name].padEnd(9)} ${name} on ${largeIndexes[name].table}\n`)
    return [...planned.map(({ state }) => state), ...Object.values(states)].every((state) => state === 'valid') ? 0 : 1
  } catch (error) {
    err(`les-server indexes: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  } finally {
    await database.close()
  }
}
