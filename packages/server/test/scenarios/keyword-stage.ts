import { expect } from 'vitest'
import { sourcesOf } from '../world/tracking.ts'
import type { Answer, Team, World } from '../world/world.ts'

/** The scope and the confirmation that the spend contract requires. */
export const scope = { creditCap: 100, captureMode: 'depth', datePosted: 'PAST_WEEK', confirmSpend: true } as const

/** The default settings of a search. */
export const defaults = {
  name: null,
  captureReplies: true,
  enrichLeads: true,
  sort: 'DATE_POSTED',
  datePosted: 'PAST_WEEK',
  contentType: null,
  authorIndustry: [],
  authorCompany: [],
  authorKeyword: [],
  fromPerson: [],
  fromCompany: [],
  mentionsPerson: [],
  mentionsCompany: [],
  aiProvider: null,
  aiModel: null,
  aiPrompt: null,
  creditCap: 100,
  mode: 'engagers',
  postsPerSync: null,
  captureEngagers: true,
  capturePostAuthors: false,
  captureMode: 'depth',
  maxEngagementsPerPost: null,
  runOnce: false,
  endAt: null,
  maxRuns: null,
}

/** The settings in an answer about a search, as `previous` and `settings` show them. */
export const settingsIn = (answer: Answer['body']): Record<string, unknown> =>
  Object.fromEntries(Object.keys(defaults).map((name) => [name, answer[name]]))

/** Sends a track request, with scope and confirmation by default. */
export const send = (team: Team, body: Record<string, unknown>): Promise<Answer> =>
  team.post('/keyword/track', { ...scope, ...body })

/** Tracks a search and returns the answer; any failure fails the test. */
export async function search(team: Team, body: Record<string, unknown>): Promise<Answer['body']> {
  const answer = await send(team, body)
  expect([answer.status < 300, answer.body.error]).toEqual([true, undefined])
  return answer.body
}

/** Requests an estimate. */
export const estimate = (team: Team, body: Record<string, unknown>): Promise<Answer> =>
  team.post('/keyword/estimate', body)

export const edit = (team: Team, id: string, body: Record<string, unknown>): Promise<Answer> =>
  team.call('PATCH', `/keyword/${id}`, body)

/** A search as `/sources` shows it. */
export const searchRow = async (team: Team, id: string): Promise<Answer['body']> =>
  (await sourcesOf(team)).find((source) => source.id === id)

/** A word that nobody else uses, and that no seeded post contains. */
export const word = (world: World): string => world.handle('term')

/** A refusal without its message and request id. */
export const refused = ({
  status,
  body: { error: _error, requestId: _id, ...rest },
}: Answer): [number, Record<string, unknown>] => [status, rest]
