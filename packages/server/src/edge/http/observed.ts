/**
 * A request as a piece of work: its id on every log line and span inside, a span of its own, and a log line when it may
 * have changed something.
 */
import type { IncomingMessage } from 'node:http'
import type { SystemClock } from '../../platform/clock.ts'
import { currentLogContext, withLogContext } from '../../platform/log-context.ts'
import type { Log } from '../../platform/log.ts'
import type { Tracing } from '../../platform/tracing.ts'

/** Where requests come in. */
export type Surface = 'api' | 'operator' | 'mcp' | 'dashboard'

/** What watching needs. */
export type WatchParts = { readonly tracing: Tracing; readonly log: Log; readonly system: SystemClock }

/** Serves a request; `statusOf` reads the answer's status, null when it went out by another way. */
export function asRequest<T>(
  parts: WatchParts,
  {
    about,
    serve,
    statusOf,
  }: {
    readonly about: { readonly surface: Surface; readonly raw: IncomingMessage; readonly requestId: string }
    readonly serve: () => Promise<T>
    readonly statusOf: (answer: T) => number | null
  },
): Promise<T> {
  const { surface, raw, requestId } = about
  const method = raw.method ?? 'GET'
  const startedMs = parts.system.nowMs()
  const operation = () => String(currentLogContext().operation ?? 'none')
  const work = async (): Promise<T> => {
    const answer = await serve()
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS')
      parts.log.info('request', {
        surface,
        method,
        operation: operation(),
        status: statusOf(answer),
        elapsedMs: parts.system.nowMs() - startedMs,
      })
    return answer
  }
  return withLogContext({ requestId }, () =>
    parts.tracing.around(
      `${surface} ${method}`,
      {
        role: 'request',
        attributes: { 'http.request.method': method, 'les.surface': surface },
        traceparent: single(raw.headers.traceparent),
        end: (answer) => {
          const status = statusOf(answer)
          return {
            name: `${surface} ${operation()}`,
            failed: status !== null && status >= 500,
            attributes: status === null ? {} : { 'http.response.status_code': status },
          }
        },
      },
      work,
    ),
  )
}

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header
