/** The author of a found post as an engagement (KRN-05, KRN-06; CRD-21, CRD-22). */
import { isMemberId, personHandle, readNetworkAddress } from '@les/contract'
import type { Post } from '../../../providers/ports.ts'
import { authorKey, type Engagement } from '../../leads/rules/engagement.ts'

/** The public handle in the address of a profile; null when it links by member id. */
function handleIn(url: string | null): string | null {
  const address = url === null ? null : readNetworkAddress(url)
  const handle = address?.kind === 'person' ? personHandle.safeParse(address.name).data : undefined
  return handle === undefined || isMemberId(handle) ? null : handle
}

/**
 * The author as a person to capture; `company` for a page, which is nobody, and `unknown` for a person whom no member
 * id names, who could neither be charged nor found again.
 */
export function authorOf(post: Pick<Post, 'urn' | 'author'>): Engagement | 'company' | 'unknown' {
  const { kind, urn, name, url, headline } = post.author
  if (kind === 'company') return 'company'
  if (urn === null) return 'unknown'
  const person = {
    urn,
    name,
    handle: handleIn(url),
    headline,
    linkedinUrl: url ?? `https://www.linkedin.com/in/${urn}`,
    avatarUrl: null,
  }
  return {
    key: authorKey(post.urn),
    person,
    type: 'Author',
    reaction: null,
    isReply: false,
    commentText: null,
    commentPostedAt: null,
  }
}
