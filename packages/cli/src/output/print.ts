/** Puts answers on standard output. */
import type { ApiError } from '@les/contract'
import type { Entry } from '../catalogue/entry.ts'
import { printNote, type GlobalOptions, type Shell } from '../options.ts'
import type { Session } from '../session.ts'
import { fieldsToChoose, listOf, namesIn, render, select, type Json } from './rows.ts'
import { maskSecrets } from './secrets.ts'
import { colorsFor, visible } from './text.ts'

const withNewline = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** What goes to standard output must be JSON. */
export const wantsJson = ({ json, jq }: GlobalOptions): boolean => json !== undefined || jq !== undefined

/** Prints what a command of the client's own did: one line of JSON where that is wanted, else its cells with tabs. */
export function printOutcome(
  { options, shell }: { readonly options: GlobalOptions; readonly shell: Shell },
  value: object,
  cells: readonly unknown[],
): void {
  shell.stdout.write(options.json === undefined ? `${cells.join('\t')}\n` : `${JSON.stringify(value)}\n`)
}

/** Prints an answer just as the service sent it, apart from masked secrets. */
export function printRaw(text: string, options: GlobalOptions, shell: Shell): void {
  shell.stdout.write(withNewline(options.showSecret ? text : maskSecrets(text)))
}

/** Prints a refusal as JSON: just as it was sent, or what the client made of it when that was not JSON. */
export function printRefusal(error: ApiError, session: Session, shell: Shell): void {
  const raw = session.last()
  const text = raw?.text.trimStart().startsWith('{') ? raw.text : JSON.stringify(error.body)
  shell.stdout.write(withNewline(text))
}

function listFields(entry: Pick<Entry, 'answer'>, shell: Shell): void {
  const fields = fieldsToChoose(entry)
  if (fields.length > 0 && shell.stderr.isTty)
    printNote(shell, colorsFor(shell.stderr, shell.env).dim(`fields for --json: ${fields.join(',')}`))
}

/** A value of a row: of somebody who is excluded the list that they are on, as in the service's own CSV. */
function csvValue(row: Json, column: string): unknown {
  const value = row[column]
  return column === 'excluded' && typeof value === 'object' ? (value as Json | null)?.list : value
}

/**
 * Prints the rows of an answer as CSV: all plain fields of its list, and who is excluded, so that every page has the same; with a head
 * unless `head` is false.
 */
export async function printCsv(
  answer: Json,
  entry: Entry,
  { shell, head = true }: { readonly shell: Shell; readonly head?: boolean },
): Promise<void> {
  // The contract is loaded by those who need it: a start without it is twice as fast.
  const { csvRecord } = await import('./csv.ts')
  const rows = listOf(answer, entry)?.rows ?? []
  const columns = entry.answer.list?.plain ?? []
  shell.stdout.write(
    `${head ? csvRecord(columns) : ''}${rows.map((row) => csvRecord(columns.map((column) => csvValue(row, column)))).join('')}`,
  )
}

/** Prints an answer the way it was asked for: through jq, as JSON, as CSV, as columns for a terminal, or as rows with tabs. */
export async function printAnswer(
  text: string,
  entry: Entry,
  { options, shell }: { readonly options: GlobalOptions; readonly shell: Shell },
): Promise<void> {
  const shown = options.showSecret ? text : maskSecrets(text)
  // A table that the service wrote, asked for by --format csv.
  if (!/^\s*[{[]/.test(text)) return void shell.stdout.write(withNewline(text))
  const names = namesIn(options.json ?? '')
  const chosen = names.length === 0 ? shown : JSON.stringify(select(JSON.parse(shown) as Json, entry, names))
  if (options.jq !== undefined) {
    const { runFilter } = await import('./jq.ts')
    const filtered = runFilter(chosen, options.jq).catch((failure: unknown) => {
      // What was done is done, and some of it is shown once: a key that was made would be lost with the filter.
      if (entry.method !== 'GET') printNote(shell, `the answer, which the filter did not take: ${visible(chosen)}`)
      throw failure
    })
    shell.stdout.write(withNewline(await filtered))
    return
  }
  if (options.json !== undefined) {
    if (names.length === 0) listFields(entry, shell)
    shell.stdout.write(withNewline(chosen))
    return
  }
  const answer = JSON.parse(shown) as Json
  if (options.csv) return await printCsv(answer, entry, { shell })
  const { data, note: rest } = render(answer, entry, shell.stdout)
  shell.stdout.write(data)
  if (rest !== '' && shell.stderr.isTty) printNote(shell, colorsFor(shell.stderr, shell.env).dim(rest))
}
