import { z } from 'zod'
import { filterRow, integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { sourceType } from './common.ts'

/** A campaign of the outreach platform (specification «Outreach campaign»); ended campaigns are never shown. */
export const campaign = named('Campaign', {
  id: z.string().regex(/^\d+$/),
  name: z.string(),
  status: z
    .enum(['IN_PROGRESS', 'PAUSED', 'DRAFT', 'SCHEDULED', 'STARTING', 'UNKNOWN'])
    .describe('UNKNOWN: a state of the platform that this service does not know; such a campaign takes no leads.'),
  accountIds: z.array(integer).describe('Sender accounts.'),
  canTakeLeads: z
    .boolean()
    .describe(
      'False when it has no sender yet, while it is a draft (the platform refuses leads for it), and in a state unknown here.',
    ),
})

const ruleFields = {
  campaignId: z.string(),
  campaignName: z.string().describe('As it was called when the rule was saved.'),
  autoSend: z.boolean().describe('False: only what pushHistoric sends.'),
  filters: z.array(filterRow).describe('All rows must match.'),
  state: z.enum(['active', 'paused']),
  pausedReason: z
    .enum(['invalid_key', 'campaign_closed'])
    .nullable()
    .describe('Why nothing is sent; saving a campaign starts it again.'),
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
    'The address to paste into the webhooks of the outreach platform, so that replies count at once; it holds a secret. ' +
      'Null while nothing is connected, and for viewers.',
  )

/** The team's connection (specification «Outreach connection»), without its key. */
export const outreachConnection = named('OutreachConnection', {
  connected: z.boolean(),
  connectedAt: isoDateTime.nullable(),
  keyRejected: z.boolean().describe('True when the platform refused the key that is stored now.'),
  resultsUrl: resultsUrl.nullable(),
  autoPush: z.array(ownedOutreachRule),
})

export const historicPush = named('HistoricPush', {
  matched: integer.describe('People with a past lead that passes.'),
  queued: integer.describe('Those of them that will be sent: not in the campaign yet.'),
  queueing: z
    .object({
      looked: integer.describe('Leads looked at so far.'),
      considered: integer.describe('Leads to be looked at.'),
    })
    .optional()
    .describe('Only while it goes on, of over 5,000 leads.'),
})

export const sourceOutreach = named('SourceOutreach', {
  sourceId: uuid,
  type: sourceType,
  username: z.string(),
  outreach: outreachRule.nullable(),
  historic: historicPush.optional().describe('Of a push behind its answer.'),
})

export const sendCounts = named('SendCounts', {
  sent: integer.describe('People handed to the platform: added, updated and failed together.'),
  added: integer.describe('New in the campaign.'),
  updated: integer.describe('The platform had them in the campaign before we sent them; their fields were refreshed.'),
  failed: integer.describe('The platform did not take them; it does not say who they are.'),
  skippedNoLinkedin: integer.describe('Without the address of a profile.'),
  alreadyInCampaign: integer.describe('Sent to this campaign before, or being sent, or named twice: not sent again.'),
  uncertain: integer.describe(
    'Sent to this campaign by a call whose answer was lost: nobody knows whether they are in it. ' +
      'They are looked up, and not sent again before that says no.',
  ),
  skippedExcluded: integer.describe('Left out because they are excluded.'),
  notFound: integer.describe('Ids that name no enriched lead of the team.'),
  recorded: integer.describe('People noted as sent to this campaign by this call, who are never sent to it again.'),
})
