/** Runtime exports of the typed client; its types come from `client-types.ts`. */
import { ApiError } from '../../../packages/contract/src/client.ts'

export { ApiError, createClient } from '../../../packages/contract/src/client.ts'
export { pages, rows } from '../../../packages/contract/src/paging.ts'
export { verifyWebhook } from '../../../packages/contract/src/verify-webhook.ts'

/** True for a refusal with this status; its body has the type that the operation declares. */
export const isRefusal = (error: unknown, _operation: string, status: number): boolean =>
  error instanceof ApiError && error.status === status
