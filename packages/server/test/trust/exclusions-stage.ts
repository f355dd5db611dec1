/** Shared helpers for tests of exclusions. */
import { expect } from 'vitest'
import type { Answer, Team } from '../world/world.ts'

/** An entry as a request gives it. */
export type Entry = { readonly kind: string; readonly value: string; readonly reason?: string | null }

/** Adds entries, expecting a 201; returns the answer. */
export async function exclude(team: Team, entries: readonly Entry[], list?: string): Promise<Answer['body']> {
  const answer = await team.post('/exclusions', { entries, ...(list === undefined ? {} : { list }) })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** The id of the entry with a value. */
export async function entryOf(team: Team, value: string): Promise<string> {
  const { entries } = (await team.get(`/exclusions?query=${encodeURIComponent(value)}`)).body
  return entries.find((entry: { value: string }) => entry.value === value).id
}

/** The list that excludes each person of the team's leads, by handle; null when none does. */
export async function excludedBy(team: Team, path = '/leads?limit=100'): Promise<Record<string, string | null>> {
  const { body } = await team.get(path)
  const rows = (body.leads ?? body.engagers) as { linkedinUrl: string; excluded: { list: string } | null }[]
  return Object.fromEntries(
    rows.map(({ linkedinUrl, excluded }) => [linkedinUrl.split('/in/')[1]!, excluded?.list ?? null]),
  )
}
