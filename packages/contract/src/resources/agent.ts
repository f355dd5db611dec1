/** The Engagement Agent and its leads (specification «Engagement Agent», «Agent lead»; G97, G99). */
import { z } from 'zod'
import { companySizes, filterRow, isoDateTime, uuid } from '../values/index.ts'
import { companyFields } from './company.ts'

/** How the daily limit is split. */
export const agentPlan = z
  .object({
    perTopic: z.number().int().meta({ description: 'Credits a day for each topic search.' }),
    people: z.number().int().meta({ description: 'People watched at most, 25 credits a sync each.' }),
    total: z.number().int().meta({ description: 'Credits a day at most.' }),
  })
  .meta({ id: 'AgentPlan' })

/** The state of an agent. */
export const agentStatus = z.enum(['draft', 'active'])

/** The outreach of an agent: leads that pass go to a campaign. */
export const agentOutreach = z.looseObject({
  campaignId: z.string(),
  autoSend: z.boolean(),
  filters: z.array(filterRow),
})

/** How far the people of an agent are judged again, because what it looks for or its sources have changed. */
const rescoring = z
  .object({
    judged: z.number().int().meta({ description: 'People who were judged by the new profile and sources so far.' }),
    people: z.number().int().meta({ description: 'People whom the sources have captured.' }),
  })
  .optional()
  .meta({
    description:
      'Only while people are being judged again in the background. Lists and sends go by the new profile already.',
  })

/** An agent. */
export const agent = z
  .object({
    id: uuid,
    status: agentStatus,
    website: z.string().nullable().meta({ description: 'A bare domain.' }),
    profile: z.object({
      summary: z.string(),
      titles: z.array(z.string()),
      industries: z.array(z.string()),
      companySizes: z.array(z.enum(companySizes)),
      countries: z.array(z.string()),
      topics: z.array(z.string()),
      competitors: z.array(z.object({ name: z.string(), domain: z.string().optional() })),
    }),
    dailyCredits: z.number().int().nullable().meta({ description: 'Daily limit; null on a free trial.' }),
    plan: agentPlan.nullable().meta({ description: 'Null until the first start.' }),
    launchedAt: isoDateTime.nullable(),
    discoverRun: uuid.nullable().meta({ description: 'The one-off people search of the last start.' }),
    peopleAdded: z.boolean().meta({ description: 'True once the people that search found are watched.' }),
    sources: z.array(
      z.object({ id: uuid, type: z.enum(['person', 'company', 'keyword']), label: z.string(), active: z.boolean() }),
    ),
    webhook: z
      .object({
        url: z.string(),
        autoSend: z.boolean(),
        filters: z.array(filterRow),
        since: isoDateTime.meta({ description: 'When the URL was set; leads captured before go by push only.' }),
      })
      .nullable(),
    outreach: agentOutreach.nullable(),
    trial: z
      .object({
        checkedLimit: z.number().int(),
        checked: z.number().int(),
        watchLimit: z.number().int(),
        watched: z.number().int(),
        endsAt: isoDateTime.nullable(),
      })
      .nullable()
      .meta({ description: 'Null on paid plans.' }),
    rescoring,
  })
  .meta({ id: 'Agent' })

/** An agent in a list. */
export const agentInList = z.object({ id: uuid, website: z.string().nullable(), status: agentStatus })

/** A part of a start that was refused. */
export const refusedPart = z.object({
  part: z.string().meta({ description: 'The topic, or people_search.' }),
  error: z.string(),
  code: z.string().nullable(),
  status: z.number().int(),
})

/** A source that could not be stopped. */
export const notStopped = z.object({ id: uuid, label: z.string(), error: z.string() })

/** What a start has done. */
export const agentLaunch = z
  .object({
    plan: agentPlan,
    dailyCredits: z.number().int().nullable(),
    created: z.number().int().meta({ description: 'Topic searches made.' }),
    reused: z.number().int().meta({ description: 'Live searches on a topic, taken as they are.' }),
    discoverRun: uuid.nullable(),
    stopped: z.number().int(),
    notStopped: z.array(notStopped),
    failed: z.array(refusedPart),
  })
  .meta({ id: 'AgentLaunch' })

/** How strongly a person's engagement speaks. */
export const agentSignal = z.enum(['extra_strong', 'strong', 'medium', 'weak'])

/** The kinds of source in an agent's leads. */
export const agentSourceKind = z.enum(['keyword', 'profile', 'company', 'post'])

const engagement = z.object({
  engagementType: z.string().meta({ description: 'Comment, Reply, or the name of the reaction.' }),
  commentText: z.string().nullable(),
  sourceId: uuid,
  sourceLabel: z.string(),
  sourceKind: agentSourceKind,
  postUrl: z.string().nullable(),
  topic: z.string().nullable().meta({ description: 'The topic that the post is about.' }),
  posterTopic: z.string().nullable().meta({ description: "The topic that the post's author stands for." }),
  detectedAt: isoDateTime,
  signalPoints: z.number().int().meta({ description: 'Strong 3, medium 2, weak 1.' }),
  signalReasons: z.array(z.string()),
})

/** A person that an agent's sources have captured. */
export const agentLead = z
  .object({
    id: uuid.meta({ description: "The person's newest lead row." }),
    name: z.string().nullable(),
    linkedinUrl: z.string(),
    avatarUrl: z.string().nullable(),
    jobTitle: z.string().nullable(),
    ...companyFields,
    country: z.string().nullable(),
    icp: z.number().int().nullable().meta({ description: 'ICP %; null when the profile asks for nothing.' }),
    icpReasons: z.array(z.string()),
    icpParts: z.array(
      z.object({
        part: z.enum(['title', 'country', 'industry', 'size']),
        outcome: z.enum(['match', 'unknown', 'miss']),
        value: z.string().nullable(),
        matched: z.string().nullable(),
        earned: z.number(),
        weight: z.number(),
      }),
    ),
    signal: agentSignal,
    signalReasons: z.array(z.string()),
    engagementCount: z.number().int(),
    engagements: z.array(engagement),
    engagementType: z.string(),
    commentText: z.string().nullable(),
    source: z.object({ id: uuid, label: z.string(), kind: agentSourceKind, active: z.boolean() }),
    postText: z.string().nullable(),
    postUrl: z.string().nullable(),
    topic: z.string().nullable(),
    posterTopic: z.string().nullable(),
    detectedAt: isoDateTime,
    enriching: z.boolean(),
  })
  .meta({ id: 'AgentLead' })

/** A page of an agent's leads. */
export const agentLeadPage = z
  .object({
    leads: z.array(agentLead),
    checked: z.number().int().meta({ description: 'Everyone captured, which the team pays for.' }),
    enriching: z.number().int().meta({ description: 'People whose facts are still being looked up.' }),
    total: z.number().int(),
    limit: z.number().int(),
    offset: z.number().int(),
    hasMore: z.boolean(),
    agentId: uuid,
    firstRun: z.object({
      done: z.boolean(),
      peopleReady: z.boolean(),
      sourcesDone: z.number().int(),
      sourcesTotal: z.number().int(),
      enriching: z.number().int(),
    }),
    rescoring,
  })
  .meta({ id: 'AgentLeadPage' })
