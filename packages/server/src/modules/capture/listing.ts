/** Writes a page of a run's listing: posts to work on, or, for a posts-only watch, posts stored and charged. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Page, Post } from '../../providers/ports.ts'
import { chargeAll, insertFreeLines, knownCharges, type Charge } from '../credits/index.ts'
import { offerPosts } from '../delivery/index.ts'
import { rememberPosts, requestEnrichment } from '../network/index.ts'
import { resumeSkipped } from '../leads/index.ts'
import {
  appendRunPosts,
  saveCheckpoint,
  type LeftPost,
  type Run,
  type RunPostDraft,
  type RunProgress,
  moveCounts,
} from '../sources/index.ts'
import { noteSpend, runBounds } from './bounds.ts'
import { closeStopped, type RunStop } from './ending.ts'
import type { Locked } from './lock.ts'
import type { PageParts } from './page.ts'
import { selectPosts } from './rules/engagements.ts'
import { firstPhase } from './rules/next-step.ts'
import { takePosts } from './rules/take.ts'
import { insertSourcePosts, listStoredPosts } from './store.ts'

const postCharge = (run: Run, urn: string): Charge => ({
  key: `source:${run.sourceId}:post:${urn}`,
  category: 'source',
  sourceId: run.sourceId,
  syncId: run.id,
})

/** Keeps a vendor's wrong number within the column's range. */
const maxDeclared = 10_000_000

/** Most pages read of a listing: an author who only reposts has thousands of pages without a post of their own. */
const maxListingPages = 12

/** With a revived source's first page, queues the enrichment again that untracking had written off (TRK-39). */
export async function resumeEnrichment(tx: Tx, { source, run }: Locked): Promise<void> {
  if (!source.revived) return
  const { count, people } = await resumeSkipped(tx, run.teamId, source.id)
  if (people.length === 0) return
  await moveCounts(tx, source, { pending: count, skipped: -count })
  await requestEnrichment(tx, run.teamId, people)
}

function draftOf({ policy }: Run, post: Post): RunPostDraft {
  const declared = { reactions: post.totalReactionCount, comments: post.commentsCount }
  return {
    urn: post.urn,
    url: post.url,
    authorUrn: post.author.urn,
    postedAt: post.postedAt,
    declared: Math.min((declared.reactions ?? 0) + (declared.comments ?? 0), maxDeclared),
    phase: policy.authors ? 'author' : firstPhase(declared, policy.engagers),
    reactionsDeclared: declared.reactions,
    commentsDeclared: declared.comments,
  }
}

/** A post that the run before did not finish, begun again: what is stored of it costs nothing. */
const redraft = (post: LeftPost): RunPostDraft => ({
  ...post,
  phase: firstPhase({ reactions: post.reactionsDeclared, comments: post.commentsDeclared }),
})

/** Adds posts to a run, and behind them those an earlier run left; returns what changes in the run. */
export async function addPosts(
  tx: Tx,
  { run, posts, left = [] }: { run: Run; posts: readonly Post[]; left?: readonly LeftPost[] | undefined },
): Promise<Pick<Run, 'postsTotal' | 'postsProcessed' | 'declared'>> {
  const listed = posts.map((post) => draftOf(run, post))
  const once = new Map([...left.map(redraft), ...listed].map((draft) => [draft.urn, draft]))
  for (const { urn } of listed) once.delete(urn)
  const added = await appendRunPosts(tx, run, [...listed, ...once.values()])
  return {
    postsTotal: run.postsTotal + added.posts,
    postsProcessed: run.postsProcessed + added.silent,
    declared: run.declared + added.declared,
  }
}

/** Writes a page of the posts of a person, a company or one post. */
export async function writePosts(
  tx: Tx,
  { locked, page, faultPoint, blockList }: { locked: Locked; page: Page<Post> } & PageParts,
): Promise<void> {
  const { run } = locked
  const { policy, cursor } = run
  if (cursor.phase !== 'posts') throw new Error('a listing is read twice')
  if (cursor.at === null) await resumeEnrichment(tx, locked)
  const items = await blockList.withoutAuthors(tx, run.teamId, page.items)
  const unlisted = items.filter((post) => !cursor.listed.includes(post.urn))
  const chosen = selectPosts(unlisted, {
    left: policy.maxPosts - cursor.listed.length,
    sinceDays: policy.sinceDays,
    now: tx.now,
  })
  await rememberPosts(tx, run.teamId, chosen.posts)
  const pages = 1 + cursor.pages
  const readOn = chosen.readOn && page.next !== null && pages < maxListingPages
  const { left = [] } = cursor
  const next = readOn
    ? ({
        phase: 'posts',
        at: { from: page.source, cursor: page.next! },
        listed: [...cursor.listed, ...chosen.posts.map((post) => post.urn)],
        pages,
        left,
      } as const)
    : ({ phase: 'engagement' } as const)
  // A listing that breaks off before what it declares is incomplete: the run must not end as exhausted (SYN-17).
  const leftForPrice = chosen.readOn && page.leftForPrice === true
  const limited = {
    providerLimited: run.providerLimited || (chosen.readOn && page.cutShort) || leftForPrice,
    priceLimited: run.priceLimited || leftForPrice,
  }
  if (policy.stores === 'posts') {
    const { progress, stop } = await storeWatched(tx, locked, chosen.posts)
    await saveCheckpoint(tx, { run, progress: { ...progress, ...limited, cursor: next } })
    if (stop) await closeStopped(tx, { ...run, ...progress }, stop)
    return
  }
  const progress = await addPosts(tx, { run, posts: chosen.posts, left: readOn ? [] : left })
  await faultPoint('capture.posts-written')
  await saveCheckpoint(tx, { run, progress: { ...progress, ...limited, cursor: next } })
}

/**
 * Stores new posts of a watch, one credit each unless paid before, within the bounds; returns progress and what stopped it. Posts
 * of people whom the team has had erased are neither stored nor charged (PRV-06).
 */
export async function storeWatched(
  tx: Tx,
  locked: Locked,
  posts: readonly Post[],
): Promise<{ readonly progress: RunProgress; readonly stop: RunStop | null }> {
  const { account, run } = locked
  const urns = posts.map((post) => post.urn)
  const stored = await listStoredPosts(tx.db, { teamId: run.teamId, sourceId: run.sourceId, urns })
  const ofErased = new Set(posts.flatMap(({ urn, author }) => (author.kind === 'erased' ? [urn] : [])))
  const fresh = urns.filter((urn) => !stored.has(urn) && !ofErased.has(urn))
  const keys = fresh.map((urn) => postCharge(run, urn).key)
  const charged = await knownCharges(tx.db, run.teamId, keys)
  const isFree = (urn: string): boolean => charged.has(postCharge(run, urn).key)
  const bounds = await runBounds(tx.db, locked, tx.now)
  const { taken, stop } = takePosts(fresh, isFree, bounds)
  await insertSourcePosts(tx, run, taken)
  const kept = new Set(taken)
  await offerPosts(tx, {
    teamId: run.teamId,
    sourceId: run.sourceId,
    posts: posts.filter((post) => kept.has(post.urn)),
  })
  const paid = taken.filter((urn) => !isFree(urn))
  const charges = paid.map((urn) => postCharge(run, urn))
  const spent = await chargeAll(tx, account, charges)
  await noteSpend(tx, locked, spent)
  // The post that a bound kept out, and those after it, were not seen; the others were stored or paid for before.
  const judged = stop === null ? urns.length : urns.indexOf(fresh[taken.length]!)
  const ofTeam = account.name === 'team'
  const isPaid = new Set(paid)
  const free = urns
    .slice(0, judged)
    .filter((urn) => !isPaid.has(urn))
    .map((urn) => ({ reason: ofErased.has(urn) ? 'blocked' : 'post_seen_before', id: null }) as const)
  if (ofTeam) await insertFreeLines(tx, { teamId: run.teamId, sourceId: run.sourceId, syncId: run.id }, free)
  const progress = {
    postsTotal: run.postsTotal + posts.length,
    postsProcessed: run.postsProcessed + posts.length,
    postsFetched: run.postsFetched + kept.size,
    creditsSpent: run.creditsSpent + spent,
    engagementJudged: run.engagementJudged + (ofTeam ? judged : 0),
  }
  return { progress, stop }
}
