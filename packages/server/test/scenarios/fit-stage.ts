import { expect } from 'vitest'
import type { Answer, Team, World } from '../world/world.ts'
import type { Inbox } from '../world/inbox.ts'

/** A tracked source of a scenario; its webhook, ICP and push are below `path`. */
export type Tracked = {
  readonly id: string
  readonly username: string
  readonly path: string
  readonly author: string | { company: string }
  /** Job titles of the engagers. */
  readonly titles: readonly string[]
}

/** Route families that have criteria. */
export const routes = ['profile', 'company', 'post'] as const

/** A tracked post is reached only through /sources. */
export type Route = (typeof routes)[number]

/** Somebody who engages, with what enrichment will find. */
export type Engager = {
  readonly title: string
  readonly country?: string
  readonly company?: string
  readonly comment?: string
}

/** Seeds a post with these engagers and tracks its author, or the post itself; drains only on request. */
export async function trackWith(
  world: World,
  team: Team,
  engagers: readonly Engager[],
  options: { route?: Route; settings?: Record<string, unknown>; hook?: Record<string, unknown>; drain?: boolean } = {},
): Promise<Tracked> {
  const { route = 'profile', settings = {}, hook, drain = true } = options
  const username = world.handle(route)
  const author = route === 'company' ? { company: username } : username
  const people = engagers.map(({ title, country = 'DE', company }) => {
    const handle = world.handle('engager')
    world.network.seedPerson({ handle, title, country, ...(company === undefined ? {} : { company }) })
    return handle
  })
  const comments = engagers.flatMap(({ comment }, index) =>
    comment === undefined ? [] : [{ person: people[index]!, text: comment }],
  )
  const { id } = world.network.seedPost({
    author,
    reactions: people.filter((_person, index) => engagers[index]!.comment === undefined).map((person) => ({ person })),
    comments,
  })
  if (hook) world.network.hold({ operation: 'post-reactions' })
  if (hook) world.network.hold({ operation: 'post-comments' })
  const answer =
    route === 'post'
      ? await team.post('/post/track', { postUrl: `urn:li:activity:${id}`, ...settings })
      : await team.post(`/enrich/${route}`, { username, saveTrackedProfile: true, ...settings })
  expect([answer.status < 300, answer.body.error]).toEqual([true, undefined])
  const name = route === 'post' ? answer.body.postUrn : username
  const { sources } = (await team.get('/sources')).body
  const source = sources.find((one: { username: string }) => one.username === name)
  const tracked: Tracked = {
    id: source.id,
    username: name,
    path: route === 'post' ? `/sources/${source.id}` : `/${route}/${username}`,
    author,
    titles: engagers.map(({ title }) => title),
  }
  if (hook) {
    expect((await team.put(`${tracked.path}/webhook`, hook)).status).toBe(200)
    world.network.release()
  }
  if (drain) await world.drain()
  return tracked
}

/** The leads of a source, at most 100. */
export const leadsOf = async (team: Team, source: Tracked, query = ''): Promise<any[]> =>
  (await team.get(`/leads?profileId=${source.id}&limit=100${query}`)).body.leads

/** The body of an answer that must be 200. */
export async function ok(asked: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await asked
  expect([status, body.error ?? null]).toEqual([200, null])
  return body
}

/** Ids of the leads an inbox got, sorted. */
export const sentTo = (inbox: Inbox): string[] =>
  inbox.received
    .filter(({ body }) => body.event === 'lead.detected')
    .map(({ body }) => body.lead.id as string)
    .sort()
