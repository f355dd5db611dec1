/** Pages of lists that grow at their head: the next page begins after the last row shown, whatever was added since. */
import { isUuid } from '@les/contract'
import { refuse } from './refusal.ts'

/** A row's position: its instant, then its id. */
export type Position = { readonly at: Date; readonly id: string }

/** Encodes a position as an opaque cursor. */
export function writeCursor({ at, id }: Position): string {
  return Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url')
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

function positionIn(text: string): Position | null {
  try {
    const [at, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (typeof at !== 'string' || typeof id !== 'string' || !instant.test(at) || !isUuid(id)) return null
    return Number.isNaN(Date.parse(at)) ? null : { at: new Date(at), id }
  } catch {
    return null
  }
}

/** Decodes a cursor; null for the first page; refuses anything else with `invalid_request`. */
export function readCursor(text: string | undefined): Position | null {
  if (text === undefined) return null
  return positionIn(text) ?? refuse('invalid_request', {}, '`cursor` must be the nextCursor of a page')
}

/** A page from up to `limit + 1` rows; `nextCursor` is null on the last. */
export function pageOf<R>(
  rows: readonly R[],
  limit: number,
  placeOf: (row: R) => Position,
): { readonly rows: readonly R[]; readonly nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  return { rows: shown, nextCursor: rows.length > limit ? writeCursor(placeOf(shown.at(-1)!)) : null }
}
