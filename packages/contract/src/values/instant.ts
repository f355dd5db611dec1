import type { z } from 'zod'
import { refuserOf, readText } from './fields.ts'

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?$/

/** Reads an ISO 8601 date or date-time, in UTC without an offset (CON-26). Null when malformed or no such day exists. */
export function parseInstant(text: string): Date | null {
  // An unencoded + in a query arrives as a space.
  const sent = text.replace(/ (?=\d{2}:\d{2}$)/, '+')
  const match = iso.exec(sent)
  if (!match) return null
  const [, year, month, day] = match.map(Number) as [number, number, number, number]
  // `Date` would read 31 February as a day in March.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return null
  const zoned = sent.length > 10 && !/(?:[Zz]|[+-]\d{2}:\d{2})$/.test(sent) ? `${sent}Z` : sent
  const instant = new Date(zoned)
  // An offset can move the year outside 1..9999, which ISO 8601 cannot write in four digits.
  return instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999 ? instant : null
}

const message = 'must be an ISO 8601 date or date-time, for example 2026-11-01T00:00:00Z'

const openapi = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
}

const readBy = (read: (text: string) => Date | null) => readText(message, read).meta({ openapi })

/** An instant in a request, parsed into a `Date`. A day alone means its first instant in UTC. */
export const instant = readBy(parseInstant)

const oneDay = /^\d{4}-\d{2}-\d{2}$/
const lastOfDayMs = 24 * 60 * 60 * 1_000 - 1

/** The end of a span: a day alone means its last millisecond, so that a span from a day to itself covers that day. */
export const lastInstant = readBy((text) => {
  const parsed = parseInstant(text)
  return parsed && oneDay.test(text) ? new Date(parsed.getTime() + lastOfDayMs) : parsed
})

/** Refuses a span that ends before it begins. */
export function refuseReversed(
  span: { readonly from?: Date | undefined; readonly to?: Date | undefined },
  context: z.RefinementCtx,
): void {
  if (span.from && span.to && span.to < span.from) refuserOf(context)('from', 'must not be after to')
}
