/** Tag `agent`: the Engagement Agent (specification «Engagement Agent»). */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { agent, agentInList, agentLaunch, agentLeadPage, countryWarnings, notStopped } from '../resources/index.ts'
import {
  agentCompanySizes,
  agentCompetitors,
  agentCountries,
  agentDailyCredits,
  agentFilterColumns,
  agentFilterValues,
  agentId,
  agentIndustries,
  agentSummary,
  agentTitles,
  agentTopics,
  agentWebsite,
  bounds,
  filterRows,
  flag,
  integer,
  queryNumberOr,
} from '../values/index.ts'
import { excludedFilter } from './leads.ts'
import { campaignErrors } from './outreach.ts'
import { leadIds } from './sources.ts'
import { creditAPersonSaid } from '../words/index.ts'

const operation = operationsOf('agent')

// Specification: every route of the agent may answer 502.
const everyRoute = ['agent_not_found', 'agent_unavailable', 'provider_unavailable'] as const
const optionalAgent = agentId.optional().describe('Default: the oldest agent.')
const only = (fields: string, what: string) => (issue: z.core.$ZodRawIssue) =>
  issue.code === 'unrecognized_keys' ? `takes only ${fields}` : what

const urlMessage = `must be a public http or https URL of at most ${bounds.webhookUrl} characters`
const filters = filterRows(agentFilterColumns, agentFilterValues)

const webhook = z
  .strictObject(
    {
      url: z.string({ error: urlMessage }).min(1).max(bounds.webhookUrl),
      autoSend: flag.optional().describe('Default false.'),
      filters: filters.nullable().optional().describe('Only leads that match every row; default: no filter.'),
      since: z.unknown().optional().describe('Read-only; ignored if sent.'),
    },
    { error: only('url, autoSend and filters', 'must be an object {url, autoSend, filters}, or null') },
  )
  .nullable()

const outreach = z
  .strictObject(
    {
      campaignId: z.string({ error: 'must be the id of a campaign, as text' }).min(1).max(100),
      autoSend: flag.optional().describe('Default true.'),
      filters: filters.nullable().optional(),
      pushHistoric: flag.optional().describe('True: also send leads captured before, once.'),
    },
    {
      error: only(
        'campaignId, autoSend, filters and pushHistoric',
        'must be an object {campaignId, autoSend, filters, pushHistoric}, or null',
      ),
    },
  )
  .nullable()

const change = z
  .object({
    agentId: optionalAgent,
    create: flag.optional().describe('True: add another agent.'),
    website: agentWebsite.optional(),
    summary: agentSummary.optional(),
    titles: agentTitles.optional(),
    industries: agentIndustries.optional(),
    companySizes: agentCompanySizes.optional(),
    countries: agentCountries.optional(),
    topics: agentTopics.optional(),
    competitors: agentCompetitors.optional(),
    dailyCredits: agentDailyCredits.optional(),
    webhook: webhook.optional().describe('Replaces the webhook as a whole; null removes it.'),
    outreach: outreach.optional().describe('Sends matching leads to this campaign; null stops sending.'),
  })
  .superRefine((body, context) => {
    const named = Object.entries(body).filter(
      ([name, value]) => value !== undefined && name !== 'agentId' && !(name === 'create' && value === false),
    )
    if (named.length === 0) context.addIssue({ code: 'custom', path: [], message: 'needs something to change' })
    if (body.create === true && body.agentId !== undefined)
      context.addIssue({ code: 'custom', path: ['create'], message: 'cannot be combined with agentId' })
  })

const rows = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON array of rows {column, operator, value}' })
      return z.NEVER
    }
  })
  .pipe(filters)
  .meta({
    openapi: {
      type: 'string',
      description:
        'A JSON array of rows {column, operator, value}, joined by AND. Takes the columns of leads, and also: ' +
        'icp, signal, engagementCount, topic, sourceKind.',
    },
  })

export const agentOperations = [
  operation('getAgent', 'GET /agent', {
    summary: 'Read an agent and list all agents',
    description: 'Without agentId, returns the oldest agent, or null if the team has no agent.',
    query: z.object({ agentId: optionalAgent }),
    success: z.object({ agent: agent.nullable(), agents: z.array(agentInList) }),
    errors: everyRoute,
  }),
  operation('updateAgent', 'PUT /agent', {
    summary: 'Set up an agent',
    description:
      'A flat partial update: omitted fields stay unchanged. The first call creates the agent. Starts nothing ' +
      'and charges nothing. Sources and caps change at the next start.',
    body: change,
    strictBody: true,
    success: z.object({
      agent,
      warnings: countryWarnings,
      outreachHistoric: z.object({ matched: integer, queued: integer }).optional(),
    }),
    errors: [...everyRoute, 'trial_agent_limit', 'unknown_field', ...campaignErrors],
    example: {
      website: 'https://www.example.com',
      titles: ['Head of Growth'],
      topics: ['growth marketing'],
      dailyCredits: 100,
    },
  }),
  operation('startAgent', 'POST /agent/start', {
    charges: true,
    summary: 'Start an agent',
    description:
      'Requires confirmSpend: true. Stops what the agent set up before, creates a daily search for each topic, ' +
      `and starts a one-off search for people to watch. ${creditAPersonSaid}.`,
    body: z.object({
      agentId: optionalAgent,
      dailyCredits: agentDailyCredits.optional(),
      confirmSpend: flag.optional(),
    }),
    strictBody: true,
    success: z.object({ agent, launch: agentLaunch }),
    errors: [
      ...everyRoute,
      'unknown_field',
      'agent_no_topics',
      'agent_daily_credits_required',
      'agent_not_started',
      'spend_confirmation_required',
      'agent_save_failed',
    ],
    example: { dailyCredits: 100, confirmSpend: true },
  }),
  operation('stopAgent', 'POST /agent/stop', {
    summary: 'Stop an agent',
    description:
      'Untracks every active source of the agent. Leads are kept. Existing searches of the team that the agent ' +
      'reused keep running.',
    body: z.object({ agentId: optionalAgent }),
    strictBody: true,
    success: z.object({ agent, stop: z.object({ stopped: integer, notStopped: z.array(notStopped) }) }),
    errors: [...everyRoute, 'unknown_field'],
  }),
  operation('listAgentLeads', 'GET /agent/leads', {
    summary: "List an agent's leads, best first",
    description:
      "Returns one row per person, from the newest 5,000 people that the agent's sources captured. Ordered by " +
      'ICP %, then signal, then newest.',
    query: z.strictObject(
      {
        agentId: optionalAgent,
        filters: rows.optional(),
        limit: queryNumberOr(bounds.agentLeadsLimit),
        offset: queryNumberOr(bounds.offset),
        excluded: excludedFilter,
      },
      { error: only('agentId, filters, limit, offset and excluded', 'must be a query') },
    ),
    success: agentLeadPage,
    errors: everyRoute,
  }),
  operation('pushAgent', 'POST /agent/push', {
    summary: "Push an agent's leads to its webhook",
    description:
      'Sends one signed delivery per lead. A lead that is delivered or on its way is never sent again; a failed ' +
      "one is retried. Without leadIds, sends all leads that match the webhook's filters.",
    body: z.object({ agentId: optionalAgent, leadIds: leadIds.optional() }),
    strictBody: true,
    largeBody: true,
    success: z.object({
      agentId,
      queued: integer,
      considered: integer,
      excluded: integer.describe('Considered leads that were left out because they are excluded.'),
    }),
    errors: [...everyRoute, 'unknown_field', 'no_webhook'],
  }),
] as const
