/** Why a lead was not delivered: collects the facts for `rules/undelivered.ts`. */
import type { Answer, OperationOf } from '@les/contract'
import { refuse } from '../../platform/refusal.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Handlers } from '../accounts/index.ts'
import { rowMatches, scoreAgentLeads } from '../fit/index.ts'
import { leadsById } from '../leads/index.ts'
import {
  findLeadKeys,
  findWebhookState,
  listFit,
  listLeadDeliveries,
  type FitRow,
  type LeadDeliveryRow,
  type LeadKeys,
  type WebhookRow,
} from './lead-detail-store.ts'
import { rowInWords } from './rules/filter-words.ts'
import { whyNotDelivered, type Reason, type WebhookFacts } from './rules/undelivered.ts'

async function hookFacts(
  db: Reader,
  { teamId, leadId, hook }: { teamId: string; leadId: string; hook: WebhookRow | undefined },
): Promise<WebhookFacts | null> {
  if (!hook) return null
  const { agentId, filters, ...facts } = hook
  const scores =
    agentId === null
      ? null
      : await scoreAgentLeads(db, { teamId, agentId }, { leadIds: [leadId], listed: true, filters })
  return { ...facts, isAgents: agentId !== null, agentSends: scores?.has(leadId) ?? false }
}

const missedRows = ({ rules, facts }: FitRow): string[] =>
  rules
    .filter((row) => !rowMatches(row, facts))
    .map((row) => `${rowInWords(row)} (${facts[row.column] == null ? 'not known' : String(facts[row.column])})`)

/** Explains one lead; empty when it was delivered. */
export async function whyNot(
  db: Reader,
  {
    teamId,
    keys,
    deliveries,
    fit,
    excluded,
  }: {
    teamId: string
    keys: LeadKeys
    deliveries: readonly LeadDeliveryRow[]
    fit: readonly FitRow[]
    excluded: Answer<OperationOf<'listLeads'>>['leads'][number]['excluded']
  },
): Promise<Reason[]> {
  if (keys.webhookStatus === 'sent') return []
  const hook = await hookFacts(db, { teamId, leadId: keys.id, hook: await findWebhookState(db, teamId, keys.ownerId) })
  const criteria = fit.find(({ sourceId }) => sourceId === keys.ownerId)
  return whyNotDelivered({
    lead: keys,
    excluded,
    missed: criteria === undefined ? [] : missedRows(criteria),
    source: keys.sourceStatus === null ? null : { active: keys.sourceStatus === 'active' },
    hook,
    delivery: deliveries.find(({ ownerId }) => ownerId === keys.ownerId) ?? null,
  })
}

const unknown = () => refuse('not_found', {}, 'No such lead; raw leads are never delivered, and are not found here')

export const leadWhyOperations: Handlers<'explainLead'> = {
  explainLead: async ({ leadId }, { caller: { teamId }, db }) => {
    const keys = leadId === null ? undefined : await findLeadKeys(db, { teamId, id: leadId })
    const [row] = keys === undefined ? [] : await leadsById(db, teamId, [keys.id])
    if (keys === undefined || row === undefined) return unknown()
    const { excluded, webhookStatus } = row
    const reasons = await whyNot(db, {
      teamId,
      keys,
      deliveries: await listLeadDeliveries(db, teamId, keys.id),
      fit: await listFit(db, { teamId, lead: keys }),
      excluded,
    })
    return { leadId: keys.id, delivered: webhookStatus === 'sent', reasons }
  },
}
