/** Shared helpers for tests of results. */
import { expect } from 'vitest'
import { capture, connect, ok, type Captured, type Connected, type Engager } from '../scenarios/outreach-stage.ts'
import type { Answer, Team, World } from '../world/world.ts'

export { capture, connect, ok, type Captured, type Connected, type Engager }

export const urlOf = (handle: string): string => `https://www.linkedin.com/in/${handle}`

/** Records results; returns the counts. */
export const record = (team: Team, ...results: object[]): Promise<Answer['body']> =>
  ok(team.post('/results', { results }))

/** Results by handle, from each person's newest lead. */
export async function resultsOf(team: Team): Promise<Record<string, Answer['body']>> {
  const { leads } = await ok(team.get('/leads?limit=100&includeSyncing=true&includeInactive=true'))
  return Object.fromEntries(
    leads.map((lead: { linkedinUrl: string; results: object }) => [lead.linkedinUrl.split('/in/')[1], lead.results]),
  )
}

/** Posts as the outreach platform does, without an API key. */
export async function post(url: string, body: unknown): Promise<number> {
  const answer = await fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
  await answer.text()
  return answer.status
}

/** A connected team that has sent the people of one source to its campaign. */
export type Sent = Connected & { readonly source: Captured; readonly resultsUrl: string }

/** Builds a `Sent` stage. */
export async function sent(world: World, people: readonly Engager[]): Promise<Sent> {
  const stage = await connect(world)
  const source = await capture(world, stage.team, people)
  const answer = await ok(
    stage.team.post('/integrations/outreach/send', { campaignId: stage.campaignId, leadIds: source.leadIds }),
  )
  expect(answer.sent).toBe(people.length)
  const { resultsUrl } = await ok(stage.team.get('/integrations/outreach'))
  return { ...stage, source, resultsUrl }
}

/** Makes an event happen at the platform; returns the post about it. */
export function happens(
  world: World,
  { key, campaignId }: Connected,
  handle: string,
  event: 'sent' | 'accepted' | 'messaged' | 'replied',
): Record<string, unknown> {
  const body = world.network.outreach.advanceLead(key, Number(campaignId), urlOf(handle), event)
  if (!body) throw new Error(`nobody ${handle} in campaign ${campaignId}`)
  return body as Record<string, unknown>
}
