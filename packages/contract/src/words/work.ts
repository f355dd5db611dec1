import type { Said } from './states.ts'

/** A Discover run that ended with an error but found people has "ended early". */
export function discoverState(run: { readonly state: string; readonly error: unknown }): Said {
  if (run.state === 'running') return { text: 'Under way', tone: 'info' }
  if (run.state === 'failed') return { text: 'Failed', tone: 'bad' }
  return run.error === null ? { text: 'Done', tone: 'good' } : { text: 'Ended early', tone: 'warn' }
}

const discoverErrors: Readonly<Record<string, string>> = {
  insufficient_enriching_credits: 'The credits ran out before everybody who qualified was added.',
  internal_error:
    'The service itself failed at it, five times over: search again, and tell the operator when that fails too.',
  subscription_inactive: 'The subscription of the team has ended.',
}

/** Why a Discover run failed or ended early; null when it did neither. */
export const discoverError = (error: { readonly code: string; readonly error: string } | null): string | null =>
  error === null ? null : Object.hasOwn(discoverErrors, error.code) ? discoverErrors[error.code]! : `${error.error}.`

export const campaignStates = {
  IN_PROGRESS: 'running',
  PAUSED: 'paused',
  DRAFT: 'draft',
  SCHEDULED: 'planned',
  STARTING: 'starting',
  UNKNOWN: 'unknown',
} as const

/** What pauses an auto-push rule, and how to restart it. */
export const outreachPauses = {
  invalid_key: {
    why: 'The platform refused the stored key.',
    how: 'Store a good key under Settings, then start the rule again here.',
  },
  campaign_closed: {
    why: 'The campaign takes no leads any more: it is over, or a draft.',
    how: 'Open the campaign on the platform again or choose another one, then save.',
  },
} as const

export const agentSourceNames = {
  person: 'Person watched',
  company: 'Company watched',
  keyword: 'Topic search',
} as const

const outcomes: Readonly<Record<string, string>> = {
  delivered: 'Your address took it.',
  gone: 'Your address says that it is gone for good (410): it was switched off.',
  bad_status: 'Your address answered with an error.',
  redirect: 'Your address sends requests on to another one, which is not followed: set the final address.',
  timeout: 'Your address did not answer in time.',
  connection: 'There was no connection to your address.',
  refused_address: 'The address is not public on the internet, so nothing was sent.',
  too_large: 'The answer was too long to read.',
  unreadable_secret:
    'The signing secret of your team could not be opened, so nothing was sent: ' +
    'tell the operator, and send it again when that is mended.',
  internal_error:
    'The service itself failed at it; nothing is wrong with your address. ' +
    'Send it again when it is held, and tell the operator.',
}

/** How a delivery attempt ended; an unknown outcome is shown unchanged. */
export const deliveryOutcome = (outcome: string): string =>
  Object.hasOwn(outcomes, outcome) ? outcomes[outcome]! : outcome
