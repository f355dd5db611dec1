/** Instants as ISO 8601 (CON-26). */
import { z } from 'zod'

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?$/

/** Reads an ISO 8601 date or date-time; one without an offset is UTC. Null when it is not one or no such day exists. */
export function parseInstant(text: string): Date | null {
  // A + that a query does not encode arrives as a space; before an offset nothing else can be meant.
  const sent = text.replace(/ (?=\d{2}:\d{2}$)/, '+')
  const match = iso.exec(sent)
  if (!match) return null
  const [, year, month, day] = match.map(Number) as [number, number, number, number]
  // A day that its month does not have would be read as one of the next.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return null
  const zoned = sent.length > 10 && !/(?:[Zz]|[+-]\d{2}:\d{2})$/.test(sent) ? `${sent}Z` : sent
  const instant = new Date(zoned)
  // An offset can move it out of the years that ISO 8601 writes in four digits; it could not be written back.
  return instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999 ? instant : null
}

const message = 'must be an ISO 8601 date or date-time, for example 2026-11-01T00:00:00Z'

const openapi = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
}

/** What reads an instant by one of these. */
const readBy = (read: (text: string) => Date | null) =>
  z
    .string({ error: message })
    .transform((text, context) => {
      const parsed = read(text)
      if (parsed) return parsed
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ openapi })

/** An instant in a request; arrives in handlers as a Date. A day alone is its first instant, in UTC. */
export const instant = readBy(parseInstant)

const oneDay = /^\d{4}-\d{2}-\d{2}$/
const lastOfDayMs = 24 * 60 * 60 * 1_000 - 1

/** The end of a span in a request: a day alone is its last millisecond, so that a span from a day to itself is that day. */
export const lastInstant = readBy((text) => {
  const parsed = parseInstant(text)
  return parsed && oneDay.test(text) ? new Date(parsed.getTime() + lastOfDayMs) : parsed
})
