import {
  type CallOptions,
  type Network,
  type NetworkProvider,
  type Page,
  type PageAt,
  ProviderFailure,
  type VendorId,
} from '../ports.ts'
import { capPages, pagesRead } from './rules/fallback-pages.ts'

/** A vendor's share of a caller's time when another stands behind it. */
const SHARE = 0.6

/** Added to the wait for a held vendor while the other one answers badly: each such look may cost a call. */
const oneFailedMs = 10 * 60_000

/** A vendor of network data, and the id by which stored cursors name it. */
export type ListedVendor = { readonly id: VendorId; readonly vendor: NetworkProvider }

/** What rows of earlier releases say instead of an id: the first of the list, and the second. */
const places: readonly VendorId[] = ['primary', 'fallback']

/**
 * One network out of a list of vendors, the primary first.
 *
 * Single reads and page 0 go to the next one when a vendor fails with anything but `not_found`; a later page goes to whoever
 * served page 0 and to nobody else, since page sizes and order differ, and cursors of one vendor mean nothing to another: who served
 * is named by id, so that a list that has changed sends no cursor astray (decision 0012). `fallbackPages`: pages of one read that
 * others than the first serve to work that asks for this cap, since they are the dearer ones; the rest is left there, and the page
 * says so.
 */
export function createNetwork(
  vendors: readonly ListedVendor[],
  { fallbackPages = Number.POSITIVE_INFINITY }: { readonly fallbackPages?: number } = {},
): Network {
  if (vendors.length === 0) throw new Error('no network vendor is set up')

  async function first<T>(
    options: CallOptions | undefined,
    work: (vendor: NetworkProvider, options: CallOptions | undefined, source: VendorId) => Promise<T>,
  ): Promise<T> {
    let left = options?.timeoutMs
    let failed: ProviderFailure | undefined
    for (const [index, { id, vendor }] of vendors.entries()) {
      const share = left === undefined || index === vendors.length - 1 ? left : Math.ceil(left * SHARE)
      try {
        return await work(vendor, share === undefined ? options : { ...options, timeoutMs: share }, id)
      } catch (failure) {
        // "No such thing" is an answer; the trouble of a later vendor says less than that of the first.
        if (!(failure instanceof ProviderFailure) || failure.kind === 'not_found') throw failure
        if (options?.signal?.aborted) throw failed ?? failure
        failed = failed ? bothFailed(failed, failure) : failure
      }
      if (left !== undefined) left = Math.ceil(left * (1 - SHARE))
    }
    throw failed!
  }

  /** Put off until either is free; tried again less often when the one that could be asked has failed. */
  function bothFailed(failure: ProviderFailure, second: ProviderFailure): ProviderFailure {
    const [one, other] = [failure.held, second.held]
    if (one && other) return one.until <= other.until ? failure : failure.whileHeld({ ...one, until: other.until })
    if (!one && !other) return failure
    const held = (one ?? other)!
    return failure.whileHeld({ ...held, until: new Date(held.until.getTime() + oneFailedMs) })
  }

  const placeOf = (source: VendorId): number => {
    const at = vendors.findIndex(({ id }) => id === source)
    return at < 0 ? places.indexOf(source) : at
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
    {
      operation,
      at,
      options,
    }: { readonly operation: string; readonly at: PageAt | null; readonly options: CallOptions | undefined },
    read: (vendor: NetworkProvider, cursor: PageAt['cursor'] | null, options: CallOptions | undefined) => Promise<P>,
  ): Promise<P> {
    const served = (page: P, source: VendorId): P =>
      capPages(
        { ...page, source },
        { pagesBefore: pagesRead(at), most: placeOf(source) > 0 && options?.capFallback ? fallbackPages : null },
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
