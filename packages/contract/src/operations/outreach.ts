/** Tag `outreach` (specification «Outreach integration»; G104..G106, C12). The platform's key is never taken or returned here. */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import {
  campaign,
  historicPush,
  outreachConnection,
  resultsUrl,
  sendCounts,
  sourceOutreach,
} from '../resources/index.ts'
import { bounds, eitherOf, filterRows, flag, idOf, leadFilterColumns, textUpTo, uuidText } from '../values/index.ts'

const operation = operationsOf('outreach')

/** Refusals of a campaign that takes no leads. */
export const campaignErrors = [
  'campaign_closed',
  'no_senders',
  'campaign_not_found',
  'not_connected',
  'outreach_key_rejected',
  'outreach_unavailable',
] as const

const campaignMessage = 'must be the id of a campaign, as text'
export const campaignId = z.string({ error: campaignMessage }).trim().min(1).max(100)

const listMessage = `must be a list of 1 to ${bounds.outreachSend}`
const known = (max: number, what: string) => textUpTo(max, what).nullable().optional()

const isWebAddress = (value: string): boolean => {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(value) ? value : `https://${value}`)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.')
}

const person = z
  .object(
    {
      profileUrl: textUpTo(2_000, 'the address of a profile')
        .trim()
        .refine(isWebAddress, { error: 'must be the address of a profile' }),
      name: known(300, 'a name'),
      jobTitle: known(500, 'a job title'),
      company: known(500, 'a company'),
      country: known(200, 'a country'),
      email: known(320, 'an email address'),
    },
    { error: 'must be an object with profileUrl' },
  )
  .describe('A person whose URL is not a profile on the network is skipped (skippedNoLinkedin).')

export const sendBody = z
  .object({
    campaignId,
    leadIds: z
      .array(idOf('a lead'), { error: `${listMessage} lead ids` })
      .min(1)
      .max(bounds.outreachSend)
      .optional()
      .meta({ openapi: { type: 'array', minItems: 1, maxItems: bounds.outreachSend, items: uuidText } }),
    people: z
      .array(person, { error: `${listMessage} people` })
      .min(1)
      .max(bounds.outreachSend)
      .optional(),
    agentId: idOf('an agent').optional().describe('Adds the ICP % and signal that this agent gives the leads.'),
    includeExcluded: flag.optional().describe('True: also send excluded people; the audit log records who they were.'),
  })
  .superRefine(eitherOf('leadIds', 'people'))

/** Unlike elsewhere, a malformed source id is 400 on these routes (G20). */
const ofSource = { path: '/sources/{id}/outreach', params: z.object({ id: idOf('a source') }) } as const

export const outreachOperations = [
  operation('getOutreach', 'GET /integrations/outreach', {
    summary: 'Read the outreach connection and every auto-push',
    description: 'Does not call the platform. The key is stored outside this API.',
    success: outreachConnection,
  }),
  operation('listCampaigns', 'GET /integrations/outreach/campaigns', {
    summary: "List the outreach platform's campaigns, live",
    description: 'Finished, canceled and failed campaigns are left out.',
    success: z.object({ campaigns: z.array(campaign) }),
    errors: ['not_connected', 'outreach_key_rejected', 'outreach_unavailable'],
  }),
  operation('sendLeads', 'POST /integrations/outreach/send', {
    summary: 'Send enriched leads or influencers to a campaign',
    description:
      'At most 1,000 per call. A person is never sent twice to the same campaign. Raw leads and leads not ' +
      'enriched yet are never sent. A paused campaign stays paused; a finished one is refused. On 502, `partial` ' +
      'counts what was added before the failure; people who may have been added are looked up before they are ' +
      'sent again.',
    body: sendBody,
    largeBody: true,
    success: sendCounts.extend({ campaign: z.object({ id: z.string(), name: z.string() }) }),
    errors: ['no_enriched_lead', ...campaignErrors, 'agent_not_found'],
    example: { campaignId: '1001', people: [{ profileUrl: 'https://www.linkedin.com/in/jane-doe', name: 'Jane Doe' }] },
  }),
  operation('getSourceOutreach', `GET ${ofSource.path}`, {
    summary: 'Read the auto-push of a source',
    description: 'outreach is null when the source has no auto-push.',
    params: ofSource.params,
    success: sourceOutreach,
    errors: ['not_tracked'],
  }),
  operation('updateSourceOutreach', `PUT ${ofSource.path}`, {
    summary: 'Set or remove the auto-push of a source',
    description:
      'Replaces the whole rule and restarts a paused one. A null body, or campaignId null, removes the rule and ' +
      'drops what is queued; this needs no connection.',
    params: ofSource.params,
    nullBody: { campaignId: null },
    body: z.object({
      campaignId: z
        .union([campaignId, z.null()], {
          error: 'must be the id of a campaign, as text, or null to remove the auto-push',
        })
        .describe('Id of the campaign on the outreach platform, digits; null removes the auto-push.'),
      autoSend: flag.optional().describe('Send leads automatically once they are enriched; default true.'),
      filters: filterRows(leadFilterColumns)
        .nullable()
        .optional()
        .describe('Only leads that match every row; null or omitted: all leads.'),
      pushHistoric: flag.optional().describe('Also send matching past leads, once.'),
    }),
    success: sourceOutreach.extend({
      historic: historicPush.optional().describe('Present when pushHistoric was true.'),
    }),
    errors: ['not_tracked', ...campaignErrors],
    example: { campaignId: '1001', filters: [{ column: 'jobTitle', operator: 'contains', value: 'growth' }] },
  }),
  operation('rotateResultsSecret', 'POST /integrations/outreach/results-secret', {
    summary: 'Replace the URL that the outreach platform posts results to',
    description: "The old URL stops accepting results at once. Paste the new one into the platform's webhook settings.",
    body: z.object({}),
    strictBody: true,
    success: z.object({ resultsUrl }),
    errors: ['unknown_field', 'not_connected'],
  }),
] as const
