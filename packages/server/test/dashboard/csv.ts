import { expect } from 'vitest'
import type { MemberBrowser } from './stage.ts'

/** Parses CSV as in RFC 4180, into rows by column; anything else fails the test. */
export function readCsv(text: string): Record<string, string>[] {
  const lines: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  let end = 0
  for (let match = cells.exec(text); match; match = cells.exec(text)) {
    end = cells.lastIndex
    lines.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2]!)
    if (match[3] === '\r\n') lines.push([])
  }
  expect(end).toBe(text.length)
  const [head, ...rows] = lines.slice(0, -1)
  return rows.map((row) => {
    expect(row).toHaveLength(head!.length)
    return Object.fromEntries(row.map((cell, at) => [head![at]!, cell]))
  })
}

/** The rows of an export. */
export async function exported(browser: MemberBrowser, query = ''): Promise<Record<string, string>[]> {
  const answer = await browser.get(`/leads/export${query}`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
  return readCsv(answer.text)
}
