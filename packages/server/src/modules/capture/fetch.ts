/** Asks the network for a run's next page, outside any transaction, and returns how to write it. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { firstVendor, ProviderFailure, type Network, type Page, type PageAt, type Post } from '../../providers/ports.ts'
import type { PersonNamed } from '../network/index.ts'
import { listAuthorPosts, type Run, type RunPost, supplyOf, withPresentName, type Source } from '../sources/index.ts'
import { recordFailure } from './ending.ts'
import { writePosts } from './listing.ts'
import type { Locked } from './lock.ts'
import { listRecognisedAuthors, writeAuthors, writeEngagement, type EngagementPage, type PageParts } from './page.ts'
import { fromComments, fromReactions } from './rules/engagements.ts'
import type { Step } from './rules/next-step.ts'

export type FetchDeps = {
  readonly db: Reader
  readonly network: Network
} & PageParts

/** Writes a page in the unit of work that has locked its run; returns the people on it who were erased and must be removed. */
export type Write = (tx: Tx, locked: Locked) => Promise<readonly PersonNamed[]>

type EngagementStep = Exclude<Step, { kind: 'end' | 'posts' | 'author' }>

/** Both vendors, the fallback with two calls, answer or fail before the lease expires; else the failure is never recorded. */
const withinLease = { timeoutMs: 40_000, capFallback: true } as const

const authorsAtOnce = 50

/**
 * Asks for the pages of steps at the same time (several steps are all of engagement). When some fail, the others are written, and
 * in the same unit the run is rescheduled and the failed posts are marked to be read alone; when all fail, it throws.
 */
export async function fetchPages(
  deps: FetchDeps,
  { source, run }: { source: Source; run: Run },
  steps: readonly [Exclude<Step, { kind: 'end' }>, ...Step[]],
): Promise<Write> {
  const { faultPoint, blockList } = deps
  const [step] = steps
  if (step.kind === 'posts') {
    const page = await listPage(deps, source, step.at)
    return async (tx, locked) => {
      await writePosts(tx, { locked, page, faultPoint, blockList })
      return listRecognisedAuthors(tx, run.teamId, { blockList, posts: page.items })
    }
  }
  if (step.kind === 'author') {
    // One author at a time while each post is read to its end; several when only authors are captured, or posts take turns.
    const { engagers, order } = run.policy
    const posts = engagers && order === 'one_by_one' ? [step.post] : await listAuthorPosts(deps.db, run, authorsAtOnce)
    return (tx, locked) => writeAuthors(tx, { locked, faultPoint, blockList }, posts)
  }
  const asked = steps.filter(isOfEngagement)
  const answers = await Promise.allSettled(asked.map((each) => engagementOf(deps.network, run, each)))
  const failures: unknown[] = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const pages = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const unexpected = failures.find((failure) => !(failure instanceof ProviderFailure))
  if (unexpected !== undefined || pages.length === 0) throw unexpected ?? failures[0]
  const failed = asked.flatMap(({ post }, at) => (answers[at]!.status === 'rejected' ? [post] : []))
  return async (tx, locked) => {
    const { outcome, recognised } = await writeEngagement(tx, { locked, faultPoint, blockList }, pages)
    const failure = failures[0]
    if (outcome !== 'ended' && failure instanceof ProviderFailure)
      await recordFailure(tx, locked, { failure, posts: failed })
    return recognised
  }
}

const isOfEngagement = (step: Step): step is EngagementStep =>
  step.kind !== 'end' && step.kind !== 'posts' && step.kind !== 'author'

/** A page of the listing; a tracked post keeps its URN, so that its engagement keeps its keys when a vendor uses another. */
async function listPage({ db, network }: FetchDeps, source: Source, at: PageAt | null): Promise<Page<Post>> {
  const supply = supplyOf(source)
  if (supply.kind === 'posts')
    return network.posts(await withPresentName(db, source.teamId, supply.of), at, withinLease)
  const post = { ...(await network.post(supply.urn, withinLease)), urn: supply.urn }
  return { items: [post], next: null, total: 1, cutShort: false, source: firstVendor }
}

async function engagementOf(network: Network, run: Run, step: EngagementStep): Promise<EngagementPage> {
  const { post } = step
  const read = { post, cutShort: false, leftForPrice: false }
  switch (step.kind) {
    case 'rest': {
      const { engagements, after, cutShort } = step.rest
      return { ...read, seen: { engagements, engagersSeen: 0 }, after, entries: 0, cutShort }
    }
    case 'reactions': {
      const page = await orNothing(network.reactions(post, step.at, withinLease))
      const onward = { phase: 'reactions', provider: page.source, cursor: page.next, replies: post.replies } as const
      return {
        ...read,
        seen: fromReactions(post, page.items),
        after: page.next === null ? afterReactions(post) : onward,
        entries: page.items.length,
        cutShort: page.cutShort,
        leftForPrice: page.leftForPrice === true,
      }
    }
    case 'comments': {
      const page = await orNothing(network.comments(post, step.at, withinLease))
      const replies = run.policy.replies ? [...post.replies, ...page.moreReplies] : []
      const onward = { phase: 'comments', provider: page.source, cursor: page.next, replies } as const
      return {
        ...read,
        seen: fromComments(post, page.items, run.policy.replies),
        after: page.next === null ? afterComments(replies, page.source) : onward,
        entries: page.items.length,
        leftForPrice: page.leftForPrice === true,
      }
    }
    case 'replies': {
      const { commentId } = step.ref
      const page = await orNothing(network.replies(post, post.provider ?? firstVendor, step.ref, withinLease))
      const rest = post.replies.slice(1)
      return {
        ...read,
        seen: fromComments(post, page.items, run.policy.replies),
        after: afterComments(page.next === null ? rest : [{ commentId, cursor: page.next }, ...rest], post.provider),
        entries: page.items.length,
      }
    }
  }
}

const afterReactions = (post: RunPost): EngagementPage['after'] => ({
  phase: post.commentsDeclared === 0 ? 'done' : 'comments',
  provider: null,
  cursor: null,
  replies: post.replies,
})

const afterComments = (replies: RunPost['replies'], provider: RunPost['provider']): EngagementPage['after'] => ({
  phase: replies.length > 0 ? 'replies' : 'done',
  provider,
  cursor: null,
  replies,
})

/** A post that is gone shows nothing more; the other posts of the run still do. */
const nothing = {
  items: [],
  next: null,
  total: 0,
  cutShort: false,
  leftForPrice: false,
  source: firstVendor,
  moreReplies: [],
} as const

async function orNothing<P>(asked: Promise<P>): Promise<P | typeof nothing> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'not_found') return nothing
    throw error
  }
}
