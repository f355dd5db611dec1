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
const maxFailures = 20

function fresh(rows: readonly Json[], seen: Set<unknown>): Json[] {
  const news = rows.filter(({ id }) => !seen.has(id)).reverse()
  for (const { id } of news) seen.add(id)
  return news
}

/** `les leads tail`: polls, and prints each lead captured after the start once, also leads of a source that is still syncing. */
export async function tail({ options, shell }: Given<TailOptions>): Promise<void> {
  const session = openSession(options, shell)
  const entry = entryOf('listLeads')
  const filters = {
    limit: pageSize,
    ...(options.username === undefined ? { includeSyncing: true } : { username: options.username }),
    ...(options.isIcp === undefined ? {} : { isIcp: options.isIcp }),
  }
  const seen = new Set<unknown>()
  /** Reads pages until one is not full or contains a known lead. */
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
  // Without a known id, a team without leads would read every page once its first lead arrives.
  seen.add('start')
  printNote(shell, `Waiting for leads, looking every ${options.interval} s; Ctrl-C ends it.`)
  // Leads are printed one at a time, so no header is printed, not even on a terminal.
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
