import type { Said } from './states.ts'

export const ledgerKindNames = {
  charge: { text: 'Charge', tone: 'neutral' },
  free: { text: 'Free', tone: 'info' },
  grant: { text: 'Credits added', tone: 'good' },
  lapse: { text: 'Lapsed', tone: 'warn' },
  refund: { text: 'Given back', tone: 'good' },
} as const satisfies Readonly<Record<string, Said>>

export const ledgerReasonNames = {
  new_person: 'A person this source had not found before',
  new_post: 'A post this watch had not seen before',
  enrichment: 'Details looked up on request',
  influencer: 'Somebody found by Discover',
  post_read: 'A post read on request',
  seen_before: 'Free: this source had found the person before',
  same_person_other_engagement: 'Free: another engagement of somebody charged in this run',
  blocked: 'Free: the person was erased and is blocked',
  company_author: 'Free: a company page engaged, not a person',
  already_enriched: 'Free: the details were known already',
  enrichment_failed: 'Free: no details were found',
  post_seen_before: 'Free: the post was seen before',
  opening: 'What the team began with',
  period: 'A new billing period',
  top_up: 'A top-up',
  adjustment: 'A correction by the operator',
  dispute: 'A charge that was disputed',
} as const

export const disputeReasonNames = {
  duplicate: 'Charged twice',
  own_staff: 'One of our own people',
  wrong_person: 'Not the person it says',
  wrong_company: 'Not at the company it says',
  not_a_person: 'Not a person',
  other: 'Something else',
} as const

export const disputeStates = {
  open: { text: 'Disputed, not decided yet', tone: 'info' },
  credited: { text: 'Disputed, given back', tone: 'good' },
  declined: { text: 'Disputed, declined', tone: 'warn' },
} as const satisfies Readonly<Record<string, Said>>

export const heldBackNames = {
  credits: 'Credits ran out, or the sync reached its limit on leads',
  provider_limit: 'The network shows no more',
  post_limit: 'The limit on posts was reached',
  lost: 'Company pages and deleted engagement: these cannot be captured',
} as const
