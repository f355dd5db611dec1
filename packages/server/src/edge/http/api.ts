import type { IncomingMessage } from 'node:http'
import { basePath, registry, type AnyOperation } from '@les/contract'
import { bucketOf, uncounted, type Caller } from '../../modules/accounts/index.ts'
import { noteCalls } from '../calls.ts'
import { ignoredParameters } from '../names.ts'
import type { Counted } from '../admission.ts'
import type { Dispatch, DispatchParts } from '../dispatch.ts'
import { failureReply, type Reply } from '../reply.ts'
import { discardBody, readBodyOf } from './body.ts'
import type { Serve } from './envelope.ts'
import { withHints } from './hints.ts'
import { foundOrRefuse, makeMatcher } from './matcher.ts'
import { countedAsNobody, rateHeaders, type CountedIn } from './rate-headers.ts'
import { joined, pathOf, readTarget, type Target } from './target.ts'

const match = makeMatcher<AnyOperation>(registry)

interface Request {
  readonly raw: IncomingMessage
  readonly method: string
  readonly target: Target
  readonly requestId: string
}

interface Known {
  now: Date
  counted: CountedIn
  operation?: AnyOperation
  by?: Pick<Caller, 'teamId' | 'keyId' | 'user'> | undefined
  sent: Readonly<Record<string, unknown>>
  ignored: string | null
}

/** Serves `/api/v1`, in the order of G3; never throws, and every reply carries the rate headers. */
export function makeApi(parts: DispatchParts, dispatch: Dispatch): Serve {
  const note = noteCalls(parts, 'api')
  return async ({ raw, url, requestId }) => {
    const startedMs = parts.system.nowMs()
    const method = raw.method ?? 'GET'
    const request = { raw, method, target: readTarget(url, basePath), requestId }
    const known: Known = {
      now: new Date(startedMs),
      counted: countedAsNobody(method, new Date(startedMs)),
      sent: {},
      ignored: null,
    }
    const reply = await answer(parts, dispatch, { request, known }).catch((error: unknown) =>
      failureReply(error, requestId, parts.log.with({ operation: known.operation?.id ?? 'none' })),
    )
    await discardBody(raw)
    note({
      operation: known.operation,
      reply,
      startedMs,
      logged: {
        by: known.by,
        method,
        path: pathOf(url).slice(basePath.length) || '/',
        query: request.target.query,
        body: known.sent,
        requestId,
        at: known.now,
      },
    })
    const hint = known.ignored === null ? {} : { 'x-ignored-parameters': known.ignored }
    return { ...reply, headers: { ...rateHeaders(known.counted, known.now), ...hint, ...reply.headers } }
  }
}

async function answer(
  parts: DispatchParts,
  dispatch: Dispatch,
  { request, known }: { request: Request; known: Known },
): Promise<Reply> {
  const { raw, method, target } = request
  const now = await parts.clock.now(parts.db)
  known.now = now
  known.counted = countedAsNobody(method, now)
  // Matched before admission only because the rate window depends on it; a failed match is refused after admission (G3).
  const found = match(method, target.segments)
  const narrow = found.kind === 'found' ? found.route.rateBucket : undefined
  const admission = await dispatch.admit(joined(raw.headers['x-api-key']), { method: bucketOf(method), narrow }, now)
  known.counted = admission
  known.by = 'caller' in admission ? admission.caller : admission.by
  if ('refused' in admission) throw admission.refused
  const { caller, counted } = admission
  return await parts.shards.ofTeam(caller.teamId, () => perform(dispatch, { request, known, found, caller, counted }))
}

interface Admitted {
  readonly request: Request
  readonly known: Known
  readonly found: ReturnType<typeof match>
  readonly caller: Caller
  readonly counted: Counted
}

async function perform(
  dispatch: Dispatch,
  { request: { raw, method, target, requestId }, known, found, caller, counted }: Admitted,
): Promise<Reply> {
  const { route: operation, params } = foundOrRefuse(found)
  known.operation = operation
  known.sent = await readBodyOf(raw, operation)
  const input = { params, query: target.query, body: known.sent }
  known.ignored = ignoredParameters(operation, input)
  const reply = await dispatch.perform({
    operation,
    caller,
    requestId,
    now: known.now,
    input,
    path: `/${target.segments!.map(encodeURIComponent).join('/')}`,
    idempotencyKey: joined(raw.headers['idempotency-key']),
    counted,
  })
  // `perform` has taken a call that it refuses `rate_limited` out of the windows.
  if (reply.refusal === 'rate_limited') known.counted = { ...known.counted, window: uncounted(known.counted.window) }
  return withHints(reply, method, operation)
}
