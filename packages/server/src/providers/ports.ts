/**
 * The ports of network data: what the business may ask. Adapters (HarvestAPI, LinkdAPI) implement `NetworkProvider` and return
 * clean, normalised values: no NUL, control characters or lone surrogates in text; people keyed by member id (`ACoA…`), posts by
 * `urn:li:activity:<n>`, companies by `urn:li:company:<n>`.
 */

export {
  type AccountTrouble,
  retryAfterHeaders,
  describeFailure,
  type Held,
  ProviderFailure,
  type ProviderFailureKind,
  troubleMessages,
  failureMessage,
} from './failure.ts'

/** A network data vendor: its id (such as `harvestapi`), or its role as API callers name it (`primary`, `fallback`). */
export type VendorId = string

/** Placeholder for the primary vendor where no vendor has answered yet. */
export const firstVendor: VendorId = 'primary'

/** A person as shown in lists; `null` where the vendor returned nothing. */
export type PersonSummary = {
  readonly urn: string
  /** Further member ids in the same record, such as a Sales Navigator one; absent when there are none. */
  readonly otherUrns?: readonly string[]
  /** Null when the vendor shows a placeholder ("LinkedIn Member") or an id. */
  readonly name: string | null
  readonly headline: string | null
  /** Public handle, lower case, percent-decoded; null when the profile link uses the member id. */
  readonly handle: string | null
  readonly linkedinUrl: string
  readonly avatarUrl: string | null
}

/** The author of an engagement: a person or a company page. Company pages never become leads. */
export type Actor =
  | ({ readonly kind: 'person' } & PersonSummary)
  | { readonly kind: 'company'; readonly name: string | null; readonly linkedinUrl: string | null }

/** The employer named by a position; `urn` is null when the employer has no page, `slug` is lower case. */
export type CompanyRef = {
  readonly urn: string | null
  readonly slug: string | null
  readonly name: string | null
}

export type CurrentJob = { readonly title: string | null; readonly company: CompanyRef | null }

/** A profile for enrichment; `country` in English, `countryCode` ISO 3166-1 alpha-2 in upper case, `company` from `jobs[0]`. */
export type Profile = PersonSummary & {
  /** All current jobs, those the profile marks as current first. */
  readonly jobs: readonly CurrentJob[]
  /** Title of `jobs[0]`. Never taken from the headline, which is free text. */
  readonly jobTitle: string | null
  readonly country: string | null
  readonly countryCode: string | null
  readonly company: CompanyRef | null
}

/** A company page's record; `industry` and `industryId` are the network's current name and number. */
export type CompanyRecord = {
  readonly urn: string
  readonly slug: string
  readonly name: string
  readonly linkedinUrl: string
  /** The company's own website, never a URL on the network. */
  readonly website: string | null
  readonly industry: string | null
  readonly industryId: string | null
  readonly employeeCount: number | null
  /** Size bucket as the product spells it: `1-10`, `11-50`, …, `10001+`. */
  readonly staffRange: string | null
  readonly headquarters: string | null
  readonly description: string | null
  readonly foundedYear: number | null
  readonly followerCount: number | null
  readonly specialties: readonly string[]
  readonly logoUrl: string | null
  readonly coverUrl: string | null
}

/** The kind of media in a post, spelled as in the specification. */
export type ContentType = 'VIDEO' | 'IMAGE' | 'JOB' | 'LIVE_VIDEO' | 'DOCUMENT' | 'COLLABORATIVE_ARTICLE'

/** A post; `postedAt` is ISO 8601 in UTC. Adapters leave out reposts and other people's posts shown in a feed. */
export type Post = {
  readonly urn: string
  readonly url: string
  readonly text: string | null
  readonly author: {
    /** `erased`: a person the team has had erased; never returned by a vendor. */
    readonly kind: 'person' | 'company' | 'erased'
    readonly urn: string | null
    readonly otherUrns?: readonly string[]
    readonly name: string | null
    readonly url: string | null
    readonly headline: string | null
  }
  readonly postedAt: string | null
  readonly contentType: ContentType | null
  /** Network counts: reactions of all types; comments including replies. */
  readonly totalReactionCount: number | null
  readonly commentsCount: number | null
  /** Other URNs of the same post (ugcPost, share). */
  readonly aliases: readonly string[]
}

export type ReactionName = 'Like' | 'Praise' | 'Empathy' | 'Appreciation' | 'Interest' | 'Entertainment'

/** A reaction on a post; the network gives no time for it. */
export type Reaction = { readonly actor: Actor; readonly reaction: ReactionName }

/** A comment, or a reply (`parentId` is set); `postedAt` is ISO 8601. */
export type Comment = {
  readonly id: string
  readonly actor: Actor
  readonly text: string | null
  readonly postedAt: string | null
  readonly parentId: string | null
}

/** Where a paged read continues: plain JSON of at most 2 KB, opaque outside the adapter that made it. */
export type PageCursor = { readonly [key: string]: string | number | boolean | null }

/** One page of a paged read; `next` is null at the end, `total` is what the vendor declares for the whole read. */
export type Page<T> = {
  readonly items: readonly T[]
  readonly next: PageCursor | null
  readonly total: number | null
  /** True when the vendor stopped serving before all the items it declared. */
  readonly cutShort: boolean
  /** True when the read stops because of the operator's cap on fallback pages, and more items exist (docs/decisions/0012). */
  readonly leftForPrice?: boolean
  readonly source: VendorId
}

/** Replies that a page of comments did not include and that can be requested. */
export type RepliesRef = { readonly commentId: string; readonly cursor: PageCursor }

/** A page of comments with the replies returned along with them, parents first; `countsReplies`: `total` includes replies. */
export type CommentsPage = Page<Comment> & {
  readonly moreReplies: readonly RepliesRef[]
  readonly countsReplies?: boolean
}

/** An author whose posts are read; `alias` is another known handle or slug, such as the current one. */
export type PostsOf = { readonly urn: string | null; readonly alias?: string | null } & (
  | { readonly kind: 'person'; readonly handle: string }
  | { readonly kind: 'company'; readonly slug: string }
)

/** Targeting filters of a post search. Ids are bare (member ids, company and industry numbers). An empty list filters nothing. */
export type SearchFilters = {
  readonly authorIndustry?: readonly string[]
  readonly authorCompany?: readonly string[]
  /** Words in the author's headline or title; one match is enough (G122). */
  readonly authorKeyword?: readonly string[]
  readonly fromPerson?: readonly string[]
  readonly fromCompany?: readonly string[]
  readonly mentionsPerson?: readonly string[]
  readonly mentionsCompany?: readonly string[]
}

export type PostSearch = {
  /** All words must occur, in any order; quoted phrases keep their quotes (G123). */
  readonly term: string
  readonly sort: 'RELEVANCE' | 'DATE_POSTED'
  readonly datePosted: 'PAST_24_HOURS' | 'PAST_WEEK' | 'PAST_MONTH'
  readonly contentType: ContentType | null
  readonly filters: SearchFilters
}

/** A page of search results; `unapplied` lists filters that neither the vendor nor the adapter could apply. */
export type SearchPage = Page<Post> & { readonly unapplied: readonly (keyof SearchFilters)[] }

/** Options of every call; `timeoutMs` counts from the start of the call. */
export type CallOptions = {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Awaited right before sending, once the call has its budget place; if it rejects, nothing is sent and the error is thrown. */
  readonly beforeSend?: () => Promise<void>
  /** Paged reads only: apply the operator's cap on fallback pages, as background work does. */
  readonly capFallback?: boolean
}

type PostRef = { readonly urn: string; readonly url: string }

/** Reads of the network; `At` says where a paged read continues (null: first page). All methods throw `ProviderFailure`. */
interface NetworkReads<At> {
  /** Concurrent calls the account allows, as far as its vendor has said; with several vendors, the primary's. */
  callsAtOnce(): number
  /** Handle to member id; `not_found` when there is no such person. */
  resolveHandle(handle: string, options?: CallOptions): Promise<{ urn: string; handle: string }>
  profile(who: { handle: string } | { urn: string }, options?: CallOptions): Promise<Profile>
  company(which: { slug: string } | { urn: string }, options?: CallOptions): Promise<CompanyRecord>
  /** Posts written by an author, newest first; other items of the feed are left out. */
  posts(of: PostsOf, at: At | null, options?: CallOptions): Promise<Page<Post>>
  post(urn: string, options?: CallOptions): Promise<Post>
  reactions(post: PostRef, at: At | null, options?: CallOptions): Promise<Page<Reaction>>
  /** Comments, with the replies the vendor returns along with them. */
  comments(post: PostRef, at: At | null, options?: CallOptions): Promise<CommentsPage>
  /** Search results in the vendor's order, without reposts and posts that have no activity number. */
  searchPosts(search: PostSearch, at: At | null, options?: CallOptions): Promise<SearchPage>
}

/** One network data vendor. Every method returns a complete answer or throws. */
export interface NetworkProvider extends NetworkReads<PageCursor> {
  replies(post: PostRef, ref: RepliesRef, options?: CallOptions): Promise<Page<Comment>>
}

/** Where a paged read continues: the vendor of page 0 and its cursor. */
export type PageAt = { readonly from: VendorId; readonly cursor: PageCursor }

/**
 * The network as the business sees it: a list of vendors, primary first. Single reads and page 0 fail over to the next vendor on
 * any failure but `not_found`; later pages go only to the vendor of page 0, named by `from`.
 */
export interface Network extends NetworkReads<PageAt> {
  /** A vendor's role as shown in the API: the first of the list, or a later one. */
  roleOf(source: VendorId): 'primary' | 'fallback'
  replies(post: PostRef, from: VendorId, ref: RepliesRef, options?: CallOptions): Promise<Page<Comment>>
}
