/** Handlers of the lists of leads: enriched ones, people, raw ones (specification «Leads»). */
import type { Handlers } from '../accounts/index.ts'
import { pageOfEngagers } from './engagers-listing.ts'
import { pagingOf, readList } from './list-request.ts'
import { pageOfLeads } from './listing.ts'
import { presentEngager, presentLead, presentRawLead } from './present.ts'
import { countRawLeads, pageOfRawLeads } from './raw-listing.ts'
import { readScope } from './scope.ts'
import { countLimit } from './text-choice.ts'
import { countEngagers, countLeads } from './totals.ts'

/** Makes the handlers of this module. */
export const leadOperations: Handlers<'listLeads' | 'listEngagers' | 'listRawLeads'> = {
  listLeads: async (input, { caller, db }) => {
    const list = await readList(db, { teamId: caller.teamId, input })
    const rows = await pageOfLeads(db, list, { ...input })
    return {
      leads: rows.slice(0, input.limit).map(presentLead),
      ...(await pagingOf(rows.length, input, () => countLeads(db, list))),
    }
  },
  listEngagers: async (input, { caller, db }) => {
    const list = await readList(db, { teamId: caller.teamId, input })
    const { rows, held, people } = await pageOfEngagers(db, list, { ...input })
    const count = async () =>
      people !== null && people <= countLimit ? { total: people, exact: true } : countEngagers(db, list)
    return {
      engagers: rows.slice(0, input.limit).map(presentEngager),
      ...(await pagingOf(held, input, count)),
    }
  },
  listRawLeads: async (input, { caller, db }) => {
    const filter = {
      ...input,
      ownerId: await readScope(db, caller.teamId, input),
      includeInactive: input.includeInactive ?? false,
    }
    const rows = await pageOfRawLeads(db, { teamId: caller.teamId, filter }, input)
    return {
      leads: rows.slice(0, input.limit).map(presentRawLead),
      ...(await pagingOf(rows.length, input, () => countRawLeads(db, caller.teamId, filter))),
    }
  },
}
