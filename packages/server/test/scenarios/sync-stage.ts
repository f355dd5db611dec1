import { expect } from 'vitest'
import type { FaultPoint } from '../../src/platform/faults.ts'
import type { Answer, Team, World } from '../world/world.ts'

export { fastClock } from '../world/fast-clock.ts'

/** Settings that tracking accepts. */
export type Settings = Record<string, unknown>

/** Unique handles. */
export const people = (world: World, count: number, prefix = 'fan'): string[] =>
  Array.from({ length: count }, () => world.handle(prefix))

/** Reactions of people, likes by default. */
export const likes = (handles: readonly string[]): { person: string }[] => handles.map((person) => ({ person }))

type NewPost = Omit<Parameters<World['network']['seedPost']>[0], 'author'>

/** A team, and an author of one post whom no other test tracks. */
export async function teamAndPost(
  world: World,
  post: NewPost,
  settings?: Parameters<World['team']>[0],
): Promise<{ team: Team; author: string }> {
  const [team, author] = [await world.team(settings), world.handle('author')]
  world.network.seedPost({ author, ...post })
  return { team, author }
}

/** Tracks a person or company and returns the answer, which must be 200. */
export async function track(
  team: Team,
  username: string,
  settings: Settings = {},
  kind: 'profile' | 'company' = 'profile',
): Promise<Answer['body']> {
  const answer = await team.post(`/enrich/${kind}`, { username, saveTrackedProfile: true, ...settings })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** The sync status of a person or company. */
export const statusOf = async (
  team: Team,
  username: string,
  kind: 'profile' | 'company' = 'profile',
): Promise<Answer['body']> => (await team.get(`/${kind}/${username}/sync`)).body

/** All leads of a source, over all pages. */
export async function leadsOf(team: Team, username: string, more = ''): Promise<Answer['body'][]> {
  const all: Answer['body'][] = []
  for (;;) {
    const { body } = await team.get(`/leads?username=${username}&limit=100&offset=${all.length}${more}`)
    all.push(...body.leads)
    if (!body.hasMore) return all
  }
}

/** A source as `GET /sources` lists it, tracked or not. */
export const sourceOf = async (team: Team, username: string): Promise<Answer['body']> =>
  (await team.get('/sources?includeInactive=true')).body.sources.find(
    (source: { username: string }) => source.username === username,
  )

/** Tracks, does all due work, and returns the status. */
export async function sweep(
  world: World,
  team: Team,
  username: string,
  settings: Settings = {},
  kind: 'profile' | 'company' = 'profile',
): Promise<Answer['body']> {
  await track(team, username, settings, kind)
  await world.drain()
  return statusOf(team, username, kind)
}

/** Makes all look-ups of people fail until faults are cleared. */
export function stuckEnrichment(world: World): void {
  for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
}

/** Starts a manual sync, does all due work, and returns the status. */
export async function resweep(world: World, team: Team, username: string): Promise<Answer['body']> {
  const answer = await team.post(`/sources/${(await sourceOf(team, username)).id}/sync`)
  expect([answer.status, answer.body.queued], answer.text).toEqual([200, true])
  await world.drain()
  return statusOf(team, username)
}

/** The instant this many days before the world's time. */
export const daysAgo = async (world: World, days: number): Promise<string> =>
  new Date((await world.now()).getTime() - days * 86_400_000).toISOString()

/** Expires every lease, as if all holders had died: leases use system time, which no test moves. */
export async function expireLeases(world: World): Promise<void> {
  for (const table of ['sync', 'job', 'enrichment_task', 'discover_run', 'planned_send'])
    await world.database.pool.query(`update ${table} set lease_until_ms = 0 where lease_until_ms is not null`)
  await world.database.pool.query('update work_turn set look_ms = 0 where look_ms is not null')
}

/** A worker makes a call, another takes over its lease and makes it too, both are answered; then all work is done. */
export async function overtake(
  world: World,
  held: NonNullable<Parameters<World['network']['untilWaiting']>[1]>,
): Promise<void> {
  world.beginDrain()
  await world.network.untilWaiting(1, held)
  await expireLeases(world)
  world.beginDrain()
  await world.network.untilWaiting(2, held)
  world.network.release()
  await world.drain()
}

/** How often an armed fault point will still fail. */
export const armedTimes = async (world: World, point: FaultPoint): Promise<number> =>
  (await world.database.pool.query('select times from armed_fault where name = $1', [point])).rows[0].times

/** Does due work until the armed point has failed as often as asked; a failed worker's lease expires at once. */
export async function workThrough(world: World, point: FaultPoint, times: number): Promise<void> {
  let left = times
  let status: number | undefined
  while (status !== 200 || left > 0) {
    status = undefined
    void world.operator('POST', '/operator/drain').then((answer) => {
      status = answer.status
    })
    const ended = async (): Promise<boolean> => {
      const now = await armedTimes(world, point)
      if (now < left || status === 500) await expireLeases(world)
      left = now
      return status !== undefined
    }
    await expect.poll(ended, { interval: 10, timeout: 40_000 }).toBe(true)
  }
}
