import type { Answer, Team, World } from '../world/world.ts'
import { ok } from './fit-stage.ts'

export { ok }

/** Words that only the posts seeded with them contain. */
export const topicsOf = (world: World, count: number): string[] =>
  Array.from({ length: count }, () => world.handle('topic').replaceAll('-', 'x'))

/** Somebody who engages with a post, with what enrichment finds. */
export type Engager = {
  readonly handle?: string
  readonly title?: string
  readonly country?: string | null
  readonly company?: string | null
  readonly comment?: string
  readonly reaction?: string
  /** Below the first comment of the post. */
  readonly reply?: string
}

/** Seeds people; returns their handles. */
export function seedEngagers(world: World, engagers: readonly Engager[]): string[] {
  return engagers.map(({ handle, title = 'CMO', country = 'DE', company }) => {
    const own = handle ?? world.handle('fan')
    if (handle === undefined)
      world.network.seedPerson({ handle: own, title, country, ...(company === undefined ? {} : { company }) })
    return own
  })
}

/** Seeds a post that a search for its words finds, with these engagers; returns their handles in the same order. */
export function seedTopicPost(
  world: World,
  text: string,
  engagers: readonly Engager[],
  author: string | { readonly company: string } = world.handle('writer'),
): string[] {
  const handles = seedEngagers(world, engagers)
  const replies = engagers.flatMap(({ reply }, at) =>
    reply === undefined ? [] : [{ person: handles[at]!, text: reply }],
  )
  const comments = engagers
    .flatMap(({ comment }, at) => (comment === undefined ? [] : [{ person: handles[at]!, text: comment }]))
    .map((comment, at) => (at === 0 ? { ...comment, replies } : comment))
  const reactions = engagers.flatMap(({ comment, reaction, reply }, at) =>
    comment === undefined && reply === undefined
      ? [{ person: handles[at]!, ...(reaction === undefined ? {} : { type: reaction as 'LIKE' }) }]
      : [],
  )
  world.network.seedSearch({ posts: [{ author, text, reactions, comments }], generated: false })
  return handles
}

/** Changes an agent; the first change creates it. */
export const put = (team: Team, change: Record<string, unknown>): Promise<Answer['body']> =>
  ok(team.put('/agent', change))

/** Starts the agent, with confirmation by default. */
export const start = (team: Team, request: Record<string, unknown> = {}): Promise<Answer> =>
  team.post('/agent/start', { confirmSpend: true, ...request })

export const agentOf = async (team: Team, agentId?: string): Promise<Answer['body']> =>
  (await ok(team.get(`/agent${agentId === undefined ? '' : `?agentId=${agentId}`}`))).agent

/** An agent with its own topics, started and worked off. */
export async function running(
  world: World,
  team: Team,
  change: Record<string, unknown> = {},
): Promise<{ agent: Answer['body']; topics: string[] }> {
  const topics = (change.topics as string[] | undefined) ?? topicsOf(world, 1)
  await put(team, { dailyCredits: 100, ...change, topics })
  await ok(start(team))
  await world.drain()
  return { agent: await agentOf(team), topics }
}

/** All leads of the agent, the best first. */
export const leadsOf = async (team: Team, query = ''): Promise<Answer['body'][]> =>
  (await ok(team.get(`/agent/leads?limit=200${query}`))).leads

/** Filter rows as a query. */
export const filtered = (rows: readonly object[]): string => `&filters=${encodeURIComponent(JSON.stringify(rows))}`

/** The handle in a profile URL. */
export const handleIn = (url: string): string => url.split('/in/')[1]!

/** Sources of one type, including untracked ones. */
export const sourcesOf = async (team: Team, type: 'keyword' | 'person'): Promise<Answer['body'][]> =>
  (await ok(team.get(`/sources?includeInactive=true&type=${type}`))).sources

/** The labels of an agent's sources, optionally of one type. */
export const labelsOf = (agent: Answer['body'], type?: 'keyword' | 'person'): string[] =>
  agent.sources
    .filter((source: { type: string }) => type === undefined || source.type === type)
    .map((source: { label: string }) => source.label)

/** The webhook states of a team's leads, sorted. */
export const webhookStatesOf = async (team: Team): Promise<string[]> =>
  (await ok(team.get('/leads?limit=100'))).leads.map((lead: { webhookStatus: string }) => lead.webhookStatus).sort()

/** How many leads an inbox got. */
export const leadsSent = (inbox: { received: readonly { body: { event: string } }[] }): number =>
  inbox.received.filter(({ body }) => body.event === 'lead.detected').length

/** Tracks the team's own search, with a cap that no agent uses. */
export const trackOwn = (team: Team, keyword: string, settings: Record<string, unknown> = {}): Promise<Answer> =>
  team.post('/keyword/track', {
    keywords: [keyword],
    creditCap: 7,
    captureMode: 'depth',
    datePosted: 'PAST_MONTH',
    confirmSpend: true,
    contractVersion: '2026-11-01',
    ...settings,
  })
