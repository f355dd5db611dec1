import { z } from 'zod'
import { isoDateTime, uuid } from '../values/index.ts'

/** The team's balance (specification «Credits», G13). */
export const credits = z
  .object({
    balance: z.number().int().meta({ description: 'Spendable now: what remains of the allowance, and top-ups.' }),
    used: z.number().int().meta({ description: 'Charged in this billing period.' }),
    limit: z.number().int().meta({ description: "The period's allowance." }),
    remaining: z.number().int().meta({ description: 'max(0, limit - used).' }),
    plan: z.string(),
    nextReset: isoDateTime,
  })
  .meta({ id: 'Credits' })

/** What was charged between two instants, by day and by source; both sum to `total` (G15). */
export const creditUsage = z
  .object({
    from: isoDateTime,
    to: isoDateTime,
    total: z.number().int(),
    byDate: z.array(z.object({ date: z.iso.date(), credits: z.number().int() })),
    bySource: z.array(
      z.object({
        sourceId: uuid.nullable(),
        type: z.enum(['person', 'company', 'post', 'keyword', 'discover', 'posts_read', 'enrichment', 'agent_trial']),
        label: z.string().nullable(),
        credits: z.number().int(),
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
  key: z.string().nullable().meta({ description: 'The plaintext, shown this once.' }),
  createdAt: isoDateTime,
})
