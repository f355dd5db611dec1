/** `les leads tail`: leads as they are captured, until Ctrl-C. */
import { entryOf } from '../catalogue/load.ts'
import { printNote } from '../options.ts'
import { printAnswer, wantsJson } from '../output/print.ts'
import type { Json } from '../output/rows.ts'
import { openSession } from '../session.ts'
import { repeat } from '../wait.ts'
import type { Given } from './own-command.ts'

type TailOptions = {
  readonly username?: string
  readonly isIcp?: boolean
  readonly interval: number
  readonly count?: number
}

const pageSize = 100
/** A service that cannot answer so often in a row is given up. */
const maxFailures = 20

/** The leads that are newer than what was seen, oldest first. */
function fresh(rows: readonly Json[], seen: Set<unknown>): Json[] {
  const news = rows.filter(({ id }) => !seen.has(id)).reverse()
  for (const { id } of news) seen.add(id)
  return news
}

/**
 * Asks every few seconds, and gives each new lead once; what was there at the start is not given. Leads of a source in the middle
 * of a sync come too.
 */
export async function tail({ options, shell }: Given<TailOptions>): Promise<void> {
  const session = openSession(options, shell)
  const entry = entryOf('listLeads')
  const filters = {
    limit: pageSize,
    ...(options.username === undefined ? { includeSyncing: true } : { username: options.username }),
    ...(options.isIcp === undefined ? {} : { isIcp: options.isIcp }),
  }
  const seen = new Set<unknown>()
  /** Everything that is new: pages are read until one holds something that was seen, or is not full. */
  const readNew = async (): Promise<Json[]> => {
    const found: Json[] = []
    for (let offset = 0; ; offset += pageSize) {
      const { leads, hasMore } = (await session.call(entry, { ...filters, offset })).value as unknown as {
        leads: Json[]
        hasMore: boolean
      }
      found.push(...leads)
      if (seen.size === 0 || !hasMore || leads.some(({ id }) => seen.has(id))) return fresh(found, seen)
    }
  }
  await readNew()
  // Without this an empty team would read every page at its first lead.
  seen.add('start')
  printNote(shell, `Waiting for leads, looking every ${options.interval} s; Ctrl-C ends it.`)
  // One lead at a time has no head, on a terminal neither.
  const rowsOnly = { ...shell, stdout: { write: shell.stdout.write, isTty: false, columns: shell.stdout.columns } }
  let given = 0
  const showNew = async (): Promise<boolean> => {
    for (const lead of await readNew()) {
      if (wantsJson(session.options) && !session.options.jq) shell.stdout.write(`${JSON.stringify(lead)}\n`)
      else await printAnswer(JSON.stringify({ leads: [lead] }), entry, { options: session.options, shell: rowsOnly })
      if (++given === options.count) return true
    }
    return false
  }
  await repeat(showNew, { shell, pauseMs: options.interval * 1000, maxFailures, done: shell.signal })
}
