/** Handlers of the lists of leads: enriched ones, people, raw ones (specification «Leads»). */
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Handlers } from '../accounts/index.ts'
import { countEngagers, pageOfEngagers } from './engagers-listing.ts'
import { readHidden } from './hidden.ts'
import { chooseByText, countLeads, countLimit, isWhole, pageOfLeads, type LeadFilter } from './listing.ts'
import { presentEngager, presentLead, presentRawLead } from './present.ts'
import { countRawLeads, pageOfRawLeads } from './raw-listing.ts'
import type { VerdictSource } from './verdicts.ts'
import { readScope } from './scope.ts'

type Page = { readonly limit: number; readonly offset: number }

/** The paging of a list whose rows are one more than asked when there is more; a page that shows the end needs no counting. */
export async function pagingOf(
  rows: number,
  { limit, offset }: Page,
  count: () => Promise<{ total: number; exact: boolean }>,
) {
  const hasMore = rows > limit
  const seenToTheEnd = !hasMore && (rows > 0 || offset === 0) && offset + rows <= countLimit
  const { total, exact } = seenToTheEnd ? { total: offset + rows, exact: true } : await count()
  return { total, ...(exact ? {} : { totalExact: false as const }), limit, offset, hasMore }
}

type ListInput = Omit<LeadFilter, 'ownerId' | 'includeInactive' | 'includeSyncing' | 'open' | 'hidden'> & {
  readonly includeInactive?: boolean | undefined
  readonly includeSyncing?: boolean | undefined
}

/** The filter that a request names, over a source or the whole team. */
export const filterOf = async (
  db: Reader,
  teamId: string,
  input: ListInput,
  ownerId: string | null,
  verdicts: VerdictSource,
): Promise<LeadFilter> => {
  const filter = {
    ...input,
    ownerId,
    open:
      input.isIcp === undefined
        ? []
        : (await verdicts.read(db, teamId)).filter((one) => ownerId === null || one.ownerId === ownerId),
    includeInactive: input.includeInactive ?? false,
    includeSyncing: input.includeSyncing ?? false,
  }
  // The list that is read most, an unfiltered one, is counted elsewhere and walked by its index either way.
  return isWhole(filter) ? filter : { ...filter, hidden: await readHidden(db, teamId, filter) }
}

/** Makes the handlers of this module. */
export const leadOperations = (verdicts: VerdictSource): Handlers<'listLeads' | 'listEngagers' | 'listRawLeads'> => ({
  listLeads: async (input, { caller, db }) => {
    const ownerId = await readScope(db, caller.teamId, input)
    const filter = await filterOf(db, caller.teamId, input, ownerId, verdicts)
    const chosen = await chooseByText(db, caller.teamId, filter)
    const rows = await pageOfLeads(db, caller.teamId, filter, input, chosen, verdicts)
    return {
      leads: rows.slice(0, input.limit).map(presentLead),
      ...(await pagingOf(rows.length, input, () => countLeads(db, caller.teamId, filter, chosen))),
    }
  },
  listEngagers: async (input, { caller, db }) => {
    const ownerId = await readScope(db, caller.teamId, input)
    const filter = await filterOf(db, caller.teamId, input, ownerId, verdicts)
    const chosen = await chooseByText(db, caller.teamId, filter)
    const { rows, people } = await pageOfEngagers(db, caller.teamId, filter, input, chosen, verdicts)
    const count = () =>
      people !== null && people <= countLimit
        ? { total: people, exact: true }
        : countEngagers(db, caller.teamId, filter, chosen)
    return {
      engagers: rows.slice(0, input.limit).map(presentEngager),
      ...(await pagingOf(rows.length, input, async () => count())),
    }
  },
  listRawLeads: async (input, { caller, db }) => {
    const filter = {
      ...input,
      ownerId: await readScope(db, caller.teamId, input),
      includeInactive: input.includeInactive ?? false,
    }
    const rows = await pageOfRawLeads(db, caller.teamId, filter, input)
    return {
      leads: rows.slice(0, input.limit).map(presentRawLead),
      ...(await pagingOf(rows.length, input, () => countRawLeads(db, caller.teamId, filter))),
    }
  },
})
