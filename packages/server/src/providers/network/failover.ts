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

/** Share of the caller's remaining time given to a vendor when another one can follow. */
const timeShare = 0.6

/** Added to a held vendor's wait when the other vendor fails, because each such try may cost a call. */
const oneFailedMs = 10 * 60_000

/** Role names that API callers use in place of ids, by position in the list. */
const roleNames: readonly VendorId[] = ['primary', 'fallback']

type ListedVendor = { readonly id: VendorId; readonly vendor: NetworkProvider }

/**
 * One network made of several vendors, primary first. Single reads and page 0 go to the next vendor when one fails with anything
 * but `not_found`. Later pages go only to the vendor of page 0, since page sizes, order and cursors differ; cursors name it by
 * id, so a changed list does not misroute them (decision 0012). `fallbackPages` limits how many pages of one read a fallback
 * serves to work that sets `capFallback`, because these pages cost many times as much; the last page then sets `leftForPrice`.
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
        // "Not found" is an answer. Otherwise the first vendor's failure says more than a later one's.
        if (!(failure instanceof ProviderFailure) || failure.kind === 'not_found') throw failure
        if (options?.signal?.aborted) throw failed ?? failure
        failed = failed ? bothFailed(failed, failure) : failure
      }
      if (left !== undefined) left = Math.ceil(left * (1 - timeShare))
    }
    throw failed!
  }

  /** Held until either vendor is free; longer if the vendor that could be called failed. */
  function bothFailed(failure: ProviderFailure, second: ProviderFailure): ProviderFailure {
    const [one, other] = [failure.held, second.held]
    if (one && other) return one.until <= other.until ? failure : failure.whileHeld({ ...one, until: other.until })
    if (!one && !other) return failure
    const held = (one ?? other)!
    return failure.whileHeld({ ...held, until: new Date(held.until.getTime() + oneFailedMs) })
  }

  const placeOf = (source: VendorId): number => {
    const at = vendors.findIndex(({ id }) => id === source)
    return at < 0 ? roleNames.indexOf(source) : at
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
    operation: string,
    at: PageAt | null,
    options: CallOptions | undefined,
    read: (vendor: NetworkProvider, cursor: PageAt['cursor'] | null, options: CallOptions | undefined) => Promise<P>,
  ): Promise<P> {
    const served = (page: P, source: VendorId): P =>
      placeOf(source) > 0 && options?.capFallback
        ? capPages({ ...page, source }, pagesRead(at) + 1, fallbackPages)
        : { ...page, source }
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
      paged('posts', at, options, (vendor, cursor, callOptions) => vendor.posts(of, cursor, callOptions)),
    reactions: (post, at, options) =>
      paged('reactions', at, options, (vendor, cursor, callOptions) => vendor.reactions(post, cursor, callOptions)),
    comments: (post, at, options) =>
      paged('comments', at, options, (vendor, cursor, callOptions) => vendor.comments(post, cursor, callOptions)),
    searchPosts: (search, at, options) =>
      paged('searchPosts', at, options, (vendor, cursor, callOptions) =>
        vendor.searchPosts(search, cursor, callOptions),
      ),
    replies: async (post, from, ref, options) => ({
      ...(await servedBy(from, 'replies').replies(post, ref, options)),
      source: from,
    }),
  }
}

/** Cursor key that counts a read's pages; must not clash with the adapters' own keys. */
const countKey = 'fallbackPages'

function pagesRead(at: PageAt | null): number {
  const count = at?.cursor[countKey]
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0
}

/** Ends a read after `maxPages` pages, with `leftForPrice` if the vendor has more. */
function capPages<P extends Page<unknown>>(page: P, pages: number, maxPages: number): P {
  if (page.next === null) return page
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

/** A vendor behind its account's breaker: while the account is held, calls fail at once, so the next vendor is asked. */
export function vendorWithBreaker(vendor: string, provider: NetworkProvider, breaker: VendorBreaker): NetworkProvider {
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
