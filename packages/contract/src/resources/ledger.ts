import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { pageFields } from './common.ts'

export const ledgerKinds = ['charge', 'free', 'grant', 'lapse', 'refund'] as const

export const chargeReasons = ['new_person', 'new_post', 'enrichment', 'influencer', 'post_read'] as const

const freeReasons = [
  'seen_before',
  'same_person_other_engagement',
  'blocked',
  'company_author',
  'already_enriched',
  'enrichment_failed',
  'post_seen_before',
] as const

const otherReasons = ['opening', 'period', 'top_up', 'adjustment', 'dispute'] as const

export const disputeReasons = [
  'duplicate',
  'own_staff',
  'wrong_person',
  'wrong_company',
  'not_a_person',
  'other',
] as const

const disputeState = z.enum(['open', 'credited', 'declined'])

const ledgerEntry = named('LedgerEntry', {
  id: uuid,
  at: isoDateTime,
  kind: z
    .enum(ledgerKinds)
    .describe('A top-up is a grant. An adjustment by the operator is a grant or a lapse, depending on its sign.'),
  credits: integer.describe('Change of the balance: negative for a charge, 0 for a free item.'),
  reason: z.enum([...chargeReasons, ...freeReasons, ...otherReasons]),
  count: integer.describe(
    'Number of items on this line: 1, or, for free items of a run that is a week old, all items with the same reason.',
  ),
  sourceId: uuid.nullable(),
  syncId: uuid.nullable(),
  leadId: uuid.nullable().describe('The lead row; null when there is none or it no longer exists.'),
  person: z
    .object({ name: textOrNull, linkedinUrl: z.string() })
    .nullable()
    .describe('Null when the line is about no person or about an erased person.'),
  dispute: z.object({ id: uuid, state: disputeState }).nullable(),
})

export const ledgerPage = named('LedgerPage', { entries: z.array(ledgerEntry), ...pageFields })

/** Sums of ledger lines by run, source or day; seen = charged + everything free. */
export const ledgerSummary = named('LedgerSummary', {
  from: isoDateTime,
  to: isoDateTime,
  rows: z.array(
    z.object({
      key: textOrNull.describe('Id of the sync, id of the source, or the day; null for items that belong to none.'),
      label: textOrNull,
      seen: integer.describe('Charged and free items together.'),
      charged: integer,
      free: z
        .partialRecord(z.enum(freeReasons), integer)
        .describe('Free items by reason; reasons without items are omitted.'),
      credits: integer.describe('Change of the balance by these lines: charges and refunds.'),
    }),
  ),
  ...pageFields,
})

/** A month of the ledger; opening, changes and closing always add up. */
export const creditStatement = named('CreditStatement', {
  month: z.string().describe('YYYY-MM, UTC.'),
  opening: integer,
  grants: integer,
  charges: z
    .array(z.object({ sourceId: uuid.nullable(), label: textOrNull, credits: integer }))
    .describe('Negative amounts, largest first.'),
  refunds: integer,
  lapse: integer.describe('Zero or negative.'),
  closing: integer.describe('opening + grants + charges + refunds + lapse; for the current month, up to now.'),
})

export const disputeMade = z.object({
  id: uuid,
  state: z.enum(['open', 'credited']).describe('credited: the credits were returned; open: the operator decides.'),
  credits: integer.describe('Credits in dispute.'),
})

export const sourceOverlap = named('SourceOverlap', {
  pairs: z
    .array(z.object({ a: uuid, b: uuid, people: integer, creditsPaidTwice: integer }))
    .describe('The 1,000 pairs with the most people, largest first.'),
  sources: z
    .array(
      z.object({
        sourceId: uuid,
        savedIfStopped: integer.describe('People charged here and on another active source in the last 30 days.'),
      }),
    )
    .describe('Largest first.'),
})

/** Engagement declared by a source's posts, and how much of it was captured. */
export const sourceCoverage = named('SourceCoverage', {
  posts: z.array(
    z.object({
      postUrl: z.string(),
      declared: integer.describe('Reactions and comments that the post reported when it was last read.'),
      captured: integer.describe('How many of these are lead rows.'),
      heldBackBy: z
        .enum(['credits', 'provider_limit', 'post_limit', 'lost'])
        .nullable()
        .describe(
          'Why the rest is missing; lost: it cannot be captured, for example company pages and deleted engagement.',
        ),
      missing: integer,
      creditsToGetMissing: integer
        .nullable()
        .describe('Maximum credits to capture the rest; null when it cannot be captured.'),
    }),
  ),
  ...pageFields,
})

const spread = z.object({ p50: z.number(), p95: z.number() }).nullable().describe('Seconds; null without data.')

const freshnessFigures = { engagementToCaptured: spread, capturedToEnriched: spread, enrichedToDelivered: spread }

/** Time from engagement to delivery, over the last 7 days. */
export const freshness = named('Freshness', {
  team: z.object(freshnessFigures),
  sources: z.array(z.object({ sourceId: uuid, ...freshnessFigures })),
})
