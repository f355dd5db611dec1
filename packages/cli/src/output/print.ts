import type { ApiError } from '@les/contract'
import type { Entry } from '../catalogue/entry.ts'
import { printNote, type GlobalOptions, type Shell } from '../options.ts'
import type { Session } from '../session.ts'
import { fieldsToChoose, listOf, namesIn, render, select, type Json } from './rows.ts'
import { maskSecrets } from './secrets.ts'
import { colorsFor, visible } from './text.ts'

const withNewline = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** Standard output must be JSON. */
export const wantsJson = ({ json, jq }: GlobalOptions): boolean => json !== undefined || jq !== undefined

/** Prints the result of one of the client's own commands: JSON if requested, else tab-separated cells. */
export function printOutcome(
  { options, shell }: { readonly options: GlobalOptions; readonly shell: Shell },
  value: object,
  cells: readonly unknown[],
): void {
  shell.stdout.write(options.json === undefined ? `${cells.join('\t')}\n` : `${JSON.stringify(value)}\n`)
}

/** Prints an answer as sent, except masked secrets. */
export function printRaw(text: string, options: GlobalOptions, shell: Shell): void {
  shell.stdout.write(withNewline(options.showSecret ? text : maskSecrets(text)))
}

/** Prints a refusal as sent, or as the client understood it when it was not JSON. */
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

/** Shows an excluded person's list in the `excluded` column, as the service's own CSV does. */
function csvValue(row: Json, column: string): unknown {
  const value = row[column]
  return column === 'excluded' && typeof value === 'object' ? (value as Json | null)?.list : value
}

/** Prints an answer's rows as CSV; columns come from the catalogue, so that every page has the same. */
export async function printCsv(
  answer: Json,
  entry: Entry,
  { shell, head = true }: { readonly shell: Shell; readonly head?: boolean },
): Promise<void> {
  // Imported late: starting without the contract is twice as fast.
  const { csvRecord } = await import('./csv.ts')
  const rows = listOf(answer, entry)?.rows ?? []
  const columns = entry.answer.list?.plain ?? []
  shell.stdout.write(
    `${head ? csvRecord(columns) : ''}${rows.map((row) => csvRecord(columns.map((column) => csvValue(row, column)))).join('')}`,
  )
}

/** Prints an answer as requested: through jq, as JSON, CSV, terminal columns, or tab-separated rows. */
export async function printAnswer(
  text: string,
  entry: Entry,
  { options, shell }: { readonly options: GlobalOptions; readonly shell: Shell },
): Promise<void> {
  const shown = options.showSecret ? text : maskSecrets(text)
  // A CSV answer (`--format csv`).
  if (!/^\s*[{[]/.test(text)) return void shell.stdout.write(withNewline(text))
  const names = namesIn(options.json ?? '')
  const chosen = names.length === 0 ? shown : JSON.stringify(select(JSON.parse(shown) as Json, entry, names))
  if (options.jq !== undefined) {
    const { runFilter } = await import('./jq.ts')
    const filtered = runFilter(chosen, options.jq).catch((failure: unknown) => {
      // The change is made, and parts of its answer (a new key) are shown only once, so print it even if the filter fails.
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
