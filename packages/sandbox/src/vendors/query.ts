import type { FaultRule } from '../traffic.ts'

export class BadQuery extends Error {}

type Query = Readonly<Record<string, string>>

/** The first of these parameters that is given; throws `BadQuery` with `refusal` when none is. */
export function oneOf(query: Query, names: readonly string[], refusal: string): string {
  const given = names.map((name) => query[name]).find((value) => value !== undefined && value !== '')
  if (given === undefined) throw new BadQuery(refusal)
  return given
}

/** Maps a word of the query; undefined when absent, `BadQuery` when unknown. */
export function known<T>(query: Query, name: string, values: Readonly<Record<string, T>>): T | undefined {
  const text = query[name]
  if (text === undefined || text === '') return undefined
  if (!Object.hasOwn(values, text)) throw new BadQuery(`${name} must be one of ${Object.keys(values).join(', ')}`)
  return values[text]
}

/** The entries of comma-separated parameters; empty when none is sent. */
export const listIn = (query: Query, ...names: string[]): string[] =>
  names
    .flatMap((name) => (query[name] ?? '').split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** The network shows at most this many reactions per post, whatever it declares. */
export const REACTION_WALL = 1100

type Window = { readonly offset: number; readonly size: number }

/** One page and whether more is claimed, after paging faults. */
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

/** The declared total; `empty_more` and `endless` claim at least one row beyond the page. */
export function claimedTotal(total: number, { offset, size }: Window, fault: FaultRule | undefined): number {
  return fault?.kind === 'empty_more' || fault?.kind === 'endless' ? Math.max(total, offset + size + 1) : total
}

/** A whole number of at least `least`; `otherwise` when absent, `BadQuery` when invalid. */
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

/** An opaque page token, as vendors return them. */
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
