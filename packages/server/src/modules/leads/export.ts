/** The leads of a list as CSV, in batches: what is held at a time does not grow with the list. Raw leads are in no list (DSH-05). */
import { lead } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { chosenIds, readList, type LeadList, type ListInput } from './list.ts'
import { batchOfLeads, leadsById, type LeadPlace, type LeadRow } from './listing.ts'
import { presentLead } from './present.ts'
import { csvLine } from './rules/csv.ts'

const batchRows = 500
/** Without it a spreadsheet takes the file for one in the encoding of its country, and shows `JosÃ©`. */
const byteOrderMark = '\uFEFF'
const columns = Object.keys(lead.shape) as (keyof typeof lead.shape)[]

const linesOf = (rows: readonly LeadRow[]): string =>
  rows
    .map(presentLead)
    // Of an excluded person a cell holds the list, of what came of somebody the latest.
    .map(({ excluded, results, ...row }) => ({ ...row, excluded: excluded?.list ?? null, results: results.last }))
    .map((row) => csvLine(columns.map((column) => row[column] ?? null)))
    .join('')

/** Leads that substrings have chosen, in their order. */
async function* walkChosen(db: Reader, teamId: string, ids: readonly string[]): AsyncGenerator<LeadRow[], void> {
  for (let from = 0; from < ids.length; from += batchRows)
    yield await leadsById(db, teamId, ids.slice(from, from + batchRows))
}

/** Every lead of a list, each batch beginning where the one before ended, whatever has come since. */
async function* walkAll(db: Reader, list: LeadList): AsyncGenerator<LeadRow[], void> {
  for (let after: LeadPlace | null = null; ; ) {
    const rows: LeadRow[] = await batchOfLeads(db, list, { after, limit: batchRows })
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchRows) return
    after = { at: last.created_at, id: last.id }
  }
}

/**
 * Refuses what `GET /leads` refuses; then gives the lines, a batch at a time, the head first. Nothing is asked of the
 * database while nobody takes.
 */
export async function exportLeads(
  db: Reader,
  { teamId, filters }: { teamId: string; filters: ListInput },
): Promise<AsyncGenerator<string, void>> {
  const list = await readList(db, { teamId, input: filters })
  const ids = chosenIds(list)
  const batches = ids ? walkChosen(db, teamId, ids) : walkAll(db, list)
  // Before the first line, so that what fails is still an answer of its own.
  const first = await batches.next()
  return (async function* () {
    yield byteOrderMark + csvLine(columns) + linesOf(first.value ?? [])
    for await (const rows of batches) if (rows.length > 0) yield linesOf(rows)
  })()
}
