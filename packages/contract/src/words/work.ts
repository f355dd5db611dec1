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
    'The service itself failed at this five times: search again, and if that fails too, tell the operator.',
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
    how: 'Store a valid key under Settings, then start the rule again here.',
  },
  campaign_closed: {
    why: 'The campaign no longer takes leads: it is over, or a draft.',
    how: 'Reopen the campaign on the platform or choose another one, then save.',
  },
} as const

export const agentSourceNames = {
  person: 'Person watched',
  company: 'Company watched',
  keyword: 'Topic search',
} as const

const outcomes: Readonly<Record<string, string>> = {
  delivered: 'Your address accepted it.',
  gone: 'Your address answered that it is gone for good (410): it was switched off.',
  bad_status: 'Your address answered with an error.',
  redirect: 'Your address redirects to another one, and redirects are not followed: set the final address.',
  timeout: 'Your address did not answer in time.',
  connection: 'Could not connect to your address.',
  refused_address: 'The address is not public on the internet, so nothing was sent.',
  too_large: 'The answer was too long to read.',
  unreadable_secret:
    'The signing secret of your team could not be opened, so nothing was sent: ' +
    'tell the operator, and send it again once that is fixed.',
  internal_error:
    'The service itself failed; nothing is wrong with your address. ' +
    'If it is on hold, send it again, and tell the operator.',
}

/** How a delivery attempt ended; an unknown outcome is shown unchanged. */
export const deliveryOutcome = (outcome: string): string =>
  Object.hasOwn(outcomes, outcome) ? outcomes[outcome]! : outcome
