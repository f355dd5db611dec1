/** The handler that compares criteria with those a source has: a trial as a difference, person by person. Reads only. */
import type { SessionHandlers } from '../../accounts/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { compileForLeads } from '../filter-sql.ts'
import { compareConditions } from '../../leads/index.ts'
import type { Owners } from './operations.ts'
import { creditsPerFit, namesRows } from '../rules/comparison.ts'
import { findCriteria } from './store.ts'

/** Leads that one comparison looks at, the newest: some tenths of a second. */
const mostLeads = 50_000
const mostShown = 25

/** Makes the handler. */
export function comparisonOperations({ owners }: { readonly owners: Owners }): SessionHandlers<'compareCriteria'> {
  return {
    compareCriteria: async ({ id, rules, matchMode }, { caller, db, unitOfWork }) => {
      const { teamId } = caller
      const owner = (await owners.find(db, teamId, { id })) ?? refuse('not_tracked')
      const of = { teamId, ownerId: owner.id }
      const present = await findCriteria(db, of)
      const { shown, ...totals } = await compareConditions(db, of, {
        present: compileForLeads(present.rules, present.matchMode),
        tried: compileForLeads(rules, matchMode),
        rows: namesRows(rules, matchMode) ? rules.map((row) => compileForLeads([row], 'all')!) : [],
        most: mostLeads,
        sample: mostShown,
      })
      return unitOfWork(async () => ({
        ...totals,
        nearBy: [...totals.nearBy],
        hasCriteria: present.rules.length > 0,
        creditsPerFit: {
          now: creditsPerFit(totals.people, totals.fitNow),
          tried: creditsPerFit(totals.people, totals.fitTried),
        },
        gainedPeople: [...shown.gained],
        lostPeople: [...shown.lost],
        nearPeople: [...shown.near],
      }))
    },
  }
}
