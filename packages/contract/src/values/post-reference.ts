/** How a post is named: by URN or by address (specification «Tracked posts»; POS-02..POS-07, POS-19, POS-21). */

/** What a text names: a post by its URN, a share (never accepted), or nothing we know. */
export type PostReference = { readonly kind: 'post'; readonly urn: string } | { readonly kind: 'share' } | { readonly kind: 'other' }

const bareUrn = /^urn:li:(activity|ugcPost|share):(\d{1,25})$/i
const feedUpdate = /^\/feed\/update\/(urn:li:[a-z]+:\d{1,25})\/?$/i
// The last number of a permalink is the post's: its words come first and may name others.
const permalink = /^\/posts\/[^/]*-(activity|ugcPost|share)-(\d{1,25})(?:-[^/]*)?\/?$/i
const networkHost = /^(?:[a-z0-9-]+\.)*linkedin\.com$/i

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function named(kind: string, number: string): PostReference {
  if (kind.toLowerCase() === 'share') return { kind: 'share' }
  return { kind: 'post', urn: `urn:li:${kind.toLowerCase() === 'activity' ? 'activity' : 'ugcPost'}:${number}` }
}

const asUrn = (text: string): PostReference => {
  const urn = bareUrn.exec(text)
  return urn ? named(urn[1]!, urn[2]!) : { kind: 'other' }
}

function pathOf(address: string): string | null {
  const absolute = /^(?:[a-z0-9-]+\.)*linkedin\.com\//i.test(address) ? `https://${address}` : address
  if (!/^https?:\/\//i.test(absolute) || !URL.canParse(absolute)) return null
  const url = new URL(absolute)
  return networkHost.test(url.hostname) && url.username === '' && url.password === '' ? decoded(url.pathname) : null
}

/** Reads a bare activity or ugcPost URN; a share URN is told apart. */
export const readPostUrn = (text: string): PostReference => asUrn(decoded(text.trim()))

/** Reads any form a post is named in: a bare URN, a feed-update address or a share-menu permalink, percent-encoded or not. */
export function readPostReference(text: string): PostReference {
  const trimmed = text.trim()
  // A text without a plain colon is encoded as a whole.
  const plain = trimmed.includes(':') ? trimmed : decoded(trimmed)
  const bare = asUrn(plain)
  if (bare.kind !== 'other') return bare
  const path = pathOf(plain)
  if (path === null) return bare
  const feed = feedUpdate.exec(path)
  if (feed) return asUrn(feed[1]!)
  const shared = permalink.exec(path)
  return shared ? named(shared[1]!, shared[2]!) : { kind: 'other' }
}
