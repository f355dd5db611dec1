/** One lead in detail, and why it was not delivered: collects the facts for `rules/undelivered.ts`. */
import type { Answer, OperationOf, SessionOperationOf } from '@les/contract'
import { refuse } from '../../platform/refusal.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Handlers, SessionHandlers } from '../accounts/index.ts'
import { rowMatches, scoreAgentLeads } from '../fit/index.ts'
import { leadsById } from '../leads/index.ts'
import {
  findLeadKeys,
  findWebhookState,
  listEngagements,
  listFit,
  listLeadDeliveries,
  listSends,
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

type ReasonFacts = {
  readonly keys: LeadKeys
  readonly deliveries: readonly LeadDeliveryRow[]
  readonly fit: readonly FitRow[]
  readonly excluded: Answer<OperationOf<'listLeads'>>['leads'][number]['excluded']
}

/** Explains one lead; empty when it was delivered. */
async function whyNot(db: Reader, teamId: string, { keys, deliveries, fit, excluded }: ReasonFacts): Promise<Reason[]> {
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
    const deliveries = await listLeadDeliveries(db, teamId, keys.id)
    const fit = await listFit(db, { teamId, lead: keys })
    const reasons = await whyNot(db, teamId, { keys, deliveries, fit, excluded })
    return { leadId: keys.id, delivered: webhookStatus === 'sent', reasons }
  },
}

type Detail = Answer<SessionOperationOf<'getLeadDetail'>>

const presentFit = ({ sourceId, sourceLabel, isIcp, matchMode, rules, facts }: FitRow): Detail['fit'][number] => ({
  sourceId,
  sourceLabel,
  isIcp,
  matchMode,
  rows: rules.map((row) => ({
    text: rowInWords(row),
    passed: rowMatches(row, facts),
    value: facts[row.column] == null ? null : String(facts[row.column]),
  })),
})

/** One lead in detail, with the person over all sources. Raw leads are 404, like unknown ones. */
export const leadDetailOperations: SessionHandlers<'getLeadDetail'> = {
  getLeadDetail: async (input, { caller: { teamId }, db }) => {
    const id = input.id ?? refuse('lead_not_found')
    const keys = (await findLeadKeys(db, { teamId, id })) ?? refuse('lead_not_found')
    const [row] = await leadsById(db, teamId, [id])
    const engagements = await listEngagements(db, teamId, keys.personUrn)
    const deliveries = await listLeadDeliveries(db, teamId, id)
    const lead = row ?? refuse('lead_not_found')
    const fit = await listFit(db, { teamId, lead: keys })
    return {
      lead,
      engagements,
      engagementCount: engagements[0]?.total ?? 0,
      fit: fit.map(presentFit),
      deliveries,
      whyNotDelivered: await whyNot(db, teamId, { keys, deliveries, fit, excluded: lead.excluded }),
      sends: await listSends(db, teamId, keys),
    }
  },
}
