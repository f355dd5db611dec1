import { expect } from 'vitest'
import { likes, people } from './sync-stage.ts'
import type { Answer, Team, World } from '../world/world.ts'

/** Default settings of these searches: those of the spend contract, and raw, so that nothing is enriched. */
const usual = {
  creditCap: 1_000,
  captureMode: 'depth',
  datePosted: 'PAST_WEEK',
  confirmSpend: true,
  contractVersion: '2026-11-01',
  enrichLeads: false,
} as const

/** Keeps searches from finding posts that no test has seeded. */
export const onlySeeded = (world: World): void => void world.network.seedSearch({ generated: false })

/** A word that no other post contains. */
export const topic = (world: World): string => world.handle('topic').replaceAll('-', '')

/** Tracks a search and returns the answer; any failure fails the test. */
export async function search(team: Team, settings: Record<string, unknown>): Promise<Answer['body']> {
  const answer = await team.post('/keyword/track', { ...usual, ...settings })
  expect(answer.status, answer.text).toBeOneOf([200, 201])
  return answer.body
}

/** A search as `/sources` lists it, tracked or not. */
export const rowOf = async (team: Team, id: string): Promise<Answer['body']> =>
  (await team.get('/sources?type=keyword&includeInactive=true')).body.sources.find(
    (source: { id: string }) => source.id === id,
  )

export const statusOf = async (team: Team, id: string): Promise<Answer['body']> =>
  (await team.get(`/keyword/${id}/sync`)).body

/** Tracks a search, does all due work, and returns its row. */
export async function run(world: World, team: Team, settings: Record<string, unknown>): Promise<Answer['body']> {
  const { id } = await search(team, settings)
  await world.drain()
  return rowOf(team, id)
}

/** Moves a day, to the next run of a search, and returns its row. */
export async function runAgain(world: World, team: Team, id: string): Promise<Answer['body']> {
  await world.advance('24h')
  return rowOf(team, id)
}

/** A search's lead rows, raw or not: who did what with which post. */
export async function rowsOf(
  world: World,
  team: Team,
  id: string,
): Promise<
  { person_urn: string; engagement_type: string; post_urn: string; enrichment: string; source_kind: string }[]
> {
  const { rows } = await world.database.pool.query(
    `select person_urn, engagement_type, post_urn, enrichment, source_kind
     from lead
     where team_id = $1 and source_id = $2
     order by created_at, id`,
    [team.id, id],
  )
  return rows
}

/** A search's decisions about the posts it has seen, including discarded ones. */
export const decidedOf = async (team: Team, id: string): Promise<Answer['body'][]> =>
  (await team.get(`/sources/${id}/kept-posts?include=swept&limit=100`)).body.posts

/** The post-search calls with a given word. */
export const searchCalls = (world: World, word: string) =>
  world.network
    .calls({ vendor: 'harvestapi' })
    .filter((call) => call.operation.includes('search') && JSON.stringify(call.query).includes(word))

/** Stores a key for an AI vendor. */
export const storeKey = async (
  world: World,
  team: Team,
  vendor = 'openai',
  key: string | null = 'team-key',
): Promise<void> => {
  expect((await world.operator('PUT', `/operator/teams/${team.id}/credentials/${vendor}`, { key })).status).toBe(200)
}

/** How many posts each question to an AI vendor contained. */
export const questions = (world: World, vendor = 'openai'): number[] =>
  world.network.calls({ vendor }).map((call) => Number(call.query.posts))

/** Seeds a post about a topic with this many likes. */
export const seedFans = (world: World, word: string, count: number) =>
  world.network.seedPost({
    author: world.handle('author'),
    text: word,
    reactions: likes(people(world, count)),
    comments: [],
  })

/** How many runs a search has had. */
export const runsOf = async (world: World, id: string): Promise<number> =>
  Number((await world.database.pool.query('select count(*) from sync where source_id = $1', [id])).rows[0].count)

/** The URN of a seeded post. */
export const urn = (id: string): string => `urn:li:activity:${id}`

/** The member id of a seeded person. */
export const memberId = (world: World, handle: string): string => world.network.person(handle)!.id
