import { expect } from 'vitest'
import type { CampaignLead } from '@les/sandbox'
import type { AgentScores } from '../../src/modules/outreach/index.ts'
import type { Answer, Team, World } from '../world/world.ts'

export const noAgents: AgentScores = { score: async () => undefined, passing: async () => [] }

/** A connected team, with its own key and campaign. */
export type Connected = { readonly team: Team; readonly key: string; readonly campaignId: string }

let keys = 0

/** Stores a platform key as the dashboard does. */
export async function storeKey(world: World, team: Team, key: string | null): Promise<void> {
  expect((await world.operator('PUT', `/operator/teams/${team.id}/credentials/outreach`, { key })).status).toBe(200)
}

/** Makes a connected team with a campaign. */
export async function connect(
  world: World,
  campaign: Record<string, unknown> = {},
  settings: Record<string, unknown> = {},
): Promise<Connected> {
  const team = await world.team({ credits: 5_000, ...settings })
  const key = `hr-key-${process.env.VITEST_POOL_ID ?? '0'}-${++keys}-of-a-team`
  await storeKey(world, team, key)
  return { team, key, campaignId: seedCampaign(world, key, campaign) }
}

/** Adds a campaign to a workspace; returns its id as the API writes it. */
export const seedCampaign = (world: World, key: string, campaign: Record<string, unknown> = {}): string =>
  String(world.network.outreach.seedCampaign({ key, ...campaign }).id)

/** The people in a campaign at the platform. */
export const membersOf = (world: World, key: string, campaignId: string): CampaignLead[] =>
  world.network.outreach.campaign(key, Number(campaignId))?.leads ?? []

/** Handles of the people in a campaign at the platform, sorted. */
export const handlesIn = (world: World, key: string, campaignId: string): string[] =>
  membersOf(world, key, campaignId)
    .map((lead) => lead.profileUrl.split('/in/')[1]!)
    .sort()

/** How often people were sent to the platform for a campaign, in total. */
export const timesSent = (world: World, key: string, campaignId: string): number =>
  membersOf(world, key, campaignId).reduce((sum, lead) => sum + lead.times, 0)

/** Checks that exactly these people are in a campaign at the platform, each sent once. */
export function expectSentOnce(
  world: World,
  { key, campaignId }: Pick<Connected, 'key' | 'campaignId'>,
  handles: readonly string[],
): void {
  expect([handlesIn(world, key, campaignId), timesSent(world, key, campaignId)]).toEqual([
    handles.toSorted(),
    handles.length,
  ])
}

/** People given by profile URL, as Discover does. */
export const named = (count: number, prefix: string): { profileUrl: string; name: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    profileUrl: `https://www.linkedin.com/in/${prefix}-${index}`,
    name: `Person ${index}`,
  }))

/** How many people are queued for a rule of a source or an agent. */
export const queuedFor = async (world: World, ownerId: string): Promise<number> =>
  (
    await world.database.pool.query('select count(*)::integer as count from outreach_queue where owner_id = $1', [
      ownerId,
    ])
  ).rows[0].count

/** The platform call that adds people to a campaign. */
export const add = { vendor: 'heyreach', operation: 'AddLeadsToCampaignV2' } as const

/** How many such calls a campaign got. */
export const addsTo = (world: World, campaignId: string): number =>
  world.network.calls({ vendor: 'heyreach', operation: 'AddLeadsToCampaignV2', match: { campaignId } }).length

/** Somebody who engages, with what enrichment finds. */
export type Engager = {
  readonly handle?: string
  readonly name?: string
  readonly title?: string
  readonly country?: string
  readonly company?: string
  readonly comment?: string
}

/** A source with these engagers, enriched by default. */
export type Captured = {
  readonly id: string
  readonly username: string
  readonly handles: readonly string[]
  readonly leadIds: readonly string[]
  readonly postUrl: string
}

/** Seeds people who engage with a post, tracks its author, and does all work. */
export async function capture(
  world: World,
  team: Team,
  engagers: readonly Engager[],
  options: {
    readonly username?: string
    readonly settings?: Record<string, unknown>
    readonly before?: (sourceId: string) => Promise<void>
  } = {},
): Promise<Captured> {
  const username = options.username ?? world.handle('author')
  const handles = engagers.map(({ handle, name, title = 'Engineer', country = 'DE', company }) => {
    const own = handle ?? world.handle('fan')
    world.network.seedPerson({
      handle: own,
      title,
      country,
      ...(name === undefined ? {} : { name }),
      ...(company === undefined ? {} : { company }),
    })
    return own
  })
  const comments = engagers.flatMap(({ comment }, index) =>
    comment === undefined ? [] : [{ person: handles[index]!, text: comment }],
  )
  const reactions = handles
    .filter((_handle, index) => engagers[index]!.comment === undefined)
    .map((person) => ({ person }))
  world.network.seedPost({ author: username, reactions, comments })
  if (options.before) world.network.hold({ operation: 'post-reactions' })
  if (options.before) world.network.hold({ operation: 'post-comments' })
  const answer = await team.post('/enrich/profile', { username, saveTrackedProfile: true, ...options.settings })
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  const { id } = (await team.get('/sources')).body.sources.find(
    (source: { username: string }) => source.username === username,
  )
  if (options.before) {
    await options.before(id)
    world.network.release()
  }
  await world.drain()
  const { leads } = (await team.get(`/leads?profileId=${id}&limit=100&includeSyncing=true`)).body
  return {
    id,
    username,
    handles,
    leadIds: leads.map((lead: { id: string }) => lead.id),
    postUrl: leads[0]?.postUrl ?? '',
  }
}

/** Several engagers with no special facts. */
export const fans = (count: number, about: Engager = {}): Engager[] => Array.from({ length: count }, () => about)

/** The body of an answer that must be 200. */
export async function ok(asked: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await asked
  expect([status, body.error ?? null]).toEqual([200, null])
  return body
}

/** Status and code of a refusal. */
export const refusal = ({ status, body }: Answer): [number, string | undefined] => [status, body.code]

/** Expires every lease, as if all holders had died. */
export async function expireLeases(world: World): Promise<void> {
  for (const table of ['outreach_rule', 'outreach_batch'])
    await world.database.pool.query(`update ${table} set lease_until_ms = 0 where lease_until_ms is not null`)
  await world.database.pool.query('update work_turn set look_ms = 0 where look_ms is not null')
}
