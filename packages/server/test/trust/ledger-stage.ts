/** What the tests of the ledger have in common: its lines, what they come to, and that they come to the balance. */
import { expect } from 'vitest'
import type { Answer, Team } from '../world/world.ts'

/** A line of the ledger as it was answered. */
type Line = Answer['body']

/** Every line that fits, over all pages, newest first. */
export async function linesOf(team: Team, query = '', limit = 100): Promise<Line[]> {
  const lines: Line[] = []
  for (;;) {
    const { status, body, text } = await team.get(`/credits/ledger?limit=${limit}&offset=${lines.length}${query}`)
    expect(status, text).toBe(200)
    lines.push(...body.entries)
    if (!body.hasMore) {
      expect(lines.length).toBe(body.total)
      return lines
    }
  }
}

/** How many of each reason, counting what a line stands for. */
export function tally(lines: readonly Line[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind, reason, count } of lines) counts[`${kind} ${reason}`] = (counts[`${kind} ${reason}`] ?? 0) + count
  return counts
}

/** The sums of a summary by key; in each, what was seen is what was charged and what was free. */
export async function summaryOf(
  team: Team,
  groupBy: 'run' | 'source' | 'day',
  query = '',
): Promise<Record<string, Line>> {
  const { status, body, text } = await team.get(`/credits/ledger/summary?groupBy=${groupBy}&limit=100${query}`)
  expect(status, text).toBe(200)
  for (const row of body.rows)
    expect(row.seen, JSON.stringify(row)).toBe(
      row.charged + Object.values<number>(row.free).reduce((sum, count) => sum + count, 0),
    )
  return Object.fromEntries(body.rows.map((row: Line) => [String(row.key), row]))
}

/** The lines of the ledger come to the balance, and all sums of it to the same. */
export async function expectSums(team: Team): Promise<void> {
  const lines = await linesOf(team)
  expect(lines.reduce((sum, { credits }) => sum + credits, 0)).toBe(await team.balance())
  const charged = lines.filter(({ kind }) => kind === 'charge').length
  const free = lines.filter(({ kind }) => kind === 'free').reduce((sum, { count }) => sum + count, 0)
  for (const groupBy of ['run', 'source', 'day'] as const) {
    const rows = Object.values(await summaryOf(team, groupBy, '&from=2000-01-01'))
    expect([groupBy, sum(rows, 'charged'), sum(rows, 'seen')]).toEqual([groupBy, charged, charged + free])
  }
}

const sum = (rows: readonly Line[], of: string): number => rows.reduce((total, row) => total + row[of], 0)
