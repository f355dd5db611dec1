import { activityOfShare } from '../world/activity-id.ts'
import type { Company } from '../world/companies.ts'
import type { Post } from '../world/engagement.ts'
import type { Network } from '../world/network.ts'
import type { Person } from '../world/people.ts'

/** The member named by a handle, member id, profile URL or profile URN. */
export function personIn(network: Network, text: string): Person | undefined {
  const plain = decoded(text.trim())
  const inUrl = /\/in\/([^/?#]+)/.exec(plain)?.[1] ?? /fsd_profile:([A-Za-z0-9_-]+)/.exec(plain)?.[1] ?? plain
  return inUrl === '' || /[\s/]/.test(inUrl) ? undefined : network.person(inUrl)
}

/** The page named by a slug, number, page URL or company URN. */
export function companyIn(network: Network, text: string): Company | undefined {
  const plain = decoded(text.trim())
  const inUrl =
    /\/(?:company|school|showcase)\/([^/?#]+)/.exec(plain)?.[1] ?? /(?:fsd_)?company:(\d+)/.exec(plain)?.[1] ?? plain
  return inUrl === '' || /[\s/]/.test(inUrl) ? undefined : network.company(inUrl)
}

/** The post named by an activity number, URN or post URL; a URL also tells the network its possible author. */
export function postIn(network: Network, text: string): Post | undefined {
  const plain = decoded(text.trim())
  const author = /\/posts\/([^/?#_]+)_/.exec(plain)?.[1]
  if (author) {
    // `recall` suffices: generating all posts of both candidates took a fourteenth of the test time.
    network.recall(author)
    network.recall({ company: author })
  }
  const share = /(?:share|ugcPost)[:-](\d{10,20})/i.exec(plain)?.[1]
  if (share) return network.post(activityOfShare(share)) ?? network.post(share)
  const activity = /activity[:-](\d{10,20})/i.exec(plain)?.[1] ?? /^(\d{10,20})$/.exec(plain)?.[1]
  return activity ? network.post(activity) : undefined
}

/** Post and comment ids in a comment's address; a reply's address names the reply and its parent. */
export function commentIn(text: string): { postId: string; commentId: string } | undefined {
  const plain = decoded(decoded(text.trim()))
  const match =
    /comment:\((?:urn:li:)?(?:activity|ugcPost|share):(\d+),(\d+)\)/i.exec(plain) ??
    /fsd_comment:\((\d+),urn:li:activity:(\d+)\)/i.exec(plain)
  if (!match) return undefined
  return /fsd_comment/.test(match[0])
    ? { postId: match[2] as string, commentId: match[1] as string }
    : { postId: match[1] as string, commentId: match[2] as string }
}

/** The permanent address of a comment, or of a reply to `parentId`, as the network writes it. */
export function commentUrl(postId: string, commentId: string, parentId?: string): string {
  const top = parentId ?? commentId
  const urn = (id: string): string =>
    encodeURIComponent(`urn:li:comment:(activity:${postId},${id})`).replace('(', '%28').replace(')', '%29')
  const dash = (id: string): string =>
    encodeURIComponent(`urn:li:fsd_comment:(${id},urn:li:activity:${postId})`).replace('(', '%28').replace(')', '%29')
  const reply = parentId === undefined ? '' : `&replyUrn=${urn(commentId)}`
  const dashReply = parentId === undefined ? '' : `&dashReplyUrn=${dash(commentId)}`
  return (
    `https://www.linkedin.com/feed/update/urn:li:activity:${postId}?commentUrn=${urn(top)}${reply}&` +
    `dashCommentUrn=${dash(top)}${dashReply}`
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
