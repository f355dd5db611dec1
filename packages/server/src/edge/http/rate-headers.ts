/** How an answer tells of the window its call counted in: the interface's three headers (RAT), and beside them those of the IETF draft. */
import { retryAfterSeconds, type RateBucket, type RateWindow } from '../../modules/accounts/index.ts'

/** What a call was counted in, as its answer shows it. */
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
