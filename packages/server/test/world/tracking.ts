import { expect } from 'vitest'
import { snapshot } from './snapshot.ts'
import type { Answer, Team, World } from './world.ts'

/** The two enrichment routes and the type of source each tracks. */
export const kinds = [
  { route: '/enrich/profile', family: 'profile', type: 'person' },
  { route: '/enrich/company', family: 'company', type: 'company' },
] as const

/** The body of an answer that must be 200. */
export async function ok(asked: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await asked
  expect([status, body.error ?? null]).toEqual([200, null])
  return body
}

/** Tracks a person and returns the answer's body; any status but 200 fails the test. */
export async function track(
  team: Team,
  username: string,
  settings: Record<string, unknown> = {},
  route = '/enrich/profile',
): Promise<Answer['body']> {
  const answer = await team.post(route, { username, saveTrackedProfile: true, ...settings })
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  return answer.body
}

/** A new handle or slug of somebody who has never posted, so that a sync ends at once. */
export function silent(world: World, type: 'person' | 'company' = 'person'): string {
  const handle = world.handle(type)
  if (type === 'person') world.network.seedPerson({ handle, posts: [] })
  else world.network.seedCompany({ slug: handle, posts: [] })
  return handle
}

/** All sources of a team, including untracked ones. */
export const sourcesOf = async (team: Team): Promise<Answer['body'][]> =>
  (await team.get('/sources?includeInactive=true')).body.sources

/** A source as `/sources` shows it. */
export const sourceOf = async (team: Team, username: string): Promise<Answer['body']> =>
  (await sourcesOf(team)).find((source) => source.username === username)

/** The sync status of a tracked person. */
export const syncOf = async (team: Team, username: string): Promise<Answer['body']> =>
  (await team.get(`/profile/${username}/sync`)).body

/** A job's status as a caller polls it. */
export const jobOf = async (team: Team, jobId: string): Promise<Answer['body']> =>
  (await team.get(`/jobs/${jobId}/status`)).body

/** The leads of a source, at most 100. */
export const leadsOf = async (team: Team, username: string): Promise<Answer['body'][]> =>
  (await team.get(`/leads?username=${username}&limit=100`)).body.leads

/** Tables of vendor concurrency, rate and learned limits: they may change on any call. */
const vendorBudgets = ['vendor_slot', 'vendor_minute', 'vendor_limit']

/** Sends a request that must be refused, or several, and checks that nothing changed in the database. */
export async function refusedWithoutTrace<T = Answer>(
  world: World,
  send: () => Promise<T>,
  without: readonly string[] = [],
): Promise<T> {
  const look = () => snapshot(world.database.pool, [...vendorBudgets, ...without])
  const before = await look()
  const answer = await send()
  expect(await look()).toEqual(before)
  return answer
}
