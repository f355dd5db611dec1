/** Reads posts from URNs and addresses (specification «Tracked posts»; POS-02..POS-07, POS-19, POS-21). */
import { networkUrl, parseAddress, pathParts, unwrapped } from './network-address.ts'
import { decodeFully } from './percent.ts'

/** A post by its URN; a share, short link, article or group post (never accepted); or anything else. */
export type PostReference =
  | { readonly kind: 'post'; readonly urn: string }
  | { readonly kind: 'share' | 'short' | 'article' | 'group' | 'other' }

const bareUrn = /^urn:li:(activity|ugcPost|share):(\d{1,25})$/i
/** The URN of an update contains that of its post. */
const updateUrn = /^urn:li:(?:fsd_update|fs_updateV2|fs_feedUpdate):\((?:V2,)?(urn:li:[a-z]+:\d{1,25})[,)]/i
const groupUrn = /^urn:li:groupPost:/i
function named(kind: string, number: string): PostReference {
  if (kind.toLowerCase() === 'share') return { kind: 'share' }
  return { kind: 'post', urn: `urn:li:${kind.toLowerCase() === 'activity' ? 'activity' : 'ugcPost'}:${number}` }
}

const asUrn = (text: string): PostReference => {
  const urn = bareUrn.exec(updateUrn.exec(text)?.[1] ?? text)
  if (urn) return named(urn[1]!, urn[2]!)
  return { kind: groupUrn.test(text) ? 'group' : 'other' }
}

/** Drops punctuation of the sentence that an address was copied from. */
const withoutEnd = (part: string): string => part.replace(/[.,;:!?…]$/, '')

/** A URN in an address may lack `urn:li:`. */
function asPart(part: string): PostReference {
  const urn = withoutEnd(part)
  return asUrn(/^(?:activity|ugcPost|share):/i.test(urn) ? `urn:li:${urn}` : urn)
}

/** The last number of a permalink is the post's; the words before it may contain others. */
function asPermalink(part: string): PostReference {
  const found = /^(?:.*[_-])?(activity|ugcPost|share)-(\d{1,25})(?:-.*)?$/i.exec(withoutEnd(part))
  return found ? named(found[1]!, found[2]!) : { kind: 'other' }
}

const asNumber = (text: string): PostReference =>
  /^\d{1,25}$/.test(text) ? named('activity', text) : { kind: 'other' }

/** Pages of a post, and how to read the path segment that names it. */
const pages: readonly (readonly [path: RegExp, read: (part: string) => PostReference])[] = [
  [/^(?:embed\/)?feed\/update\/([^/]+)$/i, asPart],
  [/^posts\/([^/]+)$/i, asPermalink],
  [/^video\/(?:embed\/)?(?:live|event)\/([^/]+)$/i, asPart],
  [/^analytics\/post-summary\/([^/]+)$/i, asPart],
  [/^hp\/update\/([^/]+)$/i, asNumber],
]

function inPath(url: URL): PostReference {
  // A trailing encoded slash is not part of the name.
  const path = pathParts(url).join('/').replace(/\/$/, '')
  for (const [page, read] of pages) {
    const found = page.exec(path)
    if (found) return read(found[1]!)
  }
  if (/^nhome\/updates$/i.test(path)) return asNumber(url.searchParams.get('topic') ?? '')
  if (/^slink$/i.test(path)) return { kind: 'short' }
  if (/^(?:pulse|newsletters)(?:\/|$)/i.test(path)) return { kind: 'article' }
  return { kind: /^groups\//i.test(path) ? 'group' : 'other' }
}

/** Reads a bare activity or ugcPost URN; a share URN has kind `share`. */
export const readPostUrn = (text: string): PostReference => asUrn(decodeFully(text.trim()))

/** Reads a bare URN or any address of a post (pages, mails, share menus), percent-encoded or not. */
export function readPostReference(text: string): PostReference {
  const plain = unwrapped(text)
  const bare = asUrn(decodeFully(plain))
  if (bare.kind !== 'other') return bare
  if (/^(?:www\.)?lnkd\.in$/.test(parseAddress(plain)?.hostname ?? '')) return { kind: 'short' }
  const url = networkUrl(plain)
  if (url === null) return bare
  const path = inPath(url)
  if (path.kind === 'post') return path
  // These parameters name the post at which a feed or list was opened; next to a share, the post that the share became.
  const opened = ['highlightedUpdateUrn', 'updateEntityUrn'].map((name) =>
    asUrn(decodeFully(url.searchParams.get(name) ?? '')),
  )
  return opened.find(({ kind }) => kind !== 'other') ?? path
}
