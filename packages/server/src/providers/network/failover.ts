import {
  type CallOptions,
  type Network,
  type NetworkProvider,
  type Page,
  type PageAt,
  ProviderFailure,
  type ProviderSource,
} from '../ports.ts'
import { capPages, pagesRead } from './rules/fallback-pages.ts'

/** The primary's share of a caller's time when a fallback stands by. */
const PRIMARY_SHARE = 0.6

/** Added to the wait for a held vendor while the other one answers badly: each such look may cost a call. */
const oneFailedMs = 10 * 60_000

/**
 * One network out of a primary and an optional fallback.
 *
 * Single reads and page 0 go to the fallback when the primary fails with anything but `not_found`; a later page goes to whoever
 * served page 0 and to nobody else, since page sizes and order differ. `fallbackPages`: pages of one read that the fallback serves to
 * work that asks for this cap, since it is the dearer one; the rest is left there, and the page says so.
 */
export function createNetwork(vendors: {
  primary: NetworkProvider
  fallback?: NetworkProvider | undefined
  fallbackPages?: number
}): Network {
  const { primary, fallback, fallbackPages = Number.POSITIVE_INFINITY } = vendors

  async function first<T>(
    options: CallOptions | undefined,
    work: (vendor: NetworkProvider, options: CallOptions | undefined, source: ProviderSource) => Promise<T>,
  ): Promise<T> {
    if (!fallback) return work(primary, options, 'primary')
    const share = (part: number): CallOptions | undefined =>
      options?.timeoutMs === undefined ? options : { ...options, timeoutMs: Math.ceil(options.timeoutMs * part) }
    try {
      return await work(primary, share(PRIMARY_SHARE), 'primary')
    } catch (failure) {
      if (!(failure instanceof ProviderFailure) || failure.kind === 'not_found' || options?.signal?.aborted)
        throw failure
      try {
        return await work(fallback, share(1 - PRIMARY_SHARE), 'fallback')
      } catch (second) {
        // The fallback's "no such thing" is an answer; its own trouble says less than the primary's.
        throw second instanceof ProviderFailure && second.kind !== 'not_found' ? bothFailed(failure, second) : second
      }
    }
  }

  /** Put off until either is free; tried again less often when the one that could be asked has failed. */
  function bothFailed(failure: ProviderFailure, second: ProviderFailure): ProviderFailure {
    const [one, other] = [failure.held, second.held]
    if (one && other) return one.until <= other.until ? failure : failure.whileHeld({ ...one, until: other.until })
    if (!one && !other) return failure
    const held = (one ?? other)!
    return failure.whileHeld({ ...held, until: new Date(held.until.getTime() + oneFailedMs) })
  }

  function servedBy(source: ProviderSource, operation: string): NetworkProvider {
    const vendor = source === 'primary' ? primary : fallback
    if (!vendor)
      throw new ProviderFailure({
        provider: 'fallback',
        operation,
        kind: 'unavailable',
        message: `${operation}: the vendor that served the first page is no longer configured`,
      })
    return vendor
  }

  async function paged<P extends Page<unknown>>(
    operation: string,
    at: PageAt | null,
    options: CallOptions | undefined,
    read: (vendor: NetworkProvider, cursor: PageAt['cursor'] | null, options: CallOptions | undefined) => Promise<P>,
  ): Promise<P> {
    const served = (page: P, source: ProviderSource): P =>
      capPages(
        { ...page, source },
        { pagesBefore: pagesRead(at), most: source === 'fallback' && options?.capFallback ? fallbackPages : null },
      )
    if (at !== null) return served(await read(servedBy(at.from, operation), at.cursor, options), at.from)
    return first(options, async (vendor, callOptions, source) => served(await read(vendor, null, callOptions), source))
  }

  return {
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
