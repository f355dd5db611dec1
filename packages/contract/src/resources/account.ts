import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'

/** Specification «Credits», G13. */
export const credits = named('Credits', {
  balance: integer.describe('Spendable now: what remains of the allowance, and top-ups.'),
  used: integer.describe('Charged in this billing period.'),
  limit: integer.describe("The period's allowance."),
  remaining: integer.describe('max(0, limit - used).'),
  plan: z.string(),
  nextReset: isoDateTime,
})

/** Charges between two instants; the days and the sources each sum to `total` (G15). */
export const creditUsage = named('CreditUsage', {
  from: isoDateTime,
  to: isoDateTime,
  total: integer,
  byDate: z.array(z.object({ date: z.iso.date(), credits: integer })),
  bySource: z.array(
    z.object({
      sourceId: uuid.nullable(),
      type: z.enum(['person', 'company', 'post', 'keyword', 'discover', 'posts_read', 'enrichment', 'agent_trial']),
      label: textOrNull,
      credits: integer,
    }),
  ),
})

/** An API key without its plaintext (G107). */
export const maskedKey = named('ApiKey', {
  id: uuid,
  name: z.string(),
  maskedKey: z.string(),
  createdAt: isoDateTime,
  lastUsedAt: isoDateTime.nullable(),
})

/** `key` is null when the answer is an idempotent replay. */
export const createdKey = z.object({
  id: uuid,
  name: z.string(),
  key: textOrNull.describe('The plaintext, shown this once.'),
  createdAt: isoDateTime,
})
