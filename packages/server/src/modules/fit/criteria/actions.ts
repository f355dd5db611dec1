/** Use cases that other modules call. */
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { compileForLeads } from '../filter-sql.ts'
import { judgeLeads, type WhichLeads } from '../../leads/index.ts'
import { shareCriteriaOf } from './store.ts'

/**
 * Judges leads whose enrichment has just ended, or whose facts have changed, by their owners' criteria (ICP-05, G43).
 * Called in the unit of work that writes the facts, with the leads' sources locked.
 */
export async function scoreLeads(tx: Tx, teamId: string, which: WhichLeads): Promise<void> {
  if ('ids' in which && which.ids.length === 0) return
  for (const { ownerId, rules, matchMode } of await shareCriteriaOf(tx, teamId, which))
    await judgeLeads(tx, { teamId, ownerId }, { which, condition: compileForLeads(rules, matchMode) })
}
