/** The identity of a lead row (G111): an engagement key, unique per owner. */
import type { PersonSummary, ReactionName } from '../../../providers/ports.ts'

/** Key of a reaction. It omits the kind: a person has one reaction per post, and changing it updates the row. */
export const reactionKey = (postUrn: string, personUrn: string): string => `reaction:${postUrn}:${personUrn}`

/** Key of a comment or a reply. */
export const commentKey = (postUrn: string, commentId: string): string => `comment:${postUrn}:${commentId}`

/** Key of a post's author. */
export const authorKey = (postUrn: string): string => `author:${postUrn}`

/** Key of a company page's reaction; pages have no URN here, so their address or name identifies them. */
export const pageReactionKey = (postUrn: string, page: { linkedinUrl: string | null; name: string | null }): string =>
  `reaction:${postUrn}:page:${page.linkedinUrl ?? page.name ?? ''}`

/** An engagement by a company page, or by the erased author of a post (`blocked`): counted, never stored. */
export type PageEngagement = { readonly key: string; readonly person: null; readonly by: 'company' | 'blocked' }

/** An engagement as a page of the network shows it. */
export type ShownEngagement = Engagement | PageEngagement

/** True for an engagement by a person. */
export const isByPerson = (engagement: ShownEngagement): engagement is Engagement => engagement.person !== null

export type Engagement = {
  readonly key: string
  readonly person: PersonSummary
  /** As `/leads` spells it (G116). */
  readonly type: 'Like' | 'Comment' | 'Author'
  /** The network's name of a reaction; null for comments and authors. */
  readonly reaction: ReactionName | null
  readonly isReply: boolean
  readonly commentText: string | null
  readonly commentPostedAt: string | null
}
