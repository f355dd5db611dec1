/** Use cases for other modules: enrichment offers leads, the agent keeps its own rule (AGT-17, AGT-18). */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { AgentScores } from './agent-scores.ts'
import { countLeadsOf } from '../leads/index.ts'
import { endHistories, openHistory, smallHistory, type History } from './history.ts'
import { dropAllOf, dropDetectedOf, queueDetected, queueHistoric, type Historic } from './queue-store.ts'
import { lockMoving, shareRulesOf, upsertRules, type Rule } from './rule-store.ts'

/** Queues the leads that auto-push rules send (OUT-26). Call in the unit of work that ends their enrichment, after the facts. */
export async function offerToOutreach(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length === 0) return
  let queued = 0
  for (const rule of await shareRulesOf(tx, teamId, leadIds))
    queued += await queueDetected(tx, { teamId, rule, leadIds })
  if (queued > 0) tx.enqueue('outreach', teamId)
}

/**
 * Writes and activates (OUT-23) one rule for owners whose sources are locked. For a new campaign the queue is emptied (G159), for
 * autoSend off of what was queued automatically, retries included (G160). Call `checkCampaign` before.
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

/** Queues everybody with a past lead that the agent lists and its saved rule passes, once per person (AGT-18). */
export async function pushHistoric(
  tx: Tx,
  { teamId, rule, scores }: { teamId: string; rule: Rule; scores: AgentScores },
): Promise<Historic> {
  const judge = { teamId, agentId: rule.ownerId }
  const leadIds = await scores.passing(tx.db, judge, { filters: rule.filters, leadIds: null })
  return queueing(tx, teamId, await queueHistoric(tx, { teamId, rule, among: { leadIds } }))
}

/** Queues everybody with a past lead of a source (OUT-20); above `small` leads in the background, with progress in the answer. */
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
