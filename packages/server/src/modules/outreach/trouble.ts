/** What a caller hears when the outreach platform fails a request: the true cause, and when to come back (specification «Errors»). */
import type { ErrorDetails } from '@les/contract'
import { Refusal } from '../../platform/refusal.ts'
import { comeBackHeaders } from '../../providers/ports.ts'
import type { OutreachFailure } from '../../providers/outreach/port.ts'

const again = 'wait for the seconds in Retry-After and try again'

/** Whose trouble it is, and what to do, in one sentence. */
function describe({ kind, held }: OutreachFailure): string {
  if (held?.reason === 'rate' || kind === 'rate_limited')
    return `The outreach platform takes no more calls with this key for now: ${again}`
  if (held) return `The outreach platform has failed several times in a row and is asked once a minute: ${again}`
  if (kind === 'unreadable') return 'The outreach platform gave an answer that cannot be read: try again'
  if (kind === 'refused') return 'The outreach platform refused the request: see there whether the campaign is in order'
  if (kind === 'campaign_closed') return 'The campaign takes no more leads: it is over, a draft, or gone'
  if (kind === 'invalid_key') return 'The outreach platform rejects the key that is stored: store a good one'
  return 'The outreach platform did not answer: try again'
}

/** The 502 of a failed call, with what a send had done before it. */
export function refuseFailure(failure: OutreachFailure, details: ErrorDetails<'outreach_unavailable'> = {}): never {
  const done = details.partial === undefined ? '' : '; partial says what was added before'
  throw new Refusal('outreach_unavailable', details, `${describe(failure)}${done}`, comeBackHeaders(failure))
}
