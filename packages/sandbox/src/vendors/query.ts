/** What both data vendors do with a query: its parameters, pages of lists, and the tokens of pages. */
import type { FaultRule } from '../traffic.ts'

export class BadQuery extends Error {}

type Query = Readonly<Record<string, string>>

/** The first of these parameters that is given; refuses a call with none of them, in the vendor's words. */
export function oneOf(query: Query, names: readonly string[], refusal: string): string {
  const given = names.map((name) => query[name]).find((value) => value !== undefined && value !== '')
  if (given === undefined) throw new BadQuery(refusal)
  return given
}

/** What a word of the query stands for; undefined when it is not given. Refuses a word that is not known. */
export function known<T>(query: Query, name: string, values: Readonly<Record<string, T>>): T | undefined {
  const text = query[name]
  if (text === undefined || text === '') return undefined
  if (!Object.hasOwn(values, text)) throw new BadQuery(`${name} must be one of ${Object.keys(values).join(', ')}`)
  return values[text]
}

/** Comma lists of the query; empty when no parameter is sent. */
export const listIn = (query: Query, ...names: string[]): string[] =>
  names
    .flatMap((name) => (query[name] ?? '').split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** The network never shows more reactions of one post than this, whatever it declares. */
export const REACTION_WALL = 1100

type Window = { readonly offset: number; readonly size: number }

/** The rows of one page, and whether more are claimed, after the paging faults have had their say. */
export function pageOf<T>(
  rows: readonly T[],
  { offset, size }: Window,
  fault: FaultRule | undefined,
): { rows: T[]; more: boolean } {
  const more = offset + size < rows.length
  if (fault?.kind === 'empty_more') return { rows: [], more: true }
  if (fault?.kind === 'endless') return { rows: rows.slice(0, size), more: true }
  if (fault?.kind === 'short_page') return { rows: rows.slice(offset, offset + Math.min(size, fault.rows ?? 3)), more }
  if (offset > 0 && fault?.kind === 'duplicate_page')
    return { rows: rows.slice(Math.max(0, offset - size), offset), more }
  if (offset > 0 && fault?.kind === 'shift_page') {
    const start = Math.max(0, offset - (fault.rows ?? 7))
    return { rows: rows.slice(start, start + size), more }
  }
  return { rows: rows.slice(offset, offset + size), more }
}

/** The total to declare: with `empty_more` and `endless` at least one row more than the page reaches. */
export function claimedTotal(total: number, { offset, size }: Window, fault: FaultRule | undefined): number {
  return fault?.kind === 'empty_more' || fault?.kind === 'endless' ? Math.max(total, offset + size + 1) : total
}

/** A whole number of the query that is at least `least`, or `otherwise` when it is not given; refuses anything else. */
export function numberIn(
  query: Query,
  name: string,
  { otherwise = 0, least = 0 }: { otherwise?: number; least?: number } = {},
): number {
  const text = query[name]
  if (text === undefined || text === '') return otherwise
  if (!/^\d{1,7}$/.test(text) || Number(text) < least)
    throw new BadQuery(`${name} must be a whole number from ${least}`)
  return Number(text)
}

/** An opaque position in a list, as vendors hand them out. */
export function tokenFor(scope: string, offset: number): string {
  return Buffer.from(`${scope}|${offset}`, 'utf8').toString('base64url')
}

/** The position in a token; refuses a token of another list. */
export function readToken(token: string, scope: string): number {
  const [owner, offset] = Buffer.from(token, 'base64url').toString('utf8').split('|')
  if (owner !== scope || !/^\d+$/.test(offset ?? ''))
    throw new BadQuery('the pagination token does not belong to this list')
  return Number(offset)
}
