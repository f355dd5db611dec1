/** Outreach platforms behind the port of `port.ts`, with a breaker per key. */
import { throughBreaker, type VendorBreaker } from '../breaker/breaker.ts'
import type { Held } from '../failure.ts'
import type { CallOptions } from '../ports.ts'
import { outreachAccount } from './heyreach-client.ts'
import { OutreachFailure, type OutreachPlatform } from './port.ts'

export * from './port.ts'
export { createHeyReach } from './heyreach.ts'
export { outreachAccount, type HeyReachOptions } from './heyreach-client.ts'

/** The platform behind its breaker. `checkKey` bypasses it; a rejected key pauses the rules elsewhere (OUT-23). */
export function heldPlatform(platform: OutreachPlatform, breaker: VendorBreaker): OutreachPlatform {
  type Asked = { readonly key: string; readonly operation: string; readonly options: CallOptions | undefined }
  function ask<T>({ key, operation, options }: Asked, call: () => Promise<T>): Promise<T> {
    const refuse = (held: Held, afterMs: number) =>
      new OutreachFailure({
        kind: held.reason === 'rate' ? 'rate_limited' : 'unavailable',
        message: `heyreach ${operation}: not asked, since its account is held (${held.reason})`,
        retryAfterMs: afterMs,
        held,
      })
    const account = { account: outreachAccount(key), probesItself: true, signal: options?.signal, refuse }
    return throughBreaker(breaker, account, call)
  }
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
    readProgress: (key, campaignId, offset, options) =>
      ask({ key, operation: 'readProgress', options }, () => platform.readProgress(key, campaignId, offset, options)),
  }
}
