/** Windows of the three lists, from the same filters. */
import { api } from '../../api/api.ts'
import { ApiError } from '../../api/error.ts'
import type { FetchWindow } from '../../ui/index.ts'
import type { Engager, Lead, RawLead } from './columns.tsx'
import { leadInput, rawInput, type Filters } from './filters.ts'
import type { directions, sorts } from './search.ts'

const settleMs = 80

/** Waits until a list that is scrolled fast has come to rest: a window that was only passed is never asked for. */
function atRest(offset: number, signal: AbortSignal): Promise<void> {
  if (offset === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, settleMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** What the service says of a source that is gone or unknown, in the words of this page. */
async function inOurWords<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    const isUntracked = error.message.includes('includeInactive')
    throw new ApiError(404, {
      ...error.body,
      error: isUntracked
        ? 'That source is no longer tracked. To read what it captured, turn on “Show leads of sources no longer tracked” under All filters.'
        : 'There is no such source in this team. Choose another source, or clear the filters.',
    })
  }
}

/** How the list is sorted. */
export type LeadSort = { readonly sort: (typeof sorts)[number]; readonly direction: (typeof directions)[number] }

/** Windows of leads, newest first or as they are sorted. */
export const leadWindows =
  (filters: Filters, sorted?: LeadSort): FetchWindow<Lead> =>
  async (offset, limit, signal) => {
    await atRest(offset, signal)
    const page = { ...leadInput(filters), offset, limit }
    const { leads, total, totalExact, hasMore } = await inOurWords(
      sorted === undefined
        ? api.v1('listLeads', page, { signal })
        : api.session('listSortedLeads', { ...page, ...sorted }, { signal }),
    )
    return { rows: leads, total, totalExact, hasMore }
  }

/** Windows of people. */
export const engagerWindows =
  (filters: Filters): FetchWindow<Engager> =>
  async (offset, limit, signal) => {
    await atRest(offset, signal)
    const { engagers, total, totalExact, hasMore } = await inOurWords(
      api.v1('listEngagers', { ...leadInput(filters), offset, limit }, { signal }),
    )
    return { rows: engagers, total, totalExact, hasMore }
  }

/** Windows of raw leads. */
export const rawWindows =
  (filters: Filters): FetchWindow<RawLead> =>
  async (offset, limit, signal) => {
    await atRest(offset, signal)
    const { leads, total, totalExact, hasMore } = await inOurWords(
      api.v1('listRawLeads', { ...rawInput(filters), offset, limit }, { signal }),
    )
    return { rows: leads, total, totalExact, hasMore }
  }
