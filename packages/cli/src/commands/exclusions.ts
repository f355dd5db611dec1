import { isApiError, Failure } from '../failure.ts'
import { entryOf } from '../catalogue/load.ts'
import { exclusionRows, type ExclusionRow } from '../declared/exclusions-csv.ts'
import { exitCodes } from '../exit-codes.ts'
import { printNote, type Shell } from '../options.ts'
import { printAnswer } from '../output/print.ts'
import { plain } from '../output/text.ts'
import { openSession, type Session } from '../session.ts'
import type { Given } from './own-command.ts'

type AddOptions = { readonly list?: string; readonly reason?: string; readonly dryRun?: boolean }

/** Adds one entry; with `--dry-run` says whom it would exclude. */
export async function add({ args, options, shell }: Given<AddOptions>): Promise<void> {
  const session = openSession(options, shell)
  const [kind, value] = args
  const { list, reason, dryRun } = options
  const entry = entryOf('addExclusions')
  const answer = await session.call(entry, {
    entries: [{ kind, value, ...(reason === undefined ? {} : { reason }) }],
    ...(list === undefined ? {} : { list }),
    ...(dryRun ? { dryRun } : {}),
  })
  await printAnswer(answer.raw.text, entry, { options: session.options, shell })
}

/** Largest batch of one call, in rows and characters, to stay below the body limit. */
const batchRows = 1_000
const batchCharacters = 200_000

type Sums = { added: number; alreadyListed: number; refused: number; matchingLeads: number }

/** Adds the rows of a file in batches; names the line of each refused row. */
export async function importFile({ args, options, shell }: Given<{ readonly list?: string }>): Promise<void> {
  const session = openSession(options, shell)
  const sums: Sums = { added: 0, alreadyListed: 0, refused: 0, matchingLeads: 0 }
  const send = sender({ session, shell, list: options.list, sums })
  let batch: ExclusionRow[] = []
  let characters = 0
  for await (const row of exclusionRows(args[0]!)) {
    if ('error' in row) {
      sums.refused += 1
      refuseRow(shell, row.line, row.error)
      continue
    }
    const size = row.value.length + (row.reason?.length ?? 0)
    if (batch.length === batchRows || characters + size > batchCharacters) {
      await send(batch)
      batch = []
      characters = 0
    }
    batch.push(row)
    characters += size
  }
  if (batch.length > 0) await send(batch)
  if (options.json !== undefined) shell.stdout.write(`${JSON.stringify(sums)}\n`)
  else
    printNote(
      shell,
      `${sums.added} added, ${sums.alreadyListed} listed already, ${sums.refused} refused; ${sums.matchingLeads} leads met`,
    )
  if (sums.added + sums.alreadyListed + sums.refused === 0) throw new Failure(exitCodes.usage, 'the file names nobody')
  if (sums.refused > 0) throw new Failure(exitCodes.api, `${sums.refused} rows were refused: the others are added`)
}

const refuseRow = (shell: Shell, line: number, error: string) => shell.stderr.write(`line ${line}: ${plain(error)}\n`)

function sender({
  session,
  shell,
  list,
  sums,
}: {
  readonly session: Session
  readonly shell: Shell
  readonly list: string | undefined
  readonly sums: Sums
}): (rows: readonly ExclusionRow[]) => Promise<void> {
  const entry = entryOf('addExclusions')
  return async (rows) => {
    const entries = rows.map(({ kind, value, reason }) => ({ kind, value, ...(reason === null ? {} : { reason }) }))
    try {
      const { value } = await session.call(entry, { entries, origin: 'csv', ...(list === undefined ? {} : { list }) })
      const invalid = value.invalid as readonly { index: number; error: string }[]
      for (const { index, error } of invalid) refuseRow(shell, rows[index]!.line, error)
      sums.added += Number(value.added)
      sums.alreadyListed += Number(value.alreadyListed)
      sums.refused += invalid.length
      sums.matchingLeads += Number(value.matchingLeads)
    } catch (error) {
      // When every entry of a batch is refused, the answer has no reason per row.
      if (!isApiError(error) || error.status !== 400 || !error.message.startsWith('No entry')) throw error
      for (const { line } of rows) refuseRow(shell, line, 'names no country, or nothing that an entry can name')
      sums.refused += rows.length
    }
  }
}
