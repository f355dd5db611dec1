/** A data vendor behind the breaker of its account: while it is held nothing is asked of it, and the failover looks elsewhere. */
import { throughBreaker, type Through, type VendorBreaker } from '../breaker/port.ts'
import { troubleOf } from '../breaker/rules/breaker.ts'
import { ProviderFailure, type CallOptions, type Held, type NetworkProvider } from '../ports.ts'
import { BudgetExhausted } from './budget.ts'

const kinds = {
  away: 'unavailable',
  key: 'account',
  money: 'account',
  rate: 'rate_limited',
  cap: 'unavailable',
} as const

/** The failure of a call that was not made. */
export function heldFailure(
  provider: string,
  operation: string,
  { held, afterMs }: { readonly held: Held; readonly afterMs: number },
): ProviderFailure {
  return new ProviderFailure({
    provider,
    operation,
    kind: kinds[held.reason],
    message: `${provider} ${operation}: not asked, since its account is held (${held.reason})`,
    retryAfterMs: afterMs,
    held,
    why: held.reason === 'key' || held.reason === 'money' ? held.reason : null,
  })
}

/** The vendor, asked through the breaker. */
export function heldVendor(vendor: string, provider: NetworkProvider, breaker: VendorBreaker): NetworkProvider {
  const ask = <T>(operation: string, options: CallOptions | undefined, call: () => Promise<T>): Promise<T> => {
    const how: Through = {
      account: vendor,
      probesItself: false,
      // Whoever was given up by its caller, or found no place in our own budget, has learnt nothing about the vendor.
      read: (error) =>
        error instanceof ProviderFailure && !options?.signal?.aborted && !(error.cause instanceof BudgetExhausted)
          ? troubleOf(error)
          : null,
      refuse: (held, afterMs) => heldFailure(vendor, operation, { held, afterMs }),
      mark: (error, held) => (error instanceof ProviderFailure ? error.whileHeld(held) : error),
    }
    return throughBreaker(breaker, how, call)
  }
  return {
    callsAtOnce: () => provider.callsAtOnce(),
    resolveHandle: (handle, options) => ask('resolveHandle', options, () => provider.resolveHandle(handle, options)),
    profile: (who, options) => ask('profile', options, () => provider.profile(who, options)),
    company: (which, options) => ask('company', options, () => provider.company(which, options)),
    posts: (of, cursor, options) => ask('posts', options, () => provider.posts(of, cursor, options)),
    post: (urn, options) => ask('post', options, () => provider.post(urn, options)),
    reactions: (post, cursor, options) => ask('reactions', options, () => provider.reactions(post, cursor, options)),
    comments: (post, cursor, options) => ask('comments', options, () => provider.comments(post, cursor, options)),
    replies: (post, ref, options) => ask('replies', options, () => provider.replies(post, ref, options)),
    searchPosts: (search, cursor, options) =>
      ask('searchPosts', options, () => provider.searchPosts(search, cursor, options)),
  }
}
