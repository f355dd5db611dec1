/** From the request for a list of leads to what its page and its total are read by, and to the paging of its answer. */
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { isClearing } from './clearing.ts'
import type { LeadFilter } from './filter.ts'
import { readHidden } from './hidden.ts'
import { readScope, type Scope } from './scope.ts'
import { chooseByText, countLimit, type LeadList } from './text-choice.ts'
import type { Total } from './totals.ts'

/** A page as lists ask for it; what reads one reads a row more than `limit`, so that the answer can say whether there is more. */
export type Page = { readonly limit: number; readonly offset: number }

/** The paging of a list whose rows are one more than asked when there is more; a page that shows the end needs no counting. */
export async function pagingOf(rows: number, { limit, offset }: Page, count: () => Promise<Total>) {
  const hasMore = rows > limit
  const seenToTheEnd = !hasMore && (rows > 0 || offset === 0) && offset + rows <= countLimit
  const { total, exact } = seenToTheEnd ? { total: offset + rows, exact: true } : await count()
  return { total, ...(exact ? {} : { totalExact: false as const }), limit, offset, hasMore }
}

/** What a request narrows a list by, and the source it names. */
type ListInput = Scope &
  Omit<LeadFilter, 'ownerId' | 'includeInactive' | 'includeSyncing' | 'clearing' | 'hidden'> & {
    readonly includeInactive?: boolean | undefined
    readonly includeSyncing?: boolean | undefined
  }

/** A list as a request asks for it. */
interface AskedList {
  readonly teamId: string
  readonly input: ListInput
}

/** The filter that a request names, over a source or the whole team. */
async function filterOf(db: Reader, { teamId, input }: AskedList): Promise<LeadFilter> {
  const ownerId = await readScope(db, teamId, input)
  const filter = {
    ...input,
    ownerId,
    clearing: input.webhookStatus !== undefined && (await isClearing(db, teamId)),
    includeInactive: input.includeInactive ?? false,
    includeSyncing: input.includeSyncing ?? false,
  }
  return { ...filter, hidden: await readHidden(db, teamId, filter) }
}

/** The list that a request names, with what its substrings have chosen; refuses a source that is not the team's. */
export async function readList(db: Reader, asked: AskedList): Promise<LeadList> {
  const filter = await filterOf(db, asked)
  return { teamId: asked.teamId, filter, chosen: await chooseByText(db, asked.teamId, filter) }
}
