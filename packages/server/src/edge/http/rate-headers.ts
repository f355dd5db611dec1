/** Rate-limit headers: the interface's three (RAT) and those of the IETF draft. */
import type { IncomingMessage } from 'node:http'
import { basePath } from '@les/contract'
import { bucketOf, retryAfterSeconds, type RateBucket, type RateWindow } from '../../modules/accounts/index.ts'
import { anonymousWindow } from '../admission.ts'
import { isUnder } from './target.ts'

export type CountedIn = { readonly window: RateWindow; readonly bucket: RateBucket }

const windowSeconds = 60

/** The headers of a window at `now`. */
export function rateHeaders({ window, bucket }: CountedIn, now: Date): Record<string, string> {
  return {
    'x-ratelimit-limit': String(window.limit),
    'x-ratelimit-remaining': String(window.remaining),
    'x-ratelimit-reset': String(Math.ceil(window.resetAt.getTime() / 1000)),
    'ratelimit-policy': `"${bucket}";q=${window.limit};w=${windowSeconds}`,
    ratelimit: `"${bucket}";r=${window.remaining};t=${retryAfterSeconds(window, now)}`,
  }
}

/** Method and target of a request; null when they could not be read. */
export type Asked = { readonly method: string; readonly url: string } | null

/** Method and target of a parsed request. */
export const asAsked = ({ method = 'GET', url = '/' }: Pick<IncomingMessage, 'method' | 'url'>): Asked => ({
  method,
  url,
})

/** The window of a call by an unknown caller, by its method. */
export function countedAsNobody(method: string, now: Date): CountedIn {
  const bucket = bucketOf(method)
  return { window: anonymousWindow(bucket, now), bucket }
}

/**
 * The headers of an answer that counted in no window: the anonymous window's below `/api/v1` and for unreadable requests, which
 * may be meant for it; else none.
 */
export const rateHeadersOf = (asked: Asked, now: Date): Record<string, string> =>
  asked === null || isUnder(asked.url, basePath) ? rateHeaders(countedAsNobody(asked?.method ?? 'GET', now), now) : {}
