/** Which windows a call of a signed-in person counts in, beside those of keys (decision 0018). */
import { type OperationId, type SessionOperationId, bounds } from '@les/contract'
import { bucketOf, openFallbackRateWindows, type SessionWindow } from '../../modules/accounts/index.ts'
import { tooFast, type SessionBuckets } from '../admission.ts'

/** What reaches beyond the service, or costs it much, has a small window of its own. */
const narrow: { readonly [Id in OperationId | SessionOperationId]?: SessionWindow } = {
  sendTestEvent: 'testEvents',
  replayDelivery: 'replays',
  replayDeliveries: 'replays',
  backtestKeyword: 'backTests',
  fetchProfilePosts: 'vendorJobs',
  fetchCompanyPosts: 'vendorJobs',
  fetchPostReactions: 'vendorJobs',
  fetchPostComments: 'vendorJobs',
  fetchCompanyPostComments: 'vendorJobs',
  resolveProfileUrn: 'vendorJobs',
  enrichProfile: 'vendorJobs',
  enrichCompany: 'vendorJobs',
  startSourceSync: 'vendorJobs',
}

export function windowsOf(operation: {
  readonly id: OperationId | SessionOperationId
  readonly method: string
}): SessionBuckets {
  return {
    method: bucketOf(operation.method) === 'reads' ? 'sessionReads' : 'sessionWrites',
    narrow: narrow[operation.id],
  }
}

/**
 * What a person may ask a minute for no team: who they are and their teams, which every page asks, and the teams and
 * invitations they open.
 */
export const personalLimits = { reads: 10 * bounds.readsPerMinute, writes: bounds.writesPerMinute } as const

/**
 * Opens the windows of what belongs to no team. They are of this process alone, in memory: a row of the rate table belongs to a
 * team, and a process that counts for itself bounds what one session costs all the same. Counting refuses `rate_limited`.
 */
export function openPersonalWindows(): (userId: string, method: string, now: Date) => void {
  const windows = openFallbackRateWindows()
  return (userId, method, now) => {
    const bucket = bucketOf(method)
    const window = windows.count({ teamId: userId, bucket }, personalLimits[bucket], now)
    if (window.refused) throw tooFast(window, now)
  }
}
