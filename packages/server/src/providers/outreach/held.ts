/** An outreach platform behind breakers, one for each key of a team. A key that is refused pauses the rules by itself (OUT-23). */
import { sha256 } from '../../platform/secrets.ts'
import { throughBreaker, type VendorBreaker } from '../breaker/port.ts'
import { troubleOf } from '../breaker/rules/breaker.ts'
import { BudgetExhausted } from '../network/budget.ts'
import type { CallOptions } from '../ports.ts'
import { OutreachFailure, type OutreachPlatform } from './port.ts'

/** Name of a team's account at the platform; the key cannot be read from it. */
export const outreachAccount = (key: string): string => `heyreach:${sha256(key).toString('hex').slice(0, 24)}`

type Asked = {
  readonly key: string
  readonly operation: string
  readonly options: CallOptions | undefined
}

/** The platform, asked through the breaker; trying out a key goes past it. */
export function heldPlatform(platform: OutreachPlatform, breaker: VendorBreaker): OutreachPlatform {
  const ask = <T>({ key, operation, options }: Asked, call: () => Promise<T>): Promise<T> =>
    throughBreaker(
      breaker,
      {
        account: outreachAccount(key),
        probesItself: true,
        // Whoever was given up by its caller, or found no place in our own budget, has learnt nothing about the platform.
        read: (error) =>
          error instanceof OutreachFailure &&
          (error.kind === 'unavailable' || error.kind === 'rate_limited') &&
          !options?.signal?.aborted &&
          !(error.cause instanceof BudgetExhausted)
            ? troubleOf({ kind: error.kind, retryAfterMs: error.retryAfterMs })
            : null,
        refuse: (held, afterMs) =>
          new OutreachFailure({
            kind: held.reason === 'rate' ? 'rate_limited' : 'unavailable',
            message: `heyreach ${operation}: not asked, since its account is held (${held.reason})`,
            retryAfterMs: afterMs,
            held,
          }),
        mark: (error, held) => (error instanceof OutreachFailure ? error.whileHeld(held) : error),
      },
      call,
    )
  return {
    checkKey: (key, options) => platform.checkKey(key, options),
    listCampaigns: (key, options) =>
      ask({ key, operation: 'listCampaigns', options }, () => platform.listCampaigns(key, options)),
    findCampaign: (key, id, options) =>
      ask({ key, operation: 'findCampaign', options }, () => platform.findCampaign(key, id, options)),
    addLeads: (key, campaignId, leads, options) =>
      ask({ key, operation: 'addLeads', options }, () => platform.addLeads(key, campaignId, leads, options)),
    findMembers: (key, campaignId, profileUrls, options) =>
      ask({ key, operation: 'findMembers', options }, () =>
        platform.findMembers(key, campaignId, profileUrls, options),
      ),
  }
}
