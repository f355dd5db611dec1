/** Records every call: metrics, request log, undeclared refusals (which fail the test suite; in service they are answered). */
import { declaredErrors, declaredForTools, errorTable, type ErrorKey, type Operation } from '@les/contract'
import type { Caller, RequestLog } from '../modules/accounts/index.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { secondsBuckets, type Metrics } from '../platform/metrics.ts'
import type { Reply } from './reply.ts'

export type OperationSurface = 'api' | 'mcp' | 'dashboard'

type RequestOutcome = {
  readonly surface: OperationSurface
  readonly operation: string
  readonly status: number
  readonly seconds: number
}

export type EdgeMetrics = Pick<Metrics, 'count'> & { readonly request: (outcome: RequestOutcome) => void }

/** Declares the request metrics. */
export function requestMetrics(metrics: Metrics): Pick<EdgeMetrics, 'request'> {
  const requests = metrics.counter({
    name: 'les_requests_total',
    help: 'Requests answered.',
    labels: ['surface', 'operation', 'status'],
  })
  const seconds = metrics.histogram({
    name: 'les_request_seconds',
    help: 'Time from the head of a request to its answer.',
    labels: ['surface', 'operation'],
    buckets: secondsBuckets,
  })
  return {
    request: ({ surface, operation, status, seconds: took }) => {
      requests({ surface, operation, status: String(status) })
      seconds({ surface, operation }, took)
    },
  }
}

export type Undeclared = { readonly surface: OperationSurface; readonly operation: string; readonly refusal: ErrorKey }

export type CallParts = {
  readonly log: Log
  readonly metrics: EdgeMetrics
  readonly system: Pick<SystemClock, 'nowMs'>
  /** Stores calls by API keys and agent tools; left out, nothing is stored. */
  readonly requestLog?: Pick<RequestLog, 'record'> | undefined
  readonly onUndeclared?: ((found: Undeclared) => void) | undefined
}

type AnsweredCall = {
  readonly operation: Operation | undefined
  readonly reply: Reply
  readonly startedMs: number
  /** A call without it is not logged. */
  readonly logged?: {
    readonly by: Pick<Caller, 'teamId' | 'keyId' | 'user'> | undefined
    readonly method: string
    readonly path: string
    readonly query: Parameters<RequestLog['record']>[0]['query']
    readonly body: Readonly<Record<string, unknown>>
    readonly requestId: string
    readonly at: Date
  }
}

const codeOf = ({ refusal }: Reply): string | null => (refusal === undefined ? null : errorTable[refusal].code)

/** Makes the function that records calls. */
export function noteCalls(parts: CallParts, surface: OperationSurface): (call: AnsweredCall) => void {
  const declared = surface === 'mcp' ? declaredForTools : declaredErrors
  return ({ operation, reply, startedMs, logged }) => {
    const { refusal, status } = reply
    // The dashboard surface itself refuses roles, so operations do not declare `role_required`.
    const ofSurface = surface === 'dashboard' && refusal === 'role_required'
    if (operation && refusal !== undefined && !ofSurface && !declared(operation).includes(refusal)) {
      parts.log.error('an operation answered a refusal that it does not declare', {
        operation: operation.id,
        refusal,
        surface,
      })
      parts.metrics.count('undeclared_refusals', operation.id, 1)
      parts.onUndeclared?.({ surface, operation: operation.id, refusal })
    }
    const durationMs = parts.system.nowMs() - startedMs
    parts.metrics.request({ surface, operation: operation?.id ?? 'none', status, seconds: durationMs / 1000 })
    if (!logged?.by || surface === 'dashboard') return
    const { by, ...sent } = logged
    parts.requestLog?.record({
      ...sent,
      teamId: by.teamId,
      caller: by,
      surface,
      operation: operation?.id ?? null,
      status,
      code: codeOf(reply),
      durationMs,
    })
  }
}
