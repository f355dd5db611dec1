/** Use cases that other modules call: enrichment offers leads, the agent keeps a rule of its own (AGT-17, AGT-18). */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { AgentScores } from './agent-scores.ts'
import { countLeadsOf } from '../leads/index.ts'
import { endHistories, openHistory, smallHistory, type History } from './history.ts'
import { dropAllOf, dropDetectedOf, queueDetected, queueHistoric, type Historic } from './queue-store.ts'
import { lockMoving, shareRulesOf, upsertRules, type Rule } from './rule-store.ts'

/**
 * Queues those of the leads that an auto-push sends (OUT-26). Called in the unit of work that ends their enrichment,
 * after the facts are written.
 */
export async function offerToOutreach(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length === 0) return
  let queued = 0
  for (const rule of await shareRulesOf(tx, teamId, leadIds))
    queued += await queueDetected(tx, { teamId, rule, leadIds })
  if (queued > 0) tx.enqueue('outreach', teamId)
}

/**
 * Writes the same rule for some owners of a kind, whose sources are locked: a source's rule sends the leads of that source, an agent's
 * those of the sources that the agent has made. A paused one starts again (OUT-23). What the queues hold and the rule does not send is
 * dropped: for another campaign everything (G159), for a rule that no longer sends by itself what waits to go by itself, also what is
 * being tried again (G160). The campaign was checked before (`checkCampaign`).
 */
export async function saveRules(tx: Tx, to: Parameters<typeof upsertRules>[1]): Promise<Rule[]> {
  const { teamId, owners, rule } = to
  const moving = await lockMoving(tx, { teamId, ownerIds: owners.ids, campaignId: rule.campaignId })
  const rules = await upsertRules(tx, to)
  if (moving.length > 0) {
    await dropAllOf(tx, teamId, moving)
    await endHistories(tx, teamId, moving)
  }
  if (!rule.autoSend) await dropDetectedOf(tx, teamId, owners.ids)
  tx.enqueue('outreach', teamId)
  return rules
}

/** Queues everybody whom an agent lists with a past lead that passes its rule just saved, once each (AGT-18): some thousands. */
export async function pushHistoric(
  tx: Tx,
  { teamId, rule, scores }: { teamId: string; rule: Rule; scores: AgentScores },
): Promise<Historic> {
  const judge = { teamId, agentId: rule.ownerId }
  const leadIds = await scores.passing(tx.db, judge, { filters: rule.filters, leadIds: null })
  return queueing(tx, teamId, await queueHistoric(tx, { teamId, rule, among: { leadIds } }))
}

/**
 * The same of everybody with a past lead of a source (OUT-20); with more than `small` leads in the background, and the answer says how
 * far that has come.
 */
export async function pushHistoryOfSource(
  tx: Tx,
  { teamId, rule, small = smallHistory }: { teamId: string; rule: Rule; small?: number | undefined },
): Promise<History> {
  const { ownerId } = rule
  const considered = await countLeadsOf(tx.db, { teamId, ownerId })
  if (considered > small) return openHistory(tx, { teamId, ownerId, considered })
  await endHistories(tx, teamId, [ownerId])
  return queueing(tx, teamId, await queueHistoric(tx, { teamId, rule, among: null }))
}

function queueing(tx: Tx, teamId: string, found: Historic): Historic {
  if (found.queued > 0) tx.enqueue('outreach', teamId)
  return found
}
