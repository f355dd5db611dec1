import { z } from 'zod'
import { cleanText, cleanTextOrNull } from '../../platform/text.ts'
import type { CallOptions } from '../ports.ts'
import {
  createHeyReachClient,
  type HeyReachClient,
  type HeyReachOptions,
  idOf,
  type ListAsked,
  openPages,
  type Pages,
  unreadable,
} from './heyreach-client.ts'
import { readProgress } from './heyreach-progress.ts'
import {
  type AddCounts,
  type Campaign,
  campaignStatuses,
  type OutreachLead,
  OutreachFailure,
  type OutreachPlatform,
  leadsPerCall,
} from './port.ts'
import { profileKey, splitName } from './profiles.ts'

const over: readonly string[] = ['FINISHED', 'CANCELED', 'FAILED']
const addTimeoutMs = 45_000

const campaignRow = z.looseObject({
  id: z.number().int(),
  name: z.string().nullish(),
  status: z.string(),
  campaignAccountIds: z.array(z.number().int()).nullish(),
})
const counts = z.looseObject({
  addedLeadsCount: z.number().int().min(0),
  updatedLeadsCount: z.number().int().min(0),
  failedLeadsCount: z.number().int().min(0),
})

const campaignOf = (value: unknown): Campaign | undefined => {
  const row = campaignRow.safeParse(value)
  if (!row.success) return undefined
  // An unknown status is shown but takes no leads, because the campaign might be over.
  const status = campaignStatuses.find((known) => known === row.data.status) ?? 'UNKNOWN'
  return {
    id: String(row.data.id),
    name: cleanTextOrNull(row.data.name, 300) ?? `Campaign ${row.data.id}`,
    status,
    accountIds: row.data.campaignAccountIds ?? [],
  }
}

const present = (fields: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** A lead on the wire: custom fields must be inside `lead` (beside it they are lost), and both parts of a name are required. */
const pairOf = (lead: OutreachLead) => ({
  lead: {
    profileUrl: lead.profileUrl,
    ...splitName(lead.name === null ? null : cleanTextOrNull(lead.name, 200), lead.profileUrl),
    ...present({
      location: lead.country,
      summary: lead.headline,
      companyName: lead.company,
      position: lead.jobTitle,
      emailAddress: lead.email,
    }),
    customUserFields: Object.entries(lead.customFields).map(([name, value]) => ({
      name,
      value: cleanText(value, 5_000),
    })),
  },
})

/** The counts; leads the platform dropped silently count as failed. */
function countsOf(answer: unknown, size: number): AddCounts {
  const read = counts.safeParse(answer)
  if (!read.success) throw unreadable('AddLeadsToCampaignV2')
  const added = Math.min(read.data.addedLeadsCount, size)
  const updated = Math.min(read.data.updatedLeadsCount, size - added)
  return { added, updated, failed: size - added - updated }
}

/** HeyReach's public API as an `OutreachPlatform`. */
export function createHeyReach(options: HeyReachOptions): OutreachPlatform {
  const client = createHeyReachClient(options)
  const pagesOf = openPages(client)
  return {
    checkKey: async (key, callOptions) => {
      await client(key, { operation: 'CheckApiKey', method: 'GET', path: '/auth/CheckApiKey' }, callOptions)
    },
    listCampaigns: async (key, callOptions) => {
      const found = new Map<string, Campaign>()
      const list = { key, operation: 'GetAll', path: '/campaign/GetAll', asked: {}, options: callOptions }
      for await (const { items } of pagesOf(list))
        for (const campaign of items.map(campaignOf))
          if (campaign && !over.includes(campaign.status)) found.set(campaign.id, campaign)
      return [...found.values()]
    },
    findCampaign: (key, id, callOptions) => findCampaign(client, key, id, callOptions),
    addLeads: (key, campaignId, leads, callOptions) => addLeads(client, key, campaignId, leads, callOptions),
    findMembers: (key, campaignId, profileUrls, callOptions) =>
      findMembers(pagesOf, { key, campaignId, options: callOptions }, profileUrls),
    readProgress: (key, campaignId, offset, callOptions) => readProgress(client, key, campaignId, offset, callOptions),
  }
}

async function findCampaign(
  client: HeyReachClient,
  key: string,
  id: string,
  options: CallOptions | undefined,
): Promise<Campaign | undefined> {
  const campaignId = idOf(id)
  if (campaignId === undefined) return undefined
  const asked = { operation: 'GetById', method: 'GET', path: `/campaign/GetById?campaignId=${campaignId}` } as const
  const answer = await client(key, asked, options).catch((error: unknown) => {
    // HeyReach answers an unknown id with a bad request.
    if (error instanceof OutreachFailure && (error.kind === 'refused' || error.kind === 'campaign_closed'))
      return undefined
    throw error
  })
  if (answer === undefined) return undefined
  return campaignOf(answer) ?? Promise.reject(unreadable('GetById'))
}

async function addLeads(
  client: HeyReachClient,
  key: string,
  campaignId: string,
  leads: readonly OutreachLead[],
  options: CallOptions | undefined,
): Promise<AddCounts> {
  if (leads.length === 0 || leads.length > leadsPerCall) throw new Error(`addLeads takes 1 to ${leadsPerCall} leads`)
  const operation = 'AddLeadsToCampaignV2'
  const body = {
    campaignId: idOf(campaignId),
    accountLeadPairs: leads.map(pairOf),
    resumeFinishedCampaign: false,
    resumePausedCampaign: false,
  }
  const answer = await client(
    key,
    { operation, method: 'POST', path: `/campaign/${operation}`, body, changes: true },
    { timeoutMs: addTimeoutMs, ...options },
  )
  return countsOf(answer, leads.length)
}

const member = z.looseObject({ linkedInUserProfile: z.looseObject({ profileUrl: z.string().trim().min(1) }) })

/** Reports nobody as missing unless that is certain: people sent twice get the same message twice. */
async function findMembers(
  pagesOf: Pages,
  { key, campaignId, options }: Pick<ListAsked, 'key' | 'options'> & { readonly campaignId: string },
  profileUrls: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = new Map(profileUrls.map((url) => [profileKey(url) ?? url, url]))
  const found = new Set<string>()
  const operation = 'GetLeadsFromCampaign'
  const asked = { campaignId: idOf(campaignId) }
  let unseen = false
  let unnamed = false
  for await (const { items, more } of pagesOf({ key, operation, path: `/campaign/${operation}`, asked, options })) {
    for (const item of items) {
      const row = member.safeParse(item)
      if (!row.success) {
        unnamed = true
        continue
      }
      const { profileUrl } = row.data.linkedInUserProfile
      const url = wanted.get(profileKey(profileUrl) ?? profileUrl)
      if (url !== undefined) found.add(url)
    }
    unseen = more
    if (found.size === wanted.size) return found
  }
  // With unread pages or rows without a name, somebody not found may still be in the campaign.
  if (unseen || unnamed)
    throw new OutreachFailure({
      kind: 'refused',
      message: `heyreach ${operation}: the campaign could not be looked through to its end`,
    })
  return found
}
