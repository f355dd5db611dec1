import { expect } from 'vitest'
import type { Answer, Team, World } from '../world/world.ts'

let addresses = 0

/** A new incoming webhook of Slack; `path` is its key at the twin. */
export function slackAddress(mark = ''): { readonly webhookUrl: string; readonly path: string } {
  addresses += 1
  const path = `/services/T0${process.env.VITEST_POOL_ID ?? '0'}/B0${addresses}/token${addresses}${mark}`
  return { webhookUrl: `https://hooks.slack.com${path}`, path }
}

/** Adds a destination, which must be accepted. */
export async function addDestination(team: Team, body: Record<string, unknown>): Promise<Answer['body']> {
  const answer = await team.post('/destinations', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** A Slack channel as a destination, with the messages it has received. */
export async function slackDestination(world: World, team: Team, more: Record<string, unknown> = {}) {
  const { webhookUrl, path } = slackAddress()
  const destination = await addDestination(team, {
    kind: 'slack',
    name: 'Sales channel',
    settings: {},
    credentials: { webhookUrl },
    ...more,
  })
  const messages = () => world.network.twins.slack.view(path).messages
  return {
    destination,
    path,
    webhookUrl,
    messages,
    texts: () =>
      messages()
        .flatMap((message) => message.texts)
        .join('\n'),
  }
}

/** The deliveries of a destination, newest first. */
export const deliveriesOf = async (team: Team, id: string, state?: string): Promise<Answer['body'][]> =>
  (await team.get(`/destinations/${id}/deliveries?limit=100${state === undefined ? '' : `&state=${state}`}`)).body
    .deliveries
