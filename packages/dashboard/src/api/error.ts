/** The service refused, failed, or could not be reached (`status` 0); `body` is its whole answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(
      typeof body.error === 'string'
        ? body.error
        : typeof body.message === 'string'
          ? body.message
          : `The service answered ${status}`,
    )
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : undefined
    this.body = body
    this.requestId = typeof body.requestId === 'string' ? body.requestId : undefined
  }
}

export const asksToSpend = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'spend_confirmation_required'

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export const hasCode = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code

/**
 * True while a preview is loading, or is reloading because the service refused the agreed one as outdated. False while live
 * updates reload it: a click at that moment must not be lost, and the service refuses outdated previews anyway.
 */
export const isUnread = (
  preview: { isPending: boolean; isFetching: boolean },
  refusal: unknown,
  outdated: string,
): boolean => preview.isPending || (hasCode(refusal, outdated) && preview.isFetching)
