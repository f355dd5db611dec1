/** Writing one fetched page of engagement, or the authors of posts: one unit of work, all or nothing. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { listPosts } from '../directory/index.ts'
import { saveCheckpoint, type PostPlace, type PostProgress, type Run, type RunPost } from '../runs/index.ts'
import type { PageStop } from './bounds.ts'
import { closeStopped } from './ending.ts'
import { captureRows, type PageUnit } from './rows.ts'
import { authorOf } from './rules/author.ts'
import { boundPost } from './rules/bound-post.ts'
import type { Seen } from './rules/engagements.ts'
import { firstPhase, hitProviderLimit } from './rules/next-step.ts'

/** A page of engagement, ready to be written: what it showed, and where its post stands after it. */
export type EngagementPage = {
  readonly seen: Seen
  readonly post: RunPost
  readonly after: PostPlace
  /** Entries on it, read or not; none of what is left of a page, which were counted when it came. */
  readonly entries: number
  readonly cutShort: boolean
  /** The rest of the post is left at the fallback, whose pages cost too much. */
  readonly leftForPrice: boolean
}

/** Stores and charges what a page showed, moves the run on, and ends it when something stops it. */
export async function writeEngagement(tx: Tx, unit: PageUnit, page: EngagementPage): Promise<void> {
  const { run } = unit.locked
  const { post, seen } = page
  const { taken, spent } = await captureRows(tx, unit, {
    seen: [{ post, engagements: seen.engagements }],
    bounded: post,
  })
  const limit = boundPost(run.policy.perPost, page, { stop: taken.stop, rows: taken.rows.length })
  const left = post.phase === 'reactions' && limit.after.phase !== 'reactions'
  const reactionsSeen = post.reactionsSeen + (post.phase === 'reactions' ? page.entries : 0)
  const progress = {
    leadRows: run.leadRows + taken.rows.length,
    creditsSpent: run.creditsSpent + spent,
    engagersSeen:
      run.engagersSeen +
      (page.entries === 0
        ? 0
        : run.policy.seen === 'people'
          ? new Set(seen.engagements.map((each) => each.person.urn)).size
          : seen.engagersSeen),
    postsProcessed: run.postsProcessed + (limit.after.phase === 'done' ? 1 : 0),
    providerLimited:
      run.providerLimited ||
      page.leftForPrice ||
      (left && hitProviderLimit({ seen: reactionsSeen, declared: post.reactionsDeclared, cutShort: page.cutShort })),
    pageLimited: run.pageLimited || limit.reached || page.leftForPrice,
    priceLimited: run.priceLimited || page.leftForPrice,
  }
  // A page that something stopped was not read to its end: its post is none that the run is done with.
  const stopped = taken.stop !== null && taken.stop !== 'post' && taken.stop !== 'turn'
  const moved = {
    ...(stopped ? post : limit.after),
    position: post.position,
    reactionsSeen,
    seen: limit.after.phase === post.phase ? limit.seen : 0,
    rowsTaken: post.rowsTaken + taken.rows.length,
    // Whoever found only rows that are stored already has had nothing yet.
    turns: post.turns + (taken.rows.length > 0 ? 1 : 0),
    pageRest:
      taken.stop === 'turn' && limit.after.phase !== 'done'
        ? { engagements: taken.rest, after: page.after, cutShort: page.cutShort }
        : null,
  }
  await finishPage(tx, unit, { progress, posts: [moved], stop: taken.stop })
}

/** Captures the authors of posts, who are known already, and moves the posts on to their engagement. */
export async function writeAuthors(tx: Tx, unit: PageUnit, posts: readonly RunPost[]): Promise<void> {
  const { run } = unit.locked
  const known = await listPosts(
    tx.db,
    run.teamId,
    posts.map((post) => post.urn),
  )
  const authors = posts.map((post) => ({
    post,
    author: known.has(post.urn) ? authorOf(known.get(post.urn)!) : ('unknown' as const),
  }))
  const people = authors.map(({ post, author }) => ({ post, engagements: typeof author === 'string' ? [] : [author] }))
  const { taken, spent } = await captureRows(tx, unit, { seen: people, bounded: null })
  const after = (post: RunPost) =>
    firstPhase({ reactions: post.reactionsDeclared, comments: post.commentsDeclared }, run.policy.engagers)
  const moved = posts.map((post) => ({ ...post, phase: after(post), turns: post.turns + 1 }))
  const progress = {
    leadRows: run.leadRows + taken.rows.length,
    creditsSpent: run.creditsSpent + spent,
    postsProcessed: run.postsProcessed + posts.filter((post) => after(post) === 'done').length,
    authorsCaptured: run.authorsCaptured + taken.rows.length,
    companyAuthors: run.companyAuthors + authors.filter(({ author }) => author === 'company').length,
  }
  await finishPage(tx, unit, { progress, posts: moved, stop: taken.stop })
}

/** What a page moved: its run, its posts, and what stopped it. */
interface PageEnd {
  readonly progress: Partial<Run>
  readonly posts: readonly PostProgress[]
  readonly stop: PageStop | null
}

async function finishPage(
  tx: Tx,
  { locked: { run }, faultPoint }: PageUnit,
  { progress, posts, stop }: PageEnd,
): Promise<void> {
  await saveCheckpoint(tx, { run, progress, posts })
  if (stop !== null && stop !== 'post' && stop !== 'turn') await closeStopped(tx, { ...run, ...progress }, stop)
  await faultPoint('capture.before-commit')
}
