import { objectIn, ok, readBody, type Exchange, type Reply } from '../exchange.ts'
import { playCall } from '../serve.ts'
import type { Answering } from '../vendor.ts'
import unchanging from './unchanging.json' with { type: 'json' }
import { profileKey, type Campaign } from './workspace.ts'

/** Part of the vendor's base address. */
export const HEYREACH_BASE = '/heyreach/api/public'

const MAX_BODY = 16 * 1024 * 1024

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type OperationInput = {
  campaigns: Map<number, Campaign>
  body: Record<string, unknown>
  query: Record<string, string>
  now: Date
}

const MAX_PAIRS = 100
const MAX_PAGE = 100

const statsOf = (totalUsers: number, totalUsersInProgress: number) => ({
  totalUsers,
  totalUsersInProgress,
  ...unchanging.stats,
})

const wire = (campaign: Campaign) => ({
  id: campaign.id,
  name: campaign.name,
  creationTime: campaign.createdAt,
  startedAt: campaign.status === 'DRAFT' ? null : campaign.createdAt,
  status: campaign.status,
  linkedInUserListName: `${campaign.name} list`,
  linkedInUserListId: campaign.id * 10,
  campaignAccountIds: campaign.accountIds,
  // The platform itself reports these wrong numbers for a draft.
  progressStats: campaign.status === 'DRAFT' ? statsOf(-1, 0) : statsOf(campaign.leads.size, campaign.leads.size),
  ...unchanging.campaign,
})

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)
const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
const count = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : fallback

function page<T>(items: readonly T[], body: Record<string, unknown>): { totalCount: number; items: T[] } {
  const [offset, limit] = [count(body.offset, 0), count(body.limit, 10)]
  if (limit > MAX_PAGE) throw new Refused(400, 'The limit must not be greater than 100.')
  return { totalCount: items.length, items: items.slice(offset, offset + limit) }
}

function campaignOf({ campaigns }: OperationInput, id: unknown): Campaign {
  const found = campaigns.get(Number(id))
  if (!found) throw new Refused(404, `Campaign with id ${String(id)} was not found.`)
  return found
}

/** Custom fields of a lead. They count only inside it, under the request's name; elsewhere they are silently lost. */
function customFieldsOf(lead: Record<string, unknown>): Record<string, string> {
  const fields = Array.isArray(lead.customUserFields) ? lead.customUserFields.map(record) : []
  for (const { name } of fields)
    if (typeof name !== 'string' || !/^\w+$/.test(name))
      throw new Refused(400, 'Custom field names may contain only letters, digits and underscores.')
  return Object.fromEntries(fields.map(({ name, value }) => [String(name), String(value)]))
}

function addLeads(input: OperationInput): unknown {
  const { body, now } = input
  const campaign = campaignOf(input, body.campaignId)
  const pairs = Array.isArray(body.accountLeadPairs) ? body.accountLeadPairs.map(record) : []
  if (pairs.length > MAX_PAIRS) throw new Refused(400, 'A maximum of 100 leads can be added per request.')
  if (campaign.status === 'DRAFT') throw new Refused(400, 'You cannot add new leads to a draft campaign.')
  if (campaign.status === 'CANCELED' || campaign.status === 'FAILED')
    throw new Refused(400, `You cannot add new leads to a ${campaign.status.toLowerCase()} campaign.`)
  const leads = pairs.map((pair) => ({ lead: record(pair.lead), fields: customFieldsOf(record(pair.lead)) }))
  const counts = { addedLeadsCount: 0, updatedLeadsCount: 0, failedLeadsCount: 0 }
  for (const { lead, fields } of leads) {
    const [profileUrl, firstName, lastName] = [text(lead.profileUrl), text(lead.firstName), text(lead.lastName)]
    // The platform drops leads without a name silently; handles `mute-…` simulate this too.
    if (firstName === null || lastName === null || /\/in\/mute-/i.test(profileUrl ?? '')) continue
    // Handles `ghost-…` do not exist.
    if (profileUrl === null || !/linkedin\.com\/in\/(?!ghost-)[^/?#]+/i.test(profileUrl)) {
      counts.failedLeadsCount += 1
      continue
    }
    const key = profileKey(profileUrl)
    const known = campaign.leads.get(key)
    counts[known ? 'updatedLeadsCount' : 'addedLeadsCount'] += 1
    campaign.leads.set(key, {
      addedAt: now.toISOString(),
      connection: 'None',
      message: 'None',
      lastActionAt: null,
      ...known,
      profileUrl,
      firstName,
      lastName,
      location: text(lead.location),
      summary: text(lead.summary),
      companyName: text(lead.companyName),
      position: text(lead.position),
      emailAddress: text(lead.emailAddress),
      customFields: { ...known?.customFields, ...fields },
      times: (known?.times ?? 0) + 1,
    })
  }
  // Adding leads always restarts a finished campaign.
  if (campaign.status === 'FINISHED' || (campaign.status === 'PAUSED' && body.resumePausedCampaign === true)) {
    campaign.status = 'IN_PROGRESS'
    campaign.restarts += 1
  }
  return counts
}

const OPERATIONS: Readonly<Record<string, { name: string; answer: (input: OperationInput) => unknown }>> = {
  'GET /auth/CheckApiKey': { name: 'CheckApiKey', answer: () => '' },
  'POST /campaign/GetAll': {
    name: 'GetAll',
    answer: ({ campaigns, body }) => {
      const statuses = Array.isArray(body.statuses) ? (body.statuses as unknown[]) : null
      return page(
        [...campaigns.values()].filter(({ status }) => statuses === null || statuses.includes(status)).map(wire),
        body,
      )
    },
  },
  'GET /campaign/GetById': { name: 'GetById', answer: (input) => wire(campaignOf(input, input.query.campaignId)) },
  'POST /campaign/AddLeadsToCampaignV2': { name: 'AddLeadsToCampaignV2', answer: addLeads },
  'POST /campaign/GetLeadsFromCampaign': {
    name: 'GetLeadsFromCampaign',
    answer: (input) => {
      const leads = [...campaignOf(input, input.body.campaignId).leads.values()]
      return page(
        leads.map((lead, index) => ({
          id: index + 1,
          linkedInUserProfileId: String(index + 1),
          linkedInUserProfile: {
            linkedin_id: String(index + 1),
            profileUrl: lead.profileUrl,
            firstName: lead.firstName,
            lastName: lead.lastName,
            headline: lead.summary,
            location: lead.location,
            companyName: lead.companyName,
            position: lead.position,
            emailAddress: lead.emailAddress,
            ...unchanging.profile,
          },
          leadConnectionStatus: lead.connection,
          leadMessageStatus: lead.message,
          lastActionTime: lead.lastActionAt,
          creationTime: lead.addedAt,
          ...unchanging.lead,
        })),
        input.body,
      )
    },
  },
}

const refusal = (status: number, errorMessage: string): Reply => ({ status, body: { errorMessage } })

/** So that faults and holds can match on the body. */
const matchable = (body: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .map(([name, value]) => [name, String(value)]),
  )

/** Answers one call: header `X-API-KEY` names the workspace, errors are `{errorMessage}`. */
export async function serveHeyreach(exchange: Exchange): Promise<void> {
  const { inside, request, path, query } = exchange
  const operation = path.startsWith(HEYREACH_BASE)
    ? OPERATIONS[`${request.method} ${path.slice(HEYREACH_BASE.length)}`]
    : undefined
  const text = await readBody(request, MAX_BODY)
  const body = text === '' ? {} : objectIn(text)
  const key = String(request.headers['x-api-key'] ?? '')
  const refuse = (): Reply | undefined => {
    if (!operation) return { status: 404, body: null, text: '' }
    // Echoes the key, so that tests notice a caller that passes the platform's message on.
    if (inside.outreach.isRejected(key)) return refusal(401, `Invalid API key: ${key}`)
    const errors = { body: ['The JSON value could not be converted.'] }
    return body ? undefined : { status: 400, body: { title: 'One or more validation errors occurred.', errors } }
  }
  const vendor: Answering = {
    name: 'heyreach',
    answer() {
      const campaigns = inside.outreach.workspace(key)
      try {
        const result = operation?.answer({ campaigns, body: body ?? {}, query, now: inside.clock.now() })
        return typeof result === 'string' ? { status: 200, body: null, text: result } : ok(result)
      } catch (error) {
        if (error instanceof Refused) return refusal(error.status, error.message)
        throw error
      }
    },
    failure: refusal,
  }
  await playCall(vendor, exchange, {
    operation: operation?.name ?? path,
    query: { ...query, ...matchable(body ?? {}) },
    refusal: refuse(),
  })
}
