/**
 * Who is already in a HeyReach campaign: a few people are asked for one by one, of more the whole campaign is read. A person is reported
 * missing only when that is certain: people who are sent twice get the same message twice.
 */
import { z } from 'zod'
import { idOf, type ListAsked, type Pages } from './heyreach-client.ts'
import { OutreachFailure } from './port.ts'
import { profileKey } from './profiles.ts'

/** So many people are asked for one by one; of more, the whole campaign is read. */
const fewPeople = 50
const lookUpsAtOnce = 4

/** A campaign that somebody is in: the answers name it by either key. */
const joined = z.looseObject({ campaignId: z.number().int().nullish(), id: z.number().int().nullish() })
const member = z.looseObject({ linkedInUserProfile: z.looseObject({ profileUrl: z.string().trim().min(1) }) })

/** The campaign that is searched, and with whose key. */
type InCampaign = Pick<ListAsked, 'key' | 'options'> & { readonly campaignId: string }

/** Those of the profile addresses that are in the campaign; throws when that cannot be said of all of them. */
export async function findMembers(
  pagesOf: Pages,
  campaign: InCampaign,
  profileUrls: readonly string[],
): Promise<ReadonlySet<string>> {
  if (profileUrls.length < fewPeople) {
    const found = await findEach(pagesOf, campaign, profileUrls)
    if (found !== undefined) return found
  }
  return readCampaign(pagesOf, campaign, profileUrls)
}

/** One look-up a person; undefined when the platform answers a look-up in a way that says nothing. */
async function findEach(
  pagesOf: Pages,
  campaign: InCampaign,
  profileUrls: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const found = new Set<string>()
  const rest = [...profileUrls]
  let says = true
  const worker = async (): Promise<void> => {
    for (let url = rest.shift(); url !== undefined && says; url = rest.shift()) {
      const isIn = await isMember(pagesOf, campaign, url)
      if (isIn === undefined) says = false
      else if (isIn) found.add(url)
    }
  }
  await Promise.all(Array.from({ length: Math.min(lookUpsAtOnce, profileUrls.length) }, worker))
  return says ? found : undefined
}

async function isMember(
  pagesOf: Pages,
  { key, campaignId, options }: InCampaign,
  profileUrl: string,
): Promise<boolean | undefined> {
  const operation = 'GetCampaignsForLead'
  let unseen = false
  try {
    for await (const { items, more } of pagesOf({
      key,
      operation,
      path: `/campaign/${operation}`,
      asked: { profileUrl },
      options,
    })) {
      const read = items.map((item) => joined.safeParse(item))
      const ids = read.map(({ data }) => data?.campaignId ?? data?.id ?? undefined)
      if (ids.includes(Number(campaignId))) return true
      // A row that names no campaign may be the one that was asked for.
      if (ids.includes(undefined)) return undefined
      unseen = more
    }
    return unseen ? undefined : false
  } catch (error) {
    // An unknown route, a refusal, another shape: nothing that means that somebody is not there.
    if (error instanceof OutreachFailure && ['refused', 'campaign_closed', 'unreadable'].includes(error.kind))
      return undefined
    throw error
  }
}

/** Reads the campaign to its end, or until everybody has been found. */
async function readCampaign(
  pagesOf: Pages,
  { key, campaignId, options }: InCampaign,
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
  // A person not searched for to the end, or who may be a row that names nobody, is not known to be missing.
  if (unseen || unnamed)
    throw new OutreachFailure({
      kind: 'refused',
      message: `heyreach ${operation}: the campaign could not be looked through to its end`,
    })
  return found
}
