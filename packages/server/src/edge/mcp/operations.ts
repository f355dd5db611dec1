/** Runs a tool's call through the pipeline of HTTP requests: the same windows, checks, errors and idempotency. */
import { bounds, findOperation, layOut, pathWith, roleOf, type OperationId } from '@les/contract'
import type { Dispatch as ToolDispatch, ToolAnswer } from '@les/mcp'
import { bucketOf } from '../../modules/accounts/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { noteCalls, type CallParts } from '../calls.ts'
import type { Dispatch, DispatchParts } from '../dispatch.ts'
import type { CountedIn } from '../http/rate-headers.ts'
import { failureReply, type Reply } from '../reply.ts'
import { requireRole, type Admission } from '../admission.ts'
import type { Principal } from './credentials.ts'

type OperationParts = Pick<DispatchParts, 'clock' | 'db' | keyof CallParts> & { readonly dispatch: Dispatch }

type ToolCaller = {
  readonly principal: Principal
  readonly requestId: string
  readonly onCounted?: (counted: CountedIn, now: Date) => void
}

/** With these, an app admitted by a sign-in could make itself a key that outlives the sign-in. */
const notForApps: readonly OperationId[] = ['createKey', 'revokeKey']

function answerOf({ status, headers, body }: Reply): ToolAnswer {
  const wait = headers['retry-after']
  return {
    status,
    body: body as Record<string, unknown>,
    ...(wait === undefined ? {} : { retryAfterSeconds: Number(wait) }),
  }
}

/** The pipeline for the tools of one caller; never throws. */
export function operationsFor(parts: OperationParts, caller: ToolCaller): ToolDispatch {
  const note = noteCalls(parts, 'mcp')
  const admitted = new Map<OperationId, Admission>()
  return async (operationId, input, { idempotencyKey, confirms }) => {
    const startedMs = parts.system.nowMs()
    let at = new Date(startedMs)
    const operation = findOperation(operationId)
    // A confirmed call reads its figures again first; both are one call of the interface and count once.
    const admit = async (now: Date): Promise<Admission> => {
      at = now
      const known = confirms === true ? admitted.get(operationId) : undefined
      if (known) return known
      const buckets = { method: bucketOf(operation.method), narrow: operation.rateBucket }
      const admission = await caller.principal.admit(buckets, now)
      caller.onCounted?.(admission, now)
      admitted.set(operationId, admission)
      return admission
    }
    const run = async (): Promise<Reply> => {
      const now = await parts.clock.now(parts.db)
      const admission = await admit(now)
      if ('refused' in admission) throw admission.refused
      const { user } = admission.caller
      const { params, query, body, missing } = layOut(operation, input)
      if (user) requireRole(user.role, roleOf(operation, body))
      if (missing.length > 0) throw new Refusal('invalid_request', {}, `\`${missing[0]}\` is required`)
      const limit = operation.largeBody ? bounds.largeBodyBytes : bounds.bodyBytes
      if (Buffer.byteLength(JSON.stringify(body)) > limit)
        throw new Refusal('body_too_large', {}, `The arguments must be at most ${limit / 1024} KB`)
      if (user && notForApps.includes(operation.id)) throw new Refusal('not_for_apps')
      return await parts.dispatch.perform({
        operation,
        caller: admission.caller,
        requestId: caller.requestId,
        now,
        input: { params, query, body },
        path: pathWith(operation, params),
        idempotencyKey,
        counted: admission.counted,
      })
    }
    const reply = await run().catch((error: unknown) =>
      failureReply(error, caller.requestId, parts.log.with({ operation: operationId })),
    )
    const admission = admitted.get(operationId)
    const by = admission && ('caller' in admission ? admission.caller : admission.by)
    const { requestId } = caller
    const { params, query, body } = by ? layOut(operation, input) : { params: {}, query: [], body: {} }
    const sent = { method: operation.method, path: pathWith(operation, params), query, body, requestId, at }
    note({ operation, reply, startedMs, logged: { by, ...sent } })
    return answerOf(reply)
  }
}
