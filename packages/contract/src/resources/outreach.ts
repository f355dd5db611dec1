import { z } from 'zod'
import { filterRow, isoDateTime, uuid } from '../values/index.ts'
import { sourceType } from './source-kind.ts'

/** A campaign on the outreach platform (specification «Outreach campaign»); those that are over are never shown. */
export const campaign = z
  .object({
    id: z.string().regex(/^\d+$/),
    name: z.string(),
    status: z.enum(['IN_PROGRESS', 'PAUSED', 'DRAFT', 'SCHEDULED', 'STARTING', 'UNKNOWN']).meta({
      description: 'UNKNOWN: a state of the platform that this service does not know; such a campaign takes no leads.',
    }),
    accountIds: z.array(z.number().int()).meta({ description: 'Sender accounts.' }),
    canTakeLeads: z.boolean().meta({
      description:
        'False when it has no sender yet, while it is a draft (the platform refuses leads for it), and in a state unknown here.',
    }),
  })
  .meta({ id: 'Campaign' })

const ruleFields = {
  campaignId: z.string(),
  campaignName: z.string().meta({ description: 'As it was called when the rule was saved.' }),
  autoSend: z.boolean().meta({ description: 'False: only what pushHistoric sends.' }),
  filters: z.array(filterRow).meta({ description: 'All rows must match.' }),
  state: z.enum(['active', 'paused']),
  pausedReason: z
    .enum(['invalid_key', 'campaign_closed'])
    .nullable()
    .meta({ description: 'Why nothing is sent; saving a campaign starts it again.' }),
  updatedAt: isoDateTime,
}

/** An auto-push to a campaign (specification «Outreach integration»; G105). */
export const outreachRule = z.object(ruleFields).meta({ id: 'OutreachRule' })

/** An auto-push with its owner. */
export const ownedOutreachRule = z
  .object({
    ownerKind: z.enum(['source', 'agent']),
    sourceId: uuid.nullable(),
    type: sourceType.nullable(),
    username: z.string().nullable(),
    agentId: uuid.nullable(),
    ...ruleFields,
  })
  .meta({ id: 'OwnedOutreachRule' })

/** The team's connection to the platform (specification «Outreach connection»); the key itself is never shown. */
export const outreachConnection = z
  .object({
    connected: z.boolean(),
    connectedAt: isoDateTime.nullable(),
    keyRejected: z.boolean().meta({ description: 'True when the platform refused the key that is stored now.' }),
    autoPush: z.array(ownedOutreachRule),
  })
  .meta({ id: 'OutreachConnection' })

/** What a push of history found. */
export const historicPush = z
  .object({
    matched: z.number().int().meta({ description: 'People with a past lead that passes.' }),
    queued: z.number().int().meta({ description: 'Those of them that will be sent: not in the campaign yet.' }),
    queueing: z
      .object({
        looked: z.number().int().meta({ description: 'Leads looked at so far.' }),
        considered: z.number().int().meta({ description: 'Leads to be looked at.' }),
      })
      .optional()
      .meta({ description: 'Only while it goes on, of over 5,000 leads.' }),
  })
  .meta({ id: 'HistoricPush' })

/** A source with its auto-push. */
export const sourceOutreach = z
  .object({
    sourceId: uuid,
    type: sourceType,
    username: z.string(),
    outreach: outreachRule.nullable(),
    historic: historicPush.optional().meta({ description: 'Of a push behind its answer.' }),
  })
  .meta({ id: 'SourceOutreach' })

/** What an answer of a send counts. */
export const sendCounts = z
  .object({
    sent: z.number().int().meta({ description: 'People handed to the platform: added, updated and failed together.' }),
    added: z.number().int().meta({ description: 'New in the campaign.' }),
    updated: z
      .number()
      .int()
      .meta({ description: 'The platform had them in the campaign before we sent them; their fields were refreshed.' }),
    failed: z.number().int().meta({ description: 'The platform did not take them; it does not say who they are.' }),
    skippedNoLinkedin: z.number().int().meta({ description: 'Without the address of a profile.' }),
    alreadyInCampaign: z
      .number()
      .int()
      .meta({ description: 'Sent to this campaign before, or being sent, or named twice: not sent again.' }),
    uncertain: z
      .number()
      .int()
      .meta({
        description:
          'Sent to this campaign by a call whose answer was lost: nobody knows whether they are in it. ' +
          'They are looked up, and not sent again before that says no.',
      }),
    notFound: z.number().int().meta({ description: 'Ids that name no enriched lead of the team.' }),
    recorded: z
      .number()
      .int()
      .meta({ description: 'People noted as sent to this campaign by this call, who are never sent to it again.' }),
  })
  .meta({ id: 'SendCounts' })
