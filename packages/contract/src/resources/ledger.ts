import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { pageFields } from './common.ts'

export const ledgerKinds = ['charge', 'free', 'grant', 'lapse', 'refund'] as const

export const chargeReasons = ['new_person', 'new_post', 'enrichment', 'influencer', 'post_read'] as const

export const freeReasons = [
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

export const ledgerEntry = named('LedgerEntry', {
  id: uuid,
  at: isoDateTime,
  kind: z
    .enum(ledgerKinds)
    .describe('A top-up is a grant; an adjustment by the operator a grant or a lapse, by its sign.'),
  credits: integer.describe('What the balance changed by: negative for a charge, 0 for what was free.'),
  reason: z.enum([...chargeReasons, ...freeReasons, ...otherReasons]),
  count: integer.describe(
    'How many it stands for: 1, or, of what was free in a run that is a week old, all of one reason.',
  ),
  sourceId: uuid.nullable(),
  syncId: uuid.nullable(),
  leadId: uuid.nullable().describe('The lead row; null where there is none, or none any more.'),
  person: z
    .object({ name: textOrNull, linkedinUrl: z.string() })
    .nullable()
    .describe('Null where it is about nobody, or about somebody who was erased.'),
  dispute: z.object({ id: uuid, state: disputeState }).nullable(),
})

export const ledgerPage = named('LedgerPage', { entries: z.array(ledgerEntry), ...pageFields })

/** Sums of ledger lines by run, source or day; seen = charged + everything free. */
export const ledgerSummary = named('LedgerSummary', {
  from: isoDateTime,
  to: isoDateTime,
  rows: z.array(
    z.object({
      key: textOrNull.describe('Id of the sync, id of the source, or day; null for what belongs to none.'),
      label: textOrNull,
      seen: integer.describe('Charged and free together.'),
      charged: integer,
      free: z.partialRecord(z.enum(freeReasons), integer).describe('By reason; reasons without any are left out.'),
      credits: integer.describe('What these lines changed the balance by: charges and refunds.'),
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
    .describe('Negative, the largest first.'),
  refunds: integer,
  lapse: integer.describe('Not positive.'),
  closing: integer.describe('opening + grants + charges + refunds + lapse; of the present month: until now.'),
})

export const disputeMade = z.object({
  id: uuid,
  state: z.enum(['open', 'credited']).describe('credited: the credits are back; open: the operator decides.'),
  credits: integer.describe('What it is about.'),
})

export const sourceOverlap = named('SourceOverlap', {
  pairs: z
    .array(z.object({ a: uuid, b: uuid, people: integer, creditsPaidTwice: integer }))
    .describe('The 1,000 pairs with most people, the largest first.'),
  sources: z
    .array(
      z.object({
        sourceId: uuid,
        savedIfStopped: integer.describe('People charged here and on another active source in the last 30 days.'),
      }),
    )
    .describe('The largest first.'),
})

/** Engagement declared by a source's posts, and how much of it was captured. */
export const sourceCoverage = named('SourceCoverage', {
  posts: z.array(
    z.object({
      postUrl: z.string(),
      declared: integer.describe('Reactions and comments that the post said it had when it was read last.'),
      captured: integer.describe('Of these, how many are lead rows.'),
      heldBackBy: z
        .enum(['credits', 'provider_limit', 'post_limit', 'lost'])
        .nullable()
        .describe('What kept the rest out; lost: nothing brings it, such as company pages and what was deleted.'),
      missing: integer,
      creditsToGetMissing: integer.nullable().describe('At most; null where it cannot be had.'),
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
