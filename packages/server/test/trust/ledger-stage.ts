/** Shared helpers for tests of the ledger. */
import { expect } from 'vitest'
import type { Answer, Team } from '../world/world.ts'

type Line = Answer['body']

/** All matching lines over all pages, newest first. */
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

/** Counts per kind and reason; a line counts for all it stands for. */
export function tally(lines: readonly Line[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind, reason, count } of lines) counts[`${kind} ${reason}`] = (counts[`${kind} ${reason}`] ?? 0) + count
  return counts
}

/** The rows of a summary by key; checks that seen is charged plus free. */
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

/** Expects the ledger's lines, and every summary, to add up to the balance. */
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
