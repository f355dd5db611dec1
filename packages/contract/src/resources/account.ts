import { z } from 'zod'
import { integer, isoDateTime, textOrNull, uuid } from '../values/index.ts'

/** The team's balance (specification «Credits», G13). */
export const credits = z
  .object({
    balance: integer.describe('Spendable now: what remains of the allowance, and top-ups.'),
    used: integer.describe('Charged in this billing period.'),
    limit: integer.describe("The period's allowance."),
    remaining: integer.describe('max(0, limit - used).'),
    plan: z.string(),
    nextReset: isoDateTime,
  })
  .meta({ id: 'Credits' })

/** What was charged between two instants, by day and by source; both sum to `total` (G15). */
export const creditUsage = z
  .object({
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
  .meta({ id: 'CreditUsage' })

/** An API key as lists show it: never its plaintext (G107). */
export const maskedKey = z
  .object({
    id: uuid,
    name: z.string(),
    maskedKey: z.string(),
    createdAt: isoDateTime,
    lastUsedAt: isoDateTime.nullable(),
  })
  .meta({ id: 'ApiKey' })

/** A key just made; `key` is null when an earlier answer is replayed. */
export const createdKey = z.object({
  id: uuid,
  name: z.string(),
  key: textOrNull.describe('The plaintext, shown this once.'),
  createdAt: isoDateTime,
})
