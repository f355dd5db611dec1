import { z } from 'zod'
import { count, maybe } from '../normal/lenient.ts'
import type { AdapterOptions } from '../vendor-client.ts'

const answer = z.object({ data: maybe(z.object({ current_tier: maybe(z.object({ limit_per_minute: count })) })) })

/** A limit once read is believed for this long; more credits raise it. */
const BELIEVED_MS = 10 * 60_000

/**
 * The account's calls per minute, which depend on its credits: asked for after the first refusal, not before, so that a
 * healthy account costs no extra call. Unknown means no limit of ours; the vendor's 429 still rules.
 */
export function createTier(options: Pick<AdapterOptions, 'baseUrl' | 'apiKey' | 'egress' | 'system'>): {
  perMinute(): number | null
  learn(): void
} {
  let known: { perMinute: number | null; atMs: number } | null = null
  let asking = false
  const fresh = () => known !== null && options.system.nowMs() - known.atMs < BELIEVED_MS
  const ask = async (): Promise<void> => {
    const reply = await options.egress.request({
      method: 'GET',
      url: `${options.baseUrl.replace(/\/+$/, '')}/api/i/v1/credits/tier/k/`,
      headers: {
        'x-linkdapi-apikey': options.apiKey,
        accept: 'application/json',
        'user-agent': 'lead-engagement-service/1.0',
      },
      timeoutMs: 5_000,
      maxBytes: 64_000,
    })
    const read = reply.status === 200 ? answer.safeParse(JSON.parse(reply.body.toString('utf8'))) : null
    known = { perMinute: read?.data?.data?.current_tier?.limit_per_minute || null, atMs: options.system.nowMs() }
  }
  return {
    perMinute: () => (fresh() ? (known?.perMinute ?? null) : null),
    learn: () => {
      if (asking || fresh()) return
      asking = true
      ask()
        .catch(() => {
          known = { perMinute: null, atMs: options.system.nowMs() }
        })
        .finally(() => {
          asking = false
        })
    },
  }
}
