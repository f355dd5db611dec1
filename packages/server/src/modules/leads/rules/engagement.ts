/** What one lead row is (G111): unique per owner, person, post and engagement. */
import type { ReactionName } from '../../../providers/ports.ts'

/** Key of a reaction: a person has one reaction on a post, a changed one is the same row. */
export const reactionKey = (postUrn: string, personUrn: string): string => `reaction:${postUrn}:${personUrn}`

/** Key of a comment or a reply. */
export const commentKey = (postUrn: string, commentId: string): string => `comment:${postUrn}:${commentId}`

/** Key of a post's author. */
export const authorKey = (postUrn: string): string => `author:${postUrn}`

/** Key of a company page's reaction; pages are known by their address alone. */
export const pageReactionKey = (postUrn: string, page: { linkedinUrl: string | null; name: string | null }): string =>
  `reaction:${postUrn}:page:${page.linkedinUrl ?? page.name ?? ''}`

/** An engagement by a company page, which is nobody, or by the erased author of a post: counted, never stored. */
export type PageEngagement = { readonly key: string; readonly person: null; readonly by: 'company' | 'blocked' }

/** What a page of engagement shows of one engagement. */
export type ShownEngagement = Engagement | PageEngagement

/** True of an engagement by a person. */
export const isByPerson = (engagement: ShownEngagement): engagement is Engagement => engagement.person !== null

/** One engagement about to become a lead row. */
export type Engagement = {
  readonly key: string
  readonly person: {
    readonly urn: string
    readonly name: string | null
    readonly handle: string | null
    readonly headline: string | null
    readonly linkedinUrl: string
    readonly avatarUrl: string | null
  }
  /** As `/leads` spells it (G116). */
  readonly type: 'Like' | 'Comment' | 'Author'
  /** The network's own name of a reaction; null for comments and authors. */
  readonly reaction: ReactionName | null
  readonly isReply: boolean
  readonly commentText: string | null
  readonly commentPostedAt: string | null
}
