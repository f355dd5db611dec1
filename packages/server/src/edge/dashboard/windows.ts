/** Which windows a call of a signed-in person counts in, beside those of keys (decision 37). */
import type { OperationId, SessionOperationId } from '@les/contract'
import { bucketOf, type SessionWindow } from '../../modules/accounts/index.ts'
import type { SessionBuckets } from '../admission.ts'

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

/** The windows of an operation. */
export function windowsOf(operation: {
  readonly id: OperationId | SessionOperationId
  readonly method: string
}): SessionBuckets {
  return {
    method: bucketOf(operation.method) === 'reads' ? 'sessionReads' : 'sessionWrites',
    narrow: narrow[operation.id],
  }
}
