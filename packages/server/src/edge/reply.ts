/** What every surface answers, and how failures become answers (G110). */
import { errorTable, type ErrorKey } from '@les/contract'
import { retryAfterHeaders, ProviderFailure, failureMessage } from '../providers/ports.ts'
import { databaseTrouble } from '../platform/db/trouble.ts'
import type { Log } from '../platform/log.ts'
import { Refusal } from '../platform/refusal.ts'

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Sent instead of `body`: text that is not JSON (see its headers), or JSON already serialised. */
  readonly text?: string
  /** Gets an ETag: the request is free to repeat. */
  readonly revalidates?: boolean
  /** This object answers everybody, so it is compressed once. */
  readonly isDocument?: boolean
  readonly refusal?: ErrorKey
}

/** The caller disconnected while the request was read: nobody is left to answer, and it is no failure of ours. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone'
}

/** `Retry-After` in seconds when the service could not answer: longer than most of its recoveries take. */
const retryAfterSeconds = 5

/** A refusal as an answer: status and code of its row, message, request id and details. */
export function refusalReply(refused: Refusal, requestId: string): Reply {
  const row = errorTable[refused.key]
  return {
    status: row.status,
    refusal: refused.key,
    headers:
      refused.key === 'unavailable' || refused.key === 'post_resolve_failed'
        ? { 'retry-after': String(retryAfterSeconds), ...refused.headers }
        : refused.headers,
    body: { error: refused.message, ...(row.code === null ? {} : { code: row.code }), requestId, ...refused.details },
  }
}

/** Turns anything thrown into an answer; an unknown error is a bug: logged, and hidden from the caller. */
export function failureReply(error: unknown, requestId: string, log: Log): Reply {
  if (error instanceof Refusal) return refusalReply(error, requestId)
  if (error instanceof ProviderFailure) {
    if (error.kind === 'not_found') return refusalReply(new Refusal('not_found'), requestId)
    log.warn('a provider failed a request', {
      requestId,
      provider: error.provider,
      operation: error.operation,
      kind: error.kind,
      error,
    })
    // The message of a team's own daily limit says until when it holds.
    const ofTeam = error.held?.reason === 'cap' && error.retryAfterMs !== undefined && error.provider === 'network'
    const message = ofTeam
      ? error.message
      : `${failureMessage(error)}: nothing was changed and nothing was charged; try again`
    return refusalReply(new Refusal('provider_unavailable', {}, message, retryAfterHeaders(error)), requestId)
  }
  if (error instanceof CallerGone)
    return refusalReply(new Refusal('invalid_request', {}, 'The request ended before its body did'), requestId)
  const trouble = databaseTrouble(error)
  if (trouble !== null) {
    log.warn('the database failed a request', { requestId, trouble, error })
    return refusalReply(new Refusal('unavailable'), requestId)
  }
  log.error('a request failed', { requestId, error: error instanceof Error ? error : new Error(String(error)) })
  return refusalReply(new Refusal('internal'), requestId)
}
