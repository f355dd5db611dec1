/** The rate windows of a signed-in person's calls, separate from those of API keys (decision 0018). */
import { type OperationId, type SessionOperationId, bounds } from '@les/contract'
import { bucketOf, openFallbackRateWindows, type SessionWindow } from '../../modules/accounts/index.ts'
import { tooFast, type SessionBuckets } from '../admission.ts'

/** Operations that reach outside the service, or cost much, also count in a small window. */
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

/** Calls a minute of one person for no team, such as listing, creating and joining teams. */
export const personalLimits = { reads: 10 * bounds.readsPerMinute, writes: bounds.writesPerMinute } as const

/** Counts calls without a team, in this process's memory: the rate table needs a team. Refuses `rate_limited`. */
export function openPersonalWindows(): (userId: string, method: string, now: Date) => void {
  const windows = openFallbackRateWindows()
  return (userId, method, now) => {
    const bucket = bucketOf(method)
    const window = windows.count({ teamId: userId, bucket }, personalLimits[bucket], now)
    if (window.refused) throw tooFast(window, now)
  }
}
