/** The leads of a list as CSV, in batches, so that memory does not grow with the list. Raw leads are in no list (DSH-05). */
import { lead } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { chosenIds, readList, type LeadList, type ListInput } from './list.ts'
import { batchOfLeads, leadsById, type LeadPlace } from './listing.ts'
import type { LeadResource } from './present.ts'
import { csvLine } from './rules/csv.ts'

const batchRows = 500
/** Without a byte order mark a spreadsheet assumes its country's encoding, and shows `JosÃ©`. */
const byteOrderMark = '\uFEFF'
const columns = Object.keys(lead.shape) as (keyof typeof lead.shape)[]

const linesOf = (leads: readonly LeadResource[]): string =>
  leads
    // Cells hold one value: the list that excludes the person, and the latest result.
    .map(({ excluded, results, ...row }) => ({ ...row, excluded: excluded?.list ?? null, results: results.last }))
    .map((row) => csvLine(columns.map((column) => row[column] ?? null)))
    .join('')

async function* walkChosen(db: Reader, teamId: string, ids: readonly string[]): AsyncGenerator<LeadResource[], void> {
  for (let from = 0; from < ids.length; from += batchRows)
    yield await leadsById(db, teamId, ids.slice(from, from + batchRows))
}

/** Every lead of a list, by keyset, so that leads captured meanwhile shift no batch. */
async function* walkAll(db: Reader, list: LeadList): AsyncGenerator<LeadResource[], void> {
  for (let after: LeadPlace | null = null; ; ) {
    const rows: LeadResource[] = await batchOfLeads(db, list, { after, limit: batchRows })
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchRows) return
    after = { at: new Date(last.createdAt), id: last.id }
  }
}

/** Refuses what `GET /leads` refuses, then yields lines batch by batch, the header first. Reads the database only on demand. */
export async function exportLeads(
  db: Reader,
  { teamId, filters }: { teamId: string; filters: ListInput },
): Promise<AsyncGenerator<string, void>> {
  const list = await readList(db, { teamId, input: filters })
  const ids = chosenIds(list)
  const batches = ids ? walkChosen(db, teamId, ids) : walkAll(db, list)
  // The first batch is read before any line is sent, so that a failure can still be answered as an error.
  const first = await batches.next()
  return (async function* () {
    yield byteOrderMark + csvLine(columns) + linesOf(first.value ?? [])
    for await (const rows of batches) if (rows.length > 0) yield linesOf(rows)
  })()
}
