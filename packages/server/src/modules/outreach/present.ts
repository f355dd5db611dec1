import type { campaign, outreachRule, ownedOutreachRule } from '@les/contract'
import type { z } from 'zod'
import type { Campaign } from '../../providers/outreach/port.ts'
import { refusalOf } from './rules/sending.ts'
import type { ListedRule, Rule } from './rule-store.ts'

/** A rule without its owner (G105). */
export function presentRule(rule: Rule): z.input<typeof outreachRule> {
  return { ...rule, filters: [...rule.filters] }
}

export function presentOwned(rule: ListedRule): z.input<typeof ownedOutreachRule> {
  const own = rule.ownerKind === 'source'
  return {
    ownerKind: rule.ownerKind,
    sourceId: own ? rule.ownerId : null,
    type: rule.sourceType,
    username: rule.username,
    agentId: own ? null : rule.ownerId,
    ...presentRule(rule),
  }
}

/** A campaign; undefined when it is over. */
export function presentCampaign(one: Campaign): z.input<typeof campaign> | undefined {
  const { id, name, status, accountIds } = one
  if (status === 'FINISHED' || status === 'CANCELED' || status === 'FAILED') return undefined
  return { id, name, status, accountIds: [...accountIds], canTakeLeads: refusalOf(one) === null }
}
