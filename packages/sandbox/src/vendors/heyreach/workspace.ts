import { z } from 'zod'
import { createCache } from '../../world/cache.ts'
import { looksLikeMemberId } from '../../world/member-id.ts'

export const CAMPAIGN_STATUSES = [
  'DRAFT',
  'IN_PROGRESS',
  'PAUSED',
  'FINISHED',
  'CANCELED',
  'FAILED',
  'STARTING',
  'SCHEDULED',
] as const

/** The key names the workspace; omitted fields have defaults. */
const campaignSeedSchema = z.strictObject({
  key: z.string().min(1),
  id: z.number().int().positive().optional(),
  name: z.string().optional(),
  status: z.enum(CAMPAIGN_STATUSES).optional(),
  /** Sender accounts; one by default. */
  accountIds: z.array(z.number().int()).optional(),
})

export type CampaignSeed = z.input<typeof campaignSeedSchema>
/** A lead as added to a campaign; `times` counts how often it was added. */
export type CampaignLead = {
  profileUrl: string
  firstName: string
  lastName: string
  location: string | null
  summary: string | null
  companyName: string | null
  position: string | null
  emailAddress: string | null
  customFields: Record<string, string>
  addedAt: string
  times: number
  connection: 'None' | 'ConnectionSent' | 'ConnectionAccepted'
  message: 'None' | 'MessageSent' | 'MessageReply'
  lastActionAt: string | null
}

const LEAD_EVENTS = {
  sent: 'connection_request_sent',
  accepted: 'connection_request_accepted',
  messaged: 'message_sent',
  replied: 'message_reply_received',
} as const

export type LeadEvent = keyof typeof LEAD_EVENTS

export const LEAD_EVENT_NAMES = Object.keys(LEAD_EVENTS) as [LeadEvent, ...LeadEvent[]]

/** `restarts` counts how often adding leads restarted the campaign. */
export type Campaign = {
  id: number
  name: string
  status: (typeof CAMPAIGN_STATUSES)[number]
  accountIds: number[]
  createdAt: string
  restarts: number
  leads: Map<string, CampaignLead>
}

type CampaignView = Omit<Campaign, 'leads'> & { leads: CampaignLead[] }

const DEFAULTS: readonly Pick<Campaign, 'id' | 'name' | 'status' | 'accountIds'>[] = [
  { id: 1001, name: 'Post engagers: first hello', status: 'IN_PROGRESS', accountIds: [501, 502] },
  { id: 1002, name: 'Founders, on hold', status: 'PAUSED', accountIds: [501] },
  { id: 1003, name: 'Idea for December', status: 'DRAFT', accountIds: [502] },
  { id: 1004, name: 'Launch week', status: 'SCHEDULED', accountIds: [501] },
  { id: 1005, name: 'Autumn conference', status: 'FINISHED', accountIds: [501] },
  { id: 1006, name: 'Nobody to send it yet', status: 'IN_PROGRESS', accountIds: [] },
]

const FIRST_SEEDED = 20_001
const viewOf = ({ leads, ...campaign }: Campaign): CampaignView => ({
  ...campaign,
  leads: [...leads.values()].map((lead) => ({ ...lead })),
})

/** How the platform identifies a profile: the lower-cased address without scheme, query and trailing slash. */
export function profileKey(profileUrl: string): string {
  const path = profileUrl
    .trim()
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
  // Member ids are case-sensitive.
  return looksLikeMemberId(path.slice(path.lastIndexOf('/') + 1)) ? path : path.toLowerCase()
}

type Happened = { campaign: Campaign; lead: CampaignLead; event: LeadEvent; at: Date; number: number }

const webhookBody = ({ campaign, lead, event, at, number }: Happened) => ({
  event_type: LEAD_EVENTS[event],
  timestamp: at.toISOString(),
  correlation_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  campaign: { id: campaign.id, name: campaign.name },
  sender: { id: campaign.accountIds[0] ?? null, first_name: 'Sam', last_name: 'Sender' },
  lead: {
    id: String(number),
    profile_url: lead.profileUrl,
    first_name: lead.firstName,
    last_name: lead.lastName,
    email_address: lead.emailAddress,
  },
  recent_messages:
    event === 'replied' ? [{ creation_time: at.toISOString(), message: 'Thanks, tell me more.', is_reply: true }] : [],
  conversation_id: `conversation-${campaign.id}-${lead.profileUrl}`,
  is_inmail: false,
})

const begun = (campaign: Omit<Campaign, 'createdAt' | 'restarts' | 'leads'>, at: Date): Campaign => ({
  ...campaign,
  accountIds: [...campaign.accountIds],
  createdAt: at.toISOString(),
  restarts: 0,
  leads: new Map(),
})

/** The outreach platform. Each key is a workspace; every key is accepted unless it is rejected or `bad-key`. */
export function createOutreach(now: () => Date) {
  const workspaces = createCache<string, Map<number, Campaign>>()
  const rejected = new Set<string>()
  let nextId = FIRST_SEEDED
  let nextEvent = 0
  const workspace = (key: string): Map<number, Campaign> =>
    workspaces.get(key, () => new Map(DEFAULTS.map((campaign) => [campaign.id, begun(campaign, now())])))
  return {
    workspace,
    seedCampaign(seed: CampaignSeed): CampaignView {
      const given = campaignSeedSchema.parse(seed)
      const { key, id = nextId, name = `Campaign ${id}`, status = 'IN_PROGRESS', accountIds = [501] } = given
      nextId = Math.max(nextId, id) + 1
      const campaign = begun({ id, name, status, accountIds }, now())
      workspace(key).set(id, campaign)
      return viewOf(campaign)
    },
    campaign(key: string, id: number): CampaignView | undefined {
      const found = workspace(key).get(id)
      return found && viewOf(found)
    },
    campaigns: (key: string): CampaignView[] => [...workspace(key).values()].map(viewOf),
    setStatus(key: string, id: number, status: Campaign['status']): void {
      const found = workspace(key).get(id)
      if (found) found.status = status
    },
    /** Applies an event to a lead and returns the webhook body; undefined when the campaign has no such lead. */
    advanceLead(key: string, id: number, profileUrl: string, event: LeadEvent): object | undefined {
      const campaign = workspace(key).get(id)
      const lead = campaign?.leads.get(profileKey(profileUrl))
      if (!campaign || !lead) return undefined
      if (event === 'sent' && lead.connection === 'None') lead.connection = 'ConnectionSent'
      if (event === 'accepted') lead.connection = 'ConnectionAccepted'
      if (event === 'messaged' && lead.message === 'None') lead.message = 'MessageSent'
      if (event === 'replied') lead.message = 'MessageReply'
      lead.lastActionAt = now().toISOString()
      return webhookBody({ campaign, lead, event, at: now(), number: (nextEvent += 1) })
    },
    removeLead: (key: string, id: number, profileUrl: string): boolean =>
      workspace(key).get(id)?.leads.delete(profileKey(profileUrl)) ?? false,
    /** `reject: false` accepts the key again. */
    rejectKey(key: string, reject = true): void {
      if (reject) rejected.add(key)
      else rejected.delete(key)
    },
    isRejected: (key: string): boolean => key === '' || key === 'bad-key' || rejected.has(key),
    clear(): void {
      workspaces.clear()
      rejected.clear()
    },
  }
}
