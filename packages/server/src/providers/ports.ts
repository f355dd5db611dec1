/**
 * What the service asks of the outside world, in the service's own words.
 *
 * Adapters (HarvestAPI, LinkdAPI) implement `NetworkProvider`; the business knows only these types. Every text in them has
 * been cleaned (no NUL, no control characters, no lone surrogates), every key normalised: people by member id (`ACoA…`),
 * posts by activity URN (`urn:li:activity:<n>`), companies by `urn:li:company:<n>`.
 */

export {
  type AccountTrouble,
  comeBackHeaders,
  describeFailure,
  type Held,
  ProviderFailure,
  type ProviderFailureKind,
  troubleWords,
  whatFailed,
} from './failure.ts'

/**
 * A vendor of network data by its id, such as `harvestapi`, or by its part (`primary`, `fallback`), as callers of the interface name it; a
 * paged read never changes vendor once page 0 has been answered.
 */
export type VendorId = string

/** Stands for the first vendor of the list, where none has served yet. */
export const firstVendor: VendorId = 'primary'

/** A person as any list shows them; `null` where the vendor served nothing. */
export type PersonSummary = {
  /** Member id, `ACoA…`. */
  readonly urn: string
  /** Other member ids in the same record, as one of Sales Navigator; absent where there is none. */
  readonly otherUrns?: readonly string[]
  /** Null when the vendor shows a placeholder ("LinkedIn Member") or only an id. */
  readonly name: string | null
  readonly headline: string | null
  /** Public handle in lower case, percent-encoding undone; null when the list links by member id. */
  readonly handle: string | null
  /** Address of the profile: the handle's when known, else the member id's. */
  readonly linkedinUrl: string
  readonly avatarUrl: string | null
}

/** Who did something: a person, or a company page (which never becomes a lead). */
export type Actor =
  | ({ readonly kind: 'person' } & PersonSummary)
  | { readonly kind: 'company'; readonly name: string | null; readonly linkedinUrl: string | null }

/** A company as a position names it. */
export type CompanyRef = {
  /** `urn:li:company:<n>`; null when the employer has no page. */
  readonly urn: string | null
  /** The page's slug in lower case, when known. */
  readonly slug: string | null
  readonly name: string | null
}

/** A job that is held now. */
export type CurrentJob = { readonly title: string | null; readonly company: CompanyRef | null }

/** A person's profile as enrichment needs it. */
export type Profile = PersonSummary & {
  /** Every job held now, the one that the profile marks first before the others; empty when it shows none. */
  readonly jobs: readonly CurrentJob[]
  /** Title of the first of them; null when the profile names none. Never the headline, in which people write what they like. */
  readonly jobTitle: string | null
  /** Country in English, from the profile's location. */
  readonly country: string | null
  /** ISO 3166-1 alpha-2 in upper case. */
  readonly countryCode: string | null
  /** Employer in the first of the jobs. */
  readonly company: CompanyRef | null
}

/** A company page's record, flat. */
export type CompanyRecord = {
  /** `urn:li:company:<n>`. */
  readonly urn: string
  readonly slug: string
  readonly name: string
  /** The page on the network. */
  readonly linkedinUrl: string
  /** The company's own website; never an address on the network. */
  readonly website: string | null
  /** The network's present name of it. */
  readonly industry: string | null
  /** The network's number of it, where it is known. */
  readonly industryId: string | null
  readonly employeeCount: number | null
  /** Size bucket in the product's spelling: `1-10`, `11-50`, …, `10001+`. */
  readonly staffRange: string | null
  readonly headquarters: string | null
  readonly description: string | null
  readonly foundedYear: number | null
  readonly followerCount: number | null
  readonly specialties: readonly string[]
  readonly logoUrl: string | null
  readonly coverUrl: string | null
}

/** What kind of medium a post carries, in the specification's spelling. */
export type ContentType = 'VIDEO' | 'IMAGE' | 'JOB' | 'LIVE_VIDEO' | 'DOCUMENT' | 'COLLABORATIVE_ARTICLE'

/** A post. Posts of others that a feed shows are left out by adapters. */
export type Post = {
  /** `urn:li:activity:<n>`. */
  readonly urn: string
  readonly url: string
  /** Null when the vendor served none. */
  readonly text: string | null
  readonly author: {
    /** `erased`: a person whom the team has had erased, of whom nothing else is known; no vendor says that. */
    readonly kind: 'person' | 'company' | 'erased'
    readonly urn: string | null
    /** Other member ids in the same record; absent where there is none. */
    readonly otherUrns?: readonly string[]
    readonly name: string | null
    readonly url: string | null
    readonly headline: string | null
  }
  /** ISO 8601 in UTC; null when the vendor served none. */
  readonly postedAt: string | null
  readonly contentType: ContentType | null
  /** As the network counts: reactions of all types; comments with their replies. Null when not served. */
  readonly totalReactionCount: number | null
  readonly commentsCount: number | null
  /** Other URNs this post is known under (ugcPost, share). */
  readonly aliases: readonly string[]
}

/** The network's own names of reactions. */
export type ReactionName = 'Like' | 'Praise' | 'Empathy' | 'Appreciation' | 'Interest' | 'Entertainment'

/** One reaction on a post; the network serves no time for it. */
export type Reaction = { readonly actor: Actor; readonly reaction: ReactionName }

/** One comment or reply. */
export type Comment = {
  readonly id: string
  readonly actor: Actor
  readonly text: string | null
  /** ISO 8601; null when not served. */
  readonly postedAt: string | null
  /** Null for a top-level comment. */
  readonly parentId: string | null
}

/** Where a paged read goes on; opaque to everyone but the adapter that made it (plain JSON, at most 2 KB). */
export type PageCursor = { readonly [key: string]: string | number | boolean | null }

/** One page of a paged read. */
export type Page<T> = {
  readonly items: readonly T[]
  /** Null when the vendor says that nothing follows. */
  readonly next: PageCursor | null
  /** The number of items the vendor declares for the whole read, when it does. */
  readonly total: number | null
  /** True when the vendor declares more than it serves and has stopped serving (an empty page that claims more). */
  readonly cutShort: boolean
  /** True when the rest is left where it is because the fallback's pages cost too much: more is there (docs/decisions/0012). */
  readonly leftForPrice?: boolean
  /** Who answered. */
  readonly source: VendorId
}

/** Replies that a page of comments did not carry and that can be asked for. */
export type RepliesRef = { readonly commentId: string; readonly cursor: PageCursor }

/** A page of comments: `items` holds comments and the replies that came with them, parents first; `countsReplies`: so does `total`. */
export type CommentsPage = Page<Comment> & {
  readonly moreReplies: readonly RepliesRef[]
  readonly countsReplies?: boolean
}

/** How to find an author's posts; `alias` is another handle or slug that they are known by, such as their present one. */
export type PostsOf = { readonly urn: string | null; readonly alias?: string | null } & (
  | { readonly kind: 'person'; readonly handle: string }
  | { readonly kind: 'company'; readonly slug: string }
)

/**
 * The targeting filters of a search of posts; ids are bare (member ids, numbers of pages and industries). An empty list
 * filters nothing.
 */
export type SearchFilters = {
  readonly authorIndustry?: readonly string[]
  /** Pages at which the author works. */
  readonly authorCompany?: readonly string[]
  /** Words in the author's headline or title; any of them suffices (G122). */
  readonly authorKeyword?: readonly string[]
  readonly fromPerson?: readonly string[]
  readonly fromCompany?: readonly string[]
  readonly mentionsPerson?: readonly string[]
  readonly mentionsCompany?: readonly string[]
}

/** What a search of posts asks for. */
export type PostSearch = {
  /** One term: all its words in any order; a quoted phrase keeps its quotes (G123). */
  readonly term: string
  readonly sort: 'RELEVANCE' | 'DATE_POSTED'
  readonly datePosted: 'PAST_24_HOURS' | 'PAST_WEEK' | 'PAST_MONTH'
  readonly contentType: ContentType | null
  readonly filters: SearchFilters
}

/**
 * A page of found posts; `unapplied` names the targeting filters that this vendor could not apply and the adapter could
 * not make up for.
 */
export type SearchPage = Page<Post> & { readonly unapplied: readonly (keyof SearchFilters)[] }

/** Options of every call: an absolute deadline comes from the caller, in milliseconds from now. */
export type CallOptions = {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Awaited once the call has its place in the account's budget, right before it goes; what it throws is thrown, and nothing goes. */
  readonly beforeSend?: () => Promise<void>
  /** Of a paged read: the fallback's pages are read up to the operator's cap on them, as background work does. */
  readonly capFallback?: boolean
}

/** A post as reads name it. */
type PostRef = { readonly urn: string; readonly url: string }

/** What can be read of the network; `At` is where a paged read goes on, null for its first page. All methods throw `ProviderFailure`. */
interface NetworkReads<At> {
  /** How many calls the account takes at once, as far as its vendor has said so; of several vendors the first one's. */
  callsAtOnce(): number
  /** Handle to member id; `not_found` when there is no such person. */
  resolveHandle(handle: string, options?: CallOptions): Promise<{ urn: string; handle: string }>
  /** A profile by handle or member id. */
  profile(who: { handle: string } | { urn: string }, options?: CallOptions): Promise<Profile>
  /** A company page's record by slug or URN. */
  company(which: { slug: string } | { urn: string }, options?: CallOptions): Promise<CompanyRecord>
  /** Posts that an author wrote, newest first as the vendor lists them; what else their feed shows is left out. */
  posts(of: PostsOf, at: At | null, options?: CallOptions): Promise<Page<Post>>
  /** One post by URN (activity or ugcPost). */
  post(urn: string, options?: CallOptions): Promise<Post>
  /** Reactions on a post. */
  reactions(post: PostRef, at: At | null, options?: CallOptions): Promise<Page<Reaction>>
  /** Comments on a post, with the replies the vendor serves along. */
  comments(post: PostRef, at: At | null, options?: CallOptions): Promise<CommentsPage>
  /** Posts that a search finds, in the vendor's order; reposts, and posts without an activity number, left out. */
  searchPosts(search: PostSearch, at: At | null, options?: CallOptions): Promise<SearchPage>
}

/** One vendor of network data; it never answers half. */
export interface NetworkProvider extends NetworkReads<PageCursor> {
  /** The replies a comments page named in `moreReplies`. */
  replies(post: PostRef, ref: RepliesRef, options?: CallOptions): Promise<Page<Comment>>
}

/** A later page: who served page 0 and where to go on. */
export type PageAt = { readonly from: VendorId; readonly cursor: PageCursor }

/**
 * The network as the business sees it: a list of vendors, the primary first.
 *
 * Page 0 goes to the primary, and to the next when it fails with anything but `not_found`; `from` names the vendor that served page 0
 * and is required for every later page, which goes to no other.
 */
export interface Network extends NetworkReads<PageAt> {
  /** The part of a vendor in answers of the interface: the first of the list, or one that is asked after it. */
  roleOf(source: VendorId): 'primary' | 'fallback'
  replies(post: PostRef, from: VendorId, ref: RepliesRef, options?: CallOptions): Promise<Page<Comment>>
}
