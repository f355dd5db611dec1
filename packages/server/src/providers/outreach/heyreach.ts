/** HeyReach's public API behind the port of outreach platforms (providers, §2). */
import { z } from 'zod'
import { cleanText, cleanTextOrNull } from '../../platform/text.ts'
import { createHeyReachClient, type HeyReachOptions } from './heyreach-client.ts'
import { splitName } from './names.ts'
import {
  type AddCounts,
  type Campaign,
  campaignStatuses,
  type OutreachLead,
  OutreachFailure,
  type OutreachPlatform,
  leadsPerCall,
} from './port.ts'
import { profileKey } from './profiles.ts'

const over: readonly string[] = ['FINISHED', 'CANCELED', 'FAILED']
const pageSize = 100
/** A team with more campaigns than this sees the first ones; a campaign with more leads is not searched to its end. */
const maxPages = 100
const addTimeoutMs = 45_000

const campaignRow = z.looseObject({
  id: z.number().int(),
  name: z.string().nullish(),
  status: z.string(),
  campaignAccountIds: z.array(z.number().int()).nullish(),
})
const rows = z.looseObject({ totalCount: z.number().int(), items: z.array(z.unknown()) })
const counts = z.looseObject({
  addedLeadsCount: z.number().int().min(0),
  updatedLeadsCount: z.number().int().min(0),
  failedLeadsCount: z.number().int().min(0),
})
/** Whom a campaign is looked for in: the answers name it by either key. */
const joined = z.looseObject({ campaignId: z.number().int().nullish(), id: z.number().int().nullish() })
/** So many people are asked for one by one; of more, the whole campaign is read. */
const fewPeople = 50
const lookUpsAtOnce = 4
const member = z.looseObject({ linkedInUserProfile: z.looseObject({ profileUrl: z.string() }) })

const campaignOf = (value: unknown): Campaign | undefined => {
  const row = campaignRow.safeParse(value)
  if (!row.success) return undefined
  // A state nobody has told us of is shown, and takes no leads: it might be over.
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

/** A lead on the wire: custom fields inside it (beside it they are lost), and always both parts of a name. */
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

const unreadable = (operation: string) =>
  new OutreachFailure({
    kind: 'unreadable',
    message: `heyreach ${operation}: the answer has not the promised shape`,
    done: operation === 'AddLeadsToCampaignV2' ? 'maybe' : 'no',
  })

/** Ids are whole numbers there; no other text names a campaign. */
const idOf = (id: string): number | undefined => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined)

/** What the platform counted; leads that it dropped without a word have failed too. */
function countsOf(answer: unknown, size: number): AddCounts {
  const read = counts.safeParse(answer)
  if (!read.success) throw unreadable('AddLeadsToCampaignV2')
  const added = Math.min(read.data.addedLeadsCount, size)
  const updated = Math.min(read.data.updatedLeadsCount, size - added)
  return { added, updated, failed: size - added - updated }
}

/** Makes the adapter. */
export function createHeyReach(options: HeyReachOptions): OutreachPlatform {
  const client = createHeyReachClient(options)
  const pagesOf = async function* (
    key: string,
    operation: string,
    path: string,
    asked: object,
    callOptions: Parameters<typeof client>[2],
  ) {
    for (let page = 0; page < maxPages; page += 1) {
      const offset = page * pageSize
      const read = rows.safeParse(
        await client(
          key,
          { operation, method: 'POST', path, body: { ...asked, offset, limit: pageSize } },
          callOptions,
        ),
      )
      if (!read.success) throw unreadable(operation)
      const more = offset + pageSize < read.data.totalCount && read.data.items.length > 0
      yield { items: read.data.items, more }
      if (!more) return
    }
  }

  /** Who is in a campaign, one look-up a person; undefined when the platform answers a look-up in a way that says nothing. */
  async function eachByItself(
    key: string,
    campaignId: string,
    profileUrls: readonly string[],
    callOptions: Parameters<typeof client>[2],
  ): Promise<ReadonlySet<string> | undefined> {
    const found = new Set<string>()
    const rest = [...profileUrls]
    let says = true
    const worker = async (): Promise<void> => {
      for (let url = rest.shift(); url !== undefined && says; url = rest.shift()) {
        const isIn = await isMember(key, Number(campaignId), url, callOptions)
        if (isIn === undefined) says = false
        else if (isIn) found.add(url)
      }
    }
    await Promise.all(Array.from({ length: Math.min(lookUpsAtOnce, profileUrls.length) }, worker))
    return says ? found : undefined
  }

  async function isMember(
    key: string,
    campaignId: number,
    profileUrl: string,
    callOptions: Parameters<typeof client>[2],
  ): Promise<boolean | undefined> {
    try {
      for await (const { items } of pagesOf(
        key,
        'GetCampaignsForLead',
        '/campaign/GetCampaignsForLead',
        { profileUrl },
        callOptions,
      )) {
        const read = items.map((item) => joined.safeParse(item))
        const ids = read.map(({ data }) => data?.campaignId ?? data?.id ?? undefined)
        if (ids.includes(campaignId)) return true
        // A row that names no campaign may be the one that was asked for.
        if (ids.includes(undefined)) return undefined
      }
      return false
    } catch (error) {
      // An unknown route, a refusal, another shape: nothing that means that somebody is not there.
      if (error instanceof OutreachFailure && ['refused', 'campaign_closed', 'unreadable'].includes(error.kind))
        return undefined
      throw error
    }
  }

  return {
    checkKey: async (key, callOptions) => {
      await client(key, { operation: 'CheckApiKey', method: 'GET', path: '/auth/CheckApiKey' }, callOptions)
    },
    listCampaigns: async (key, callOptions) => {
      const found = new Map<string, Campaign>()
      for await (const { items } of pagesOf(key, 'GetAll', '/campaign/GetAll', {}, callOptions)) {
        for (const campaign of items.map(campaignOf))
          if (campaign && !over.includes(campaign.status)) found.set(campaign.id, campaign)
      }
      return [...found.values()]
    },
    findCampaign: async (key, id, callOptions) => {
      const campaignId = idOf(id)
      if (campaignId === undefined) return undefined
      const answer = await client(
        key,
        { operation: 'GetById', method: 'GET', path: `/campaign/GetById?campaignId=${campaignId}` },
        callOptions,
      ).catch((error: unknown) => {
        // An id it does not know is a bad request there.
        if (error instanceof OutreachFailure && (error.kind === 'refused' || error.kind === 'campaign_closed'))
          return undefined
        throw error
      })
      if (answer === undefined) return undefined
      return campaignOf(answer) ?? Promise.reject(unreadable('GetById'))
    },
    addLeads: async (key, campaignId, leads, callOptions) => {
      if (leads.length === 0 || leads.length > leadsPerCall)
        throw new Error(`addLeads takes 1 to ${leadsPerCall} leads`)
      const body = {
        campaignId: idOf(campaignId),
        accountLeadPairs: leads.map(pairOf),
        resumeFinishedCampaign: false,
        resumePausedCampaign: false,
      }
      const answer = await client(
        key,
        {
          operation: 'AddLeadsToCampaignV2',
          method: 'POST',
          path: '/campaign/AddLeadsToCampaignV2',
          body,
          changes: true,
        },
        { timeoutMs: addTimeoutMs, ...callOptions },
      )
      return countsOf(answer, leads.length)
    },
    findMembers: async (key, campaignId, profileUrls, callOptions) => {
      if (profileUrls.length < fewPeople) {
        const found = await eachByItself(key, campaignId, profileUrls, callOptions)
        if (found !== undefined) return found
      }
      const wanted = new Map(profileUrls.map((url) => [profileKey(url) ?? url, url]))
      const found = new Set<string>()
      let unseen = false
      for await (const { items, more } of pagesOf(
        key,
        'GetLeadsFromCampaign',
        '/campaign/GetLeadsFromCampaign',
        { campaignId: idOf(campaignId) },
        callOptions,
      )) {
        for (const item of items) {
          const row = member.safeParse(item)
          const url = row.success
            ? wanted.get(profileKey(row.data.linkedInUserProfile.profileUrl) ?? row.data.linkedInUserProfile.profileUrl)
            : undefined
          if (url !== undefined) found.add(url)
        }
        unseen = more
        if (found.size === wanted.size) return found
      }
      // Who was not looked for to the end is not known to be missing.
      if (unseen)
        throw new OutreachFailure({
          kind: 'refused',
          message: 'heyreach GetLeadsFromCampaign: the campaign has too many leads to look through',
        })
      return found
    },
  }
}
