import { z } from 'zod'
import { filterRow, integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { sourceType } from './common.ts'

/** A campaign of the outreach platform (specification «Outreach campaign»); ended campaigns are never shown. */
export const campaign = named('Campaign', {
  id: z.string().regex(/^\d+$/),
  name: z.string(),
  status: z
    .enum(['IN_PROGRESS', 'PAUSED', 'DRAFT', 'SCHEDULED', 'STARTING', 'UNKNOWN'])
    .describe('UNKNOWN: a platform state that this service does not know; such a campaign accepts no leads.'),
  accountIds: z.array(integer).describe('Sender accounts.'),
  canTakeLeads: z
    .boolean()
    .describe(
      'False when the campaign has no sender yet, while it is a draft (the platform refuses leads for it), and ' +
        'in an unknown state.',
    ),
})

const ruleFields = {
  campaignId: z.string(),
  campaignName: z.string().describe('The campaign name when the rule was saved.'),
  autoSend: z.boolean().describe('False: only pushHistoric sends leads.'),
  filters: z.array(filterRow).describe('All rows must match.'),
  state: z.enum(['active', 'paused']),
  pausedReason: z
    .enum(['invalid_key', 'campaign_closed'])
    .nullable()
    .describe('Why nothing is sent; saving a campaign restarts the rule.'),
  updatedAt: isoDateTime,
}

/** Sends leads to a campaign automatically (specification «Outreach integration»; G105). */
export const outreachRule = named('OutreachRule', ruleFields)

export const ownedOutreachRule = named('OwnedOutreachRule', {
  ownerKind: z.enum(['source', 'agent']),
  sourceId: uuid.nullable(),
  type: sourceType.nullable(),
  username: textOrNull,
  agentId: uuid.nullable(),
  ...ruleFields,
})

export const resultsUrl = z
  .string()
  .describe(
    "URL to paste into the outreach platform's webhook settings, so that replies count at once. It contains a " +
      'secret. Null while nothing is connected, and for viewers.',
  )

/** The team's connection (specification «Outreach connection»), without its key. */
export const outreachConnection = named('OutreachConnection', {
  connected: z.boolean(),
  connectedAt: isoDateTime.nullable(),
  keyRejected: z.boolean().describe('True when the platform refused the currently stored key.'),
  resultsUrl: resultsUrl.nullable(),
  autoPush: z.array(ownedOutreachRule),
})

export const historicPush = named('HistoricPush', {
  matched: integer.describe('People with a matching past lead.'),
  queued: integer.describe('Matched people who will be sent because they are not in the campaign yet.'),
  queueing: z
    .object({
      looked: integer.describe('Leads checked so far.'),
      considered: integer.describe('Leads to check.'),
    })
    .optional()
    .describe('Present only while the push is still in progress, for more than 5,000 leads.'),
})

export const sourceOutreach = named('SourceOutreach', {
  sourceId: uuid,
  type: sourceType,
  username: z.string(),
  outreach: outreachRule.nullable(),
  historic: historicPush.optional().describe('Present while a push continues after its response.'),
})

export const sendCounts = named('SendCounts', {
  sent: integer.describe('People sent to the platform: added, updated and failed together.'),
  added: integer.describe('People new in the campaign.'),
  updated: integer.describe('People who were already in the campaign on the platform; their fields were updated.'),
  failed: integer.describe('People the platform did not accept; it does not say who they are.'),
  skippedNoLinkedin: integer.describe('People without a profile URL.'),
  alreadyInCampaign: integer.describe(
    'People sent to this campaign before, being sent now, or listed twice. They are not sent again.',
  ),
  uncertain: integer.describe(
    'People sent to this campaign by a call whose response was lost, so it is unknown whether they are in it. ' +
      'They are looked up, and sent again only if they are not in the campaign.',
  ),
  skippedExcluded: integer.describe('People left out because they are excluded.'),
  notFound: integer.describe('Ids that do not match an enriched lead of the team.'),
  recorded: integer.describe('People recorded by this call as sent to this campaign; they are never sent to it again.'),
})
