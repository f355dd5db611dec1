import type { Answer, SessionOperationOf } from '@les/contract'
import type { SessionHandlers } from '../accounts/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { rowMatches } from '../fit/index.ts'
import { leadsById } from '../leads/index.ts'
import {
  findLeadKeys,
  listEngagements,
  listFit,
  listLeadDeliveries,
  listSends,
  type FitRow,
  type LeadDeliveryRow,
} from './lead-detail-store.ts'
import { rowInWords } from './rules/filter-words.ts'
import { whyNot } from './lead-why.ts'

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

const presentDelivery = (delivery: LeadDeliveryRow): Detail['deliveries'][number] => ({
  ...delivery,
  nextAttemptAt: delivery.state === 'pending' ? delivery.dueAt : null,
})

/** The handler of one lead in detail, with the person over all sources. Raw leads are 404, like unknown ones. */
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
      deliveries: deliveries.map(presentDelivery),
      whyNotDelivered: await whyNot(db, { teamId, keys, deliveries, fit, excluded: lead.excluded }),
      sends: await listSends(db, teamId, keys),
    }
  },
}
