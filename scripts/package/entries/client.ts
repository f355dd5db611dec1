/** What the typed client's package exports at run time; its types are made from the description (`client-types.ts`). */
import { ApiError } from '../../../packages/contract/src/client.ts'

export { ApiError, createClient } from '../../../packages/contract/src/client.ts'
export { pages, rows } from '../../../packages/contract/src/paging.ts'
export { verifyWebhook } from '../../../packages/contract/src/verify-webhook.ts'

/** True for a refusal of that status, whose body then has the type that the operation declares for it. */
export const isRefusal = (error: unknown, _operation: string, status: number): boolean =>
  error instanceof ApiError && error.status === status
