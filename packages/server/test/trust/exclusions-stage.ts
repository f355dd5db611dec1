/** What tests of exclusions ask again and again. */
import { expect } from 'vitest'
import type { Answer, Team } from '../world/world.ts'

/** An entry as a request names it. */
export type Entry = { readonly kind: string; readonly value: string; readonly reason?: string | null }

/** Adds entries and gives the answer; it must be a 201. */
export async function exclude(team: Team, entries: readonly Entry[], list?: string): Promise<Answer['body']> {
  const answer = await team.post('/exclusions', { entries, ...(list === undefined ? {} : { list }) })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** The id of the one entry of a value. */
export async function entryOf(team: Team, value: string): Promise<string> {
  const { entries } = (await team.get(`/exclusions?query=${encodeURIComponent(value)}`)).body
  return entries.find((entry: { value: string }) => entry.value === value).id
}

/** Which lists of the team's leads have on them, by the handle of the person; null: on none. */
export async function excludedBy(team: Team, path = '/leads?limit=100'): Promise<Record<string, string | null>> {
  const { body } = await team.get(path)
  const rows = (body.leads ?? body.engagers) as { linkedinUrl: string; excluded: { list: string } | null }[]
  return Object.fromEntries(
    rows.map(({ linkedinUrl, excluded }) => [linkedinUrl.split('/in/')[1]!, excluded?.list ?? null]),
  )
}
