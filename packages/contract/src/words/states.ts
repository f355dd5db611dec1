import type { Outcome } from '../resources/result.ts'

type WordTone = 'good' | 'bad' | 'warn' | 'info' | 'neutral'

export type Said = { readonly text: string; readonly tone: WordTone }

const runStates = {
  idle: { text: 'Idle', tone: 'neutral' },
  queued: { text: 'Waiting for its turn', tone: 'info' },
  capturing: { text: 'Reading posts and people', tone: 'info' },
  enriching: { text: 'Looking people up', tone: 'info' },
  completed: { text: 'Done', tone: 'good' },
  captured: { text: 'Done', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
  untracked: { text: 'Stopped', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Said>>

/** An unknown state is shown unchanged. */
export const runState = (state: string): Said =>
  Object.hasOwn(runStates, state) ? runStates[state as keyof typeof runStates] : { text: state, tone: 'neutral' }

export const teamStates = {
  active: { text: 'Active', tone: 'good' },
  trial: { text: 'Free trial', tone: 'info' },
  expired: { text: 'Ended', tone: 'bad' },
} as const satisfies Readonly<Record<string, Said>>

export const deliveryStates = {
  pending: { text: 'Waiting', tone: 'info' },
  sending: { text: 'Being sent', tone: 'info' },
  sent: { text: 'Delivered', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
  held: { text: 'On hold', tone: 'warn' },
  cancelled: { text: 'Dropped', tone: 'neutral' },
  excluded: { text: 'Excluded', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Said>>

/** Kinds of source, and other origins of leads. */
export const sourceKindNames = {
  person: 'Person',
  profile: 'Person',
  company: 'Company page',
  post: 'Post',
  keyword: 'Keyword search',
  discover: 'Discover',
  agent: 'Agent',
} as const

export const engagementNames = { Like: 'Reacted', Comment: 'Commented', Author: 'Wrote the post' } as const

export const enrichmentStates = {
  pending: { text: 'Details to come', tone: 'info' },
  processing: { text: 'Looking up details', tone: 'info' },
  completed: { text: 'Details complete', tone: 'good' },
  failed: { text: 'Details not found', tone: 'warn' },
  skipped: { text: 'Details not looked up', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Said>>

/** Problems of a source, for its page and for lists. */
export const sourceWarningNames = {
  silent: 'Silent',
  starved: 'Held back',
  failing: 'Failing',
  waiting: 'Waiting',
  low_coverage: 'Low coverage',
  no_icp: 'No criteria',
  low_yield: 'Few fit',
  out_of_credits: 'No credits',
  webhook_disabled: 'Webhook off',
  outreach_paused: 'Outreach paused',
} as const

export const outcomeNames: Readonly<Record<Outcome, Said>> = {
  sent: { text: 'Written to', tone: 'info' },
  accepted: { text: 'Accepted', tone: 'info' },
  replied: { text: 'Replied', tone: 'good' },
  interested: { text: 'Interested', tone: 'good' },
  not_interested: { text: 'Not interested', tone: 'neutral' },
  meeting: { text: 'Meeting', tone: 'good' },
  won: { text: 'Won', tone: 'good' },
  lost: { text: 'Lost', tone: 'neutral' },
  bounced: { text: 'Bounced', tone: 'warn' },
  unsubscribed: { text: 'Unsubscribed', tone: 'warn' },
}
