/** `/api/v1`: from a raw request to a reply, in the order of G3. */
import type { IncomingMessage } from 'node:http'
import { basePath, bounds, registry, takesIdempotencyKey, type AnyOperation } from '@les/contract'
import { bucketOf, type Caller } from '../../modules/accounts/index.ts'
import type { EdgeMetrics } from '../metrics.ts'
import { anonymousWindow } from '../admission.ts'
import { watchRefusals } from '../declared.ts'
import { ignoredParameters } from '../ignored.ts'
import type { Dispatch, DispatchParts } from '../dispatch.ts'
import { codeOf, failureReply, type Reply } from '../reply.ts'
import { discardBody, readJsonObject } from './body.ts'
import { hintHeaders } from './hints.ts'
import { foundOrRefuse, makeMatcher } from './matcher.ts'
import { rateHeaders, type CountedIn } from './rate-headers.ts'
import { joined, pathOf, readTarget } from './target.ts'

const match = makeMatcher<AnyOperation>(registry)

/** Serves `/api/v1`; never throws, and every reply carries the rate headers. */
export function makeApi(
  parts: DispatchParts,
  dispatch: Dispatch,
  metrics: EdgeMetrics,
): (raw: IncomingMessage, url: string, requestId: string) => Promise<Reply> {
  const watch = watchRefusals({ ...parts, metrics }, 'api')
  return async (raw, url, requestId) => {
    const startedMs = parts.system.nowMs()
    const method = raw.method ?? 'GET'
    const bucket = bucketOf(method)
    let now = new Date(startedMs)
    let counted: CountedIn = { window: anonymousWindow(bucket, now), bucket }
    let asked: AnyOperation | undefined
    let ignored: string | null = null
    let by: Pick<Caller, 'teamId' | 'keyId' | 'user'> | undefined
    let sent: Readonly<Record<string, unknown>> = {}
    const target = readTarget(url, basePath)

    const answer = async (): Promise<Reply> => {
      now = await parts.clock.now(parts.db)
      counted = { window: anonymousWindow(bucket, now), bucket }
      // Matched before the caller is known, for the sake of the rate window alone; whether anything was found is said after (G3).
      const found = match(method, target.segments)
      const admission = await dispatch.admit(
        joined(raw.headers['x-api-key']),
        { method: bucket, narrow: found.kind === 'found' ? found.route.rateBucket : undefined },
        now,
      )
      counted = admission
      by = 'caller' in admission ? admission.caller : admission.by
      if ('refused' in admission) throw admission.refused
      const { route: operation, params } = foundOrRefuse(found)
      asked = operation
      const body =
        operation.body === null
          ? {}
          : await readJsonObject(
              raw,
              operation.largeBody ? bounds.largeBodyBytes : bounds.bodyBytes,
              operation.nullBody,
            )
      sent = body
      const path = `/${target.segments!.map(encodeURIComponent).join('/')}`
      const input = { params, query: target.query, body }
      ignored = ignoredParameters(operation, input)
      const reply = await dispatch.perform({
        operation,
        caller: admission.caller,
        requestId,
        now,
        input,
        path,
        idempotencyKey: joined(raw.headers['idempotency-key']),
      })
      if (reply.status >= 300) return reply
      return {
        ...reply,
        headers: { ...hintHeaders(method, reply.body), ...reply.headers },
        revalidates: !takesIdempotencyKey(operation),
      }
    }

    const reply = await answer().catch((error: unknown) =>
      failureReply(error, requestId, parts.log.with({ operation: asked?.id ?? 'none' })),
    )
    if (asked) watch(asked, reply)
    await discardBody(raw)
    metrics.request({
      surface: 'api',
      operation: asked?.id ?? 'none',
      status: reply.status,
      seconds: (parts.system.nowMs() - startedMs) / 1000,
    })
    if (by)
      parts.requestLog?.record({
        teamId: by.teamId,
        caller: by,
        surface: 'api',
        operation: asked?.id ?? null,
        method,
        path: pathOf(url).slice(basePath.length) || '/',
        query: target.query,
        body: sent,
        status: reply.status,
        code: codeOf(reply),
        durationMs: parts.system.nowMs() - startedMs,
        requestId,
        at: now,
      })
    const hint = ignored === null ? {} : { 'x-ignored-parameters': ignored }
    return { ...reply, headers: { ...rateHeaders(counted, now), ...hint, ...reply.headers } }
  }
}
