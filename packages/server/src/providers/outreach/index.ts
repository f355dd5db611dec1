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
  function ask<T>(operation: string, key: string, options: CallOptions | undefined, call: () => Promise<T>) {
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
    listCampaigns: (key, options) => ask('listCampaigns', key, options, () => platform.listCampaigns(key, options)),
    findCampaign: (key, id, options) =>
      ask('findCampaign', key, options, () => platform.findCampaign(key, id, options)),
    addLeads: (key, campaignId, leads, options) =>
      ask('addLeads', key, options, () => platform.addLeads(key, campaignId, leads, options)),
    findMembers: (key, campaignId, profileUrls, options) =>
      ask('findMembers', key, options, () => platform.findMembers(key, campaignId, profileUrls, options)),
    readProgress: (key, campaignId, offset, options) =>
      ask('readProgress', key, options, () => platform.readProgress(key, campaignId, offset, options)),
  }
}
