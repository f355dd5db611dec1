/** One network out of several vendors, each behind the breaker of its account. */
import { throughBreaker, type VendorBreaker } from '../breaker/breaker.ts'
import {
  type CallOptions,
  type Held,
  type Network,
  type NetworkProvider,
  type Page,
  type PageAt,
  ProviderFailure,
  type VendorId,
} from '../ports.ts'

/** A vendor's share of a caller's time when another one can be asked after it. */
const timeShare = 0.6

/** Added to the wait for a held vendor while the other one answers badly: each such try may cost a call. */
const oneFailedMs = 10 * 60_000

/** What callers of the interface say in place of an id: the first of the list, and the second. */
const parts: readonly VendorId[] = ['primary', 'fallback']

/** A vendor of network data, and the id by which stored cursors name it. */
type ListedVendor = { readonly id: VendorId; readonly vendor: NetworkProvider }

/**
 * One network out of a list of vendors, the primary first.
 *
 * Single reads and page 0 go to the next one when a vendor fails with anything but `not_found`; a later page goes to the vendor that
 * served page 0 and to no other, since page sizes and order differ, and cursors of one vendor mean nothing to another: it is named by
 * id, so that a list that has changed sends no cursor astray (decision 0012). `fallbackPages`: pages of one read that others than the
 * first serve to work that asks for this cap, since they cost many times as much; the rest is left there, and the page says so.
 */
export function createNetwork(
  vendors: readonly ListedVendor[],
  { fallbackPages = Number.POSITIVE_INFINITY }: { fallbackPages?: number } = {},
): Network {
  if (vendors.length === 0) throw new Error('no network vendor is set up')

  async function first<T>(
    options: CallOptions | undefined,
    work: (vendor: NetworkProvider, options: CallOptions | undefined, source: VendorId) => Promise<T>,
  ): Promise<T> {
    let left = options?.timeoutMs
    let failed: ProviderFailure | undefined
    for (const [index, { id, vendor }] of vendors.entries()) {
      const share = left === undefined || index === vendors.length - 1 ? left : Math.ceil(left * timeShare)
      try {
        return await work(vendor, share === undefined ? options : { ...options, timeoutMs: share }, id)
      } catch (failure) {
        // "No such thing" is an answer; the trouble of a later vendor says less than that of the first.
        if (!(failure instanceof ProviderFailure) || failure.kind === 'not_found') throw failure
        if (options?.signal?.aborted) throw failed ?? failure
        failed = failed ? bothFailed(failed, failure) : failure
      }
      if (left !== undefined) left = Math.ceil(left * (1 - timeShare))
    }
    throw failed!
  }

  /** Rescheduled until either is free; tried again less often when the one that could be asked has failed. */
  function bothFailed(failure: ProviderFailure, second: ProviderFailure): ProviderFailure {
    const [one, other] = [failure.held, second.held]
    if (one && other) return one.until <= other.until ? failure : failure.whileHeld({ ...one, until: other.until })
    if (!one && !other) return failure
    const held = (one ?? other)!
    return failure.whileHeld({ ...held, until: new Date(held.until.getTime() + oneFailedMs) })
  }

  const placeOf = (source: VendorId): number => {
    const at = vendors.findIndex(({ id }) => id === source)
    return at < 0 ? parts.indexOf(source) : at
  }

  function servedBy(source: VendorId, operation: string): NetworkProvider {
    const listed = vendors[placeOf(source)]
    if (!listed)
      throw new ProviderFailure({
        provider: source,
        operation,
        kind: 'unavailable',
        message: `${operation}: ${source}, which served the first page, is no longer configured`,
      })
    return listed.vendor
  }

  async function paged<P extends Page<unknown>>(
    { operation, at, options }: { operation: string; at: PageAt | null; options: CallOptions | undefined },
    read: (vendor: NetworkProvider, cursor: PageAt['cursor'] | null, options: CallOptions | undefined) => Promise<P>,
  ): Promise<P> {
    const served = (page: P, source: VendorId): P =>
      capPages(
        { ...page, source },
        { pagesBefore: pagesRead(at), maxPages: placeOf(source) > 0 && options?.capFallback ? fallbackPages : null },
      )
    if (at !== null) return served(await read(servedBy(at.from, operation), at.cursor, options), at.from)
    return first(options, async (vendor, callOptions, source) => served(await read(vendor, null, callOptions), source))
  }

  return {
    roleOf: (source) => (placeOf(source) === 0 ? 'primary' : 'fallback'),
    callsAtOnce: () => vendors[0]!.vendor.callsAtOnce(),
    resolveHandle: (handle, options) =>
      first(options, (vendor, callOptions) => vendor.resolveHandle(handle, callOptions)),
    profile: (who, options) => first(options, (vendor, callOptions) => vendor.profile(who, callOptions)),
    company: (which, options) => first(options, (vendor, callOptions) => vendor.company(which, callOptions)),
    post: (urn, options) => first(options, (vendor, callOptions) => vendor.post(urn, callOptions)),
    posts: (of, at, options) =>
      paged({ operation: 'posts', at, options }, (vendor, cursor, callOptions) =>
        vendor.posts(of, cursor, callOptions),
      ),
    reactions: (post, at, options) =>
      paged({ operation: 'reactions', at, options }, (vendor, cursor, callOptions) =>
        vendor.reactions(post, cursor, callOptions),
      ),
    comments: (post, at, options) =>
      paged({ operation: 'comments', at, options }, (vendor, cursor, callOptions) =>
        vendor.comments(post, cursor, callOptions),
      ),
    searchPosts: (search, at, options) =>
      paged({ operation: 'searchPosts', at, options }, (vendor, cursor, callOptions) =>
        vendor.searchPosts(search, cursor, callOptions),
      ),
    replies: async (post, from, ref, options) => ({
      ...(await servedBy(from, 'replies').replies(post, ref, options)),
      source: from,
    }),
  }
}

/** Where a cursor counts the pages of its read, next to the adapter's own keys. */
const countKey = 'fallbackPages'

/** Pages of a read before the one that is asked for now. */
function pagesRead(at: PageAt | null): number {
  const count = at?.cursor[countKey]
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0
}

/** Ends a read after `maxPages` pages; the last one says `leftForPrice` when the vendor had more. Null counts nothing. */
function capPages<P extends Page<unknown>>(
  page: P,
  { pagesBefore, maxPages }: { pagesBefore: number; maxPages: number | null },
): P {
  if (maxPages === null || page.next === null) return page
  const pages = pagesBefore + 1
  return pages >= maxPages
    ? { ...page, next: null, leftForPrice: true }
    : { ...page, next: { ...page.next, [countKey]: pages } }
}

const heldKinds = {
  away: 'unavailable',
  key: 'account',
  money: 'account',
  rate: 'rate_limited',
  cap: 'unavailable',
} as const

/** A vendor behind the breaker of its account: while it is held nothing is asked of it, and the next vendor is. */
export function heldVendor(vendor: string, provider: NetworkProvider, breaker: VendorBreaker): NetworkProvider {
  function ask<T>(operation: string, options: CallOptions | undefined, call: () => Promise<T>): Promise<T> {
    const refuse = (held: Held, afterMs: number) =>
      new ProviderFailure({
        provider: vendor,
        operation,
        kind: heldKinds[held.reason],
        message: `${vendor} ${operation}: not asked, since its account is held (${held.reason})`,
        retryAfterMs: afterMs,
        held,
        why: held.reason === 'key' || held.reason === 'money' ? held.reason : null,
      })
    const account = { account: vendor, probesItself: false, signal: options?.signal, refuse }
    return throughBreaker(breaker, account, call)
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
