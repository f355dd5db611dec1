/** How a post is named: by URN or by address (specification «Tracked posts»; POS-02..POS-07, POS-19, POS-21). */
import { z } from 'zod'
import { bounds } from './bounds.ts'

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

const forms = 'send the address of its feed update (https://www.linkedin.com/feed/update/urn:li:activity:…), its share-menu link (https://www.linkedin.com/posts/…-activity-…), or its bare urn:li:activity:… or urn:li:ugcPost:…'

/** A post to be tracked, as submitted, with the URN it names. */
export const postAddress = z
  .string({ error: `must be text: ${forms}` })
  .transform((text, context) => {
    const reference = readPostReference(text)
    if (text.trim() === '') context.addIssue({ code: 'custom', message: `must not be empty: ${forms}` })
    else if (text.length > bounds.postUrl) context.addIssue({ code: 'custom', message: `must be at most ${bounds.postUrl} characters` })
    else if (reference.kind === 'share') context.addIssue({ code: 'custom', message: `must not name a share: ${forms}` })
    else if (reference.kind === 'other') context.addIssue({ code: 'custom', message: `must name a post: ${forms}` })
    return { submitted: text, urn: reference.kind === 'post' ? reference.urn : '' }
  })
  .meta({ description: 'Feed-update address, share-menu permalink, or a bare activity or ugcPost URN; a share URN is refused in any form.', openapi: { type: 'string', minLength: 1, maxLength: bounds.postUrl } })

/** A post's URN in a path. */
export const postUrnInPath = z
  .string()
  .transform((text, context) => {
    const reference = readPostUrn(text)
    if (reference.kind !== 'post') context.addIssue({ code: 'custom', message: 'must be the URN of a post: urn:li:activity:… or urn:li:ugcPost:…' })
    return reference.kind === 'post' ? reference.urn : ''
  })
  .meta({ description: '`urn:li:activity:…` or `urn:li:ugcPost:…`, percent-encoded or not.', openapi: { type: 'string', pattern: '^urn:li:(activity|ugcPost):[0-9]+$' } })
