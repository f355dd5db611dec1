/** Headers that repeat what a body says, for clients that read only headers: when to ask again, and what is deprecated. */

import { takesIdempotencyKey } from '@les/contract'
import type { Reply } from '../reply.ts'

type Body = Readonly<Record<string, unknown>>

/** When each was announced as deprecated (specification «Versioning»). */
const deprecatedSince = { oldContract: Date.UTC(2026, 8, 9), retiredFields: Date.UTC(2026, 8, 30) }

function askAgainSeconds(body: Body): number | null {
  if (body.status === 'pending' || body.status === 'running') return typeof body.jobId === 'string' ? 2 : null
  if (body.isFinal === false) return 10
  if (typeof body.pushId === 'string' && body.finished === false) return 5
  return null
}

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) for a body's `deprecations` and `ignoredFields`. */
function deprecation(body: Body): Record<string, string> {
  const old = Array.isArray(body.deprecations) && body.deprecations.length > 0
  const retired = Array.isArray(body.ignoredFields) && body.ignoredFields.length > 0
  if (!old && !retired) return {}
  const sunset =
    old && (typeof body.cutoverAt === 'string' || body.cutoverAt instanceof Date)
      ? { sunset: new Date(body.cutoverAt).toUTCString() }
      : {}
  return {
    deprecation: `@${(old ? deprecatedSince.oldContract : deprecatedSince.retiredFields) / 1000}`,
    ...sunset,
    link: '</docs>; rel="deprecation"; type="text/html"',
  }
}

function hintHeaders(method: string, body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {}
  const again = method === 'GET' ? askAgainSeconds(body as Body) : null
  return { ...(again === null ? {} : { 'retry-after': String(again) }), ...deprecation(body as Body) }
}

/** A success with its hint headers, and an ETag where repeating it is free; other replies unchanged. */
export const withHints = (reply: Reply, method: string, operation: Parameters<typeof takesIdempotencyKey>[0]): Reply =>
  reply.status >= 300
    ? reply
    : {
        ...reply,
        headers: { ...hintHeaders(method, reply.body), ...reply.headers },
        revalidates: !takesIdempotencyKey(operation),
      }
