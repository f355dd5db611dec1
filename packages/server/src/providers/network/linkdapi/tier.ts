import { z } from 'zod'
import { passedMs } from '../../../platform/clock.ts'
import { count, maybe } from '../normal/lenient.ts'
import type { AdapterOptions } from '../vendor-client.ts'

const answer = z.object({ data: maybe(z.object({ current_tier: maybe(z.object({ limit_per_minute: count })) })) })

/** A limit once read is believed for this long; more credits raise it. One that could not be read is asked for sooner. */
const BELIEVED_MS = 10 * 60_000
const UNREAD_MS = 60_000
/** Refusals this soon after the limit was read say nothing new of it. */
const REFUSED_MS = 60_000

/** The documented rate of an account with at least 100 credits: what is kept to until the account has said its own. */
const DOCUMENTED_PER_MINUTE = 30

/**
 * The account's calls per minute, which depend on its credits: asked for beside the first call, which is free, and again after a
 * refusal. Until it is known the documented rate holds; an account that says nothing of a limit has none of ours, and the vendor's
 * 429 still rules.
 */
export function createTier(options: Pick<AdapterOptions, 'baseUrl' | 'apiKey' | 'egress' | 'system'>): {
  /** What is kept to now; asks the account when nothing is known, without waiting for it. */
  perMinute(): number | null
  /** A call was refused: what was believed is wrong. */
  learn(): void
} {
  let known: { perMinute: number | null; atMs: number; readable: boolean } | null = null
  let asking = false
  const age = () => (known === null ? Number.POSITIVE_INFINITY : passedMs(known.atMs, options.system.nowMs()))
  const fresh = () => age() < (known?.readable ? BELIEVED_MS : UNREAD_MS)
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
    if (!read?.success) throw new Error('the account says nothing of its rate')
    known = {
      perMinute: read.data.data?.current_tier?.limit_per_minute || null,
      atMs: options.system.nowMs(),
      readable: true,
    }
  }
  const look = (): void => {
    if (asking) return
    asking = true
    ask()
      .catch(() => {
        known = {
          perMinute: known?.perMinute ?? DOCUMENTED_PER_MINUTE,
          atMs: options.system.nowMs(),
          readable: false,
        }
      })
      .finally(() => {
        asking = false
      })
  }
  return {
    perMinute: () => {
      if (!fresh()) look()
      return known === null ? DOCUMENTED_PER_MINUTE : known.perMinute
    },
    learn: () => {
      if (age() > REFUSED_MS) look()
    },
  }
}
