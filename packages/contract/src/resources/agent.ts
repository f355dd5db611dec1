/** The Engagement Agent and its leads (specification «Engagement Agent», «Agent lead»; G97, G99). */
import { z } from 'zod'
import { companySizes, filterRow, integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { pageFields } from './common.ts'
import { companyFields, exclusionFields } from './lead.ts'
import { leadResults } from './result.ts'

const agentPlan = named('AgentPlan', {
  perTopic: integer.describe('Credits per day for each topic search.'),
  people: integer.describe('Maximum number of people watched, at 25 credits per sync each.'),
  total: integer.describe('Maximum credits per day.'),
})

const agentStatus = z.enum(['draft', 'active'])

const agentOutreach = z.looseObject({
  campaignId: z.string(),
  autoSend: z.boolean(),
  filters: z.array(filterRow),
})

/** Progress of judging the agent's people again, after its profile or sources changed. */
const rescoring = z
  .object({
    judged: integer.describe('People judged by the new profile and sources so far.'),
    people: integer.describe('People captured by the sources.'),
  })
  .optional()
  .describe(
    'Present only while people are judged again in the background. Lists and sends already use the new profile.',
  )

export const agent = named('Agent', {
  id: uuid,
  status: agentStatus,
  website: textOrNull.describe('A bare domain.'),
  profile: z.object({
    summary: z.string(),
    titles: z.array(z.string()),
    industries: z.array(z.string()),
    companySizes: z.array(z.enum(companySizes)),
    countries: z.array(z.string()),
    topics: z.array(z.string()),
    competitors: z.array(z.object({ name: z.string(), domain: z.string().optional() })),
  }),
  dailyCredits: integer.nullable().describe('Daily limit; null on a free trial.'),
  plan: agentPlan.nullable().describe('Null until the first start.'),
  launchedAt: isoDateTime.nullable(),
  discoverRun: uuid.nullable().describe('The one-off people search started by the last start.'),
  peopleAdded: z.boolean().describe('True once the people found by that search are watched.'),
  sources: z.array(
    z.object({ id: uuid, type: z.enum(['person', 'company', 'keyword']), label: z.string(), active: z.boolean() }),
  ),
  webhook: z
    .object({
      url: z.string(),
      autoSend: z.boolean(),
      filters: z.array(filterRow),
      since: isoDateTime.describe('When the URL was set; leads captured before are sent only by push.'),
    })
    .nullable(),
  outreach: agentOutreach.nullable(),
  trial: z
    .object({
      checkedLimit: integer,
      checked: integer,
      watchLimit: integer,
      watched: integer,
      endsAt: isoDateTime.nullable(),
    })
    .nullable()
    .describe('Null on paid plans.'),
  rescoring,
})

export const agentInList = z.object({ id: uuid, website: textOrNull, status: agentStatus })

const refusedPart = z.object({
  part: z.string().describe('The topic, or people_search.'),
  error: z.string(),
  code: textOrNull,
  status: integer,
})

export const notStopped = z.object({ id: uuid, label: z.string(), error: z.string() })

export const agentLaunch = named('AgentLaunch', {
  plan: agentPlan,
  dailyCredits: integer.nullable(),
  created: integer.describe('Topic searches created.'),
  reused: integer.describe('Existing active topic searches, reused unchanged.'),
  discoverRun: uuid.nullable(),
  stopped: integer,
  notStopped: z.array(notStopped),
  failed: z.array(refusedPart),
})

export const agentSignal = z.enum(['extra_strong', 'strong', 'medium', 'weak'])

const agentSourceKind = z.enum(['keyword', 'profile', 'company', 'post'])

const engagement = z.object({
  engagementType: z.string().describe('Comment, Reply, or the name of the reaction.'),
  commentText: textOrNull,
  sourceId: uuid,
  sourceLabel: z.string(),
  sourceKind: agentSourceKind,
  postUrl: textOrNull,
  topic: textOrNull.describe('The topic of the post.'),
  posterTopic: textOrNull.describe("The topic that the post's author is associated with."),
  detectedAt: isoDateTime,
  signalPoints: integer.describe('Strong 3, medium 2, weak 1.'),
  signalReasons: z.array(z.string()),
})

const agentLead = named('AgentLead', {
  id: uuid.describe("The person's newest lead row."),
  name: textOrNull,
  linkedinUrl: z.string(),
  avatarUrl: textOrNull,
  jobTitle: textOrNull,
  ...companyFields,
  country: textOrNull,
  icp: integer.nullable().describe('ICP %; null when the profile sets no criteria.'),
  icpReasons: z.array(z.string()),
  icpParts: z.array(
    z.object({
      part: z.enum(['title', 'country', 'industry', 'size']),
      outcome: z.enum(['match', 'unknown', 'miss']),
      value: textOrNull,
      matched: textOrNull,
      earned: z.number(),
      weight: z.number(),
    }),
  ),
  signal: agentSignal,
  signalReasons: z.array(z.string()),
  engagementCount: integer,
  engagements: z.array(engagement),
  engagementType: z.string(),
  commentText: textOrNull,
  source: z.object({ id: uuid, label: z.string(), kind: agentSourceKind, active: z.boolean() }),
  postText: textOrNull,
  postUrl: textOrNull,
  topic: textOrNull,
  posterTopic: textOrNull,
  detectedAt: isoDateTime,
  enriching: z.boolean(),
  ...exclusionFields,
  results: leadResults,
})

export const agentLeadPage = named('AgentLeadPage', {
  leads: z.array(agentLead),
  checked: integer.describe('All captured people, which the team pays for.'),
  enriching: integer.describe('People whose details are still being looked up.'),
  ...pageFields,
  agentId: uuid,
  firstRun: z.object({
    done: z.boolean(),
    peopleReady: z.boolean(),
    sourcesDone: integer,
    sourcesTotal: integer,
    enriching: integer,
  }),
  rescoring,
})
