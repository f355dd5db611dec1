import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'

/** Specification «Credits», G13. */
export const credits = named('Credits', {
  balance: integer.describe('Credits you can spend now: the rest of the allowance plus top-ups.'),
  used: integer.describe('Credits charged in this billing period.'),
  limit: integer.describe('Credits included in the billing period.'),
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
  key: textOrNull.describe('The key in plain text, shown only once.'),
  createdAt: isoDateTime,
})
