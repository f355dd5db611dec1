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
import { joined, pathOf, readTarget } from './target.ts'

const match = makeMatcher<AnyOperation>(registry)

/** Serves `/api/v1`, in the order of G3; never throws, and every reply carries the rate headers. */
export function makeApi(parts: DispatchParts, dispatch: Dispatch): Serve {
  const note = noteCalls(parts, 'api')
  return async ({ raw, url, requestId }) => {
    const startedMs = parts.system.nowMs()
    const method = raw.method ?? 'GET'
    const target = readTarget(url, basePath)
    let now = new Date(startedMs)
    let shown: CountedIn = countedAsNobody(method, now)
    let operation: AnyOperation | undefined
    let by: Pick<Caller, 'teamId' | 'keyId' | 'user'> | undefined
    let body: Readonly<Record<string, unknown>> = {}
    let ignored: string | null = null

    const perform = async (found: ReturnType<typeof match>, caller: Caller, counted: Counted): Promise<Reply> => {
      const { route, params } = foundOrRefuse(found)
      operation = route
      body = await readBodyOf(raw, route)
      const input = { params, query: target.query, body }
      ignored = ignoredParameters(route, input)
      const reply = await dispatch.perform({
        operation: route,
        caller,
        requestId,
        now,
        input,
        path: `/${target.segments!.map(encodeURIComponent).join('/')}`,
        idempotencyKey: joined(raw.headers['idempotency-key']),
        counted,
      })
      // `perform` has taken a call that it refuses `rate_limited` out of the windows.
      if (reply.refusal === 'rate_limited') shown = { ...shown, window: uncounted(shown.window) }
      return withHints(reply, method, route)
    }
    const answer = async (): Promise<Reply> => {
      now = await parts.clock.now(parts.db)
      shown = countedAsNobody(method, now)
      // Matched before admission only because the rate window depends on it; a failed match is refused after admission (G3).
      const found = match(method, target.segments)
      const narrow = found.kind === 'found' ? found.route.rateBucket : undefined
      const admission = await dispatch.admit(
        joined(raw.headers['x-api-key']),
        { method: bucketOf(method), narrow },
        now,
      )
      shown = admission
      by = 'caller' in admission ? admission.caller : admission.by
      if ('refused' in admission) throw admission.refused
      const { caller, counted } = admission
      return await parts.shards.ofTeam(caller.teamId, () => perform(found, caller, counted))
    }

    const reply = await answer().catch((error: unknown) =>
      failureReply(error, requestId, parts.log.with({ operation: operation?.id ?? 'none' })),
    )
    await discardBody(raw)
    const path = pathOf(url).slice(basePath.length) || '/'
    const logged = { by, method, path, query: target.query, body, requestId, at: now }
    note({ operation, reply, startedMs, logged })
    const hint = ignored === null ? {} : { 'x-ignored-parameters': ignored }
    return { ...reply, headers: { ...rateHeaders(shown, now), ...hint, ...reply.headers } }
  }
}
