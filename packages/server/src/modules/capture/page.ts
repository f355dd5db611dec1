/** Writing one fetched page of engagement, or the authors of posts: one unit of work, all or nothing. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { listPosts } from '../network/index.ts'
import { saveCheckpoint, type PostPlace, type PostProgress, type Run, type RunPost } from '../sources/index.ts'
import type { PageStop } from './bounds.ts'
import { closeStopped, type RunStop } from './ending.ts'
import { captureRows, type PageUnit } from './rows.ts'
import { authorOf } from './rules/author.ts'
import { boundPost } from './rules/bound-post.ts'
import type { Seen } from './rules/engagements.ts'
import { firstPhase, hitProviderLimit } from './rules/next-step.ts'
import type { Taken } from './rules/take.ts'

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

/** Engagements that pages show, each of which may be a lead row. */
export const engagementsOn = (pages: readonly EngagementPage[]): number =>
  pages.reduce((entries, { seen }) => entries + seen.engagements.length, 0)

/** Stores and charges what pages of different posts showed, moves the run on, and ends it when something stops it. */
export async function writeEngagement(tx: Tx, unit: PageUnit, pages: readonly EngagementPage[]): Promise<PageOutcome> {
  const { taken, spent } = await captureRows(tx, unit, {
    seen: pages.map(({ post, seen }) => ({ post, engagements: seen.engagements })),
    bounded: pages.length === 1 ? pages[0]!.post : null,
  })
  const { run } = unit.locked
  const stored = new Set(taken.rows)
  const read = pages.slice(0, pagesRead(pages, taken))
  const ends = read.map((page, at) =>
    endOfPage(run.policy, page, {
      stop: at === read.length - 1 ? taken.stop : null,
      rows: page.seen.engagements.filter((engagement) => stored.has(engagement)).length,
      rest: taken.rest,
    }),
  )
  const sum = (of: 'engagersSeen' | 'postsProcessed') => ends.reduce((total, end) => total + end[of], run[of])
  const some = (of: 'providerLimited' | 'pageLimited' | 'priceLimited') => run[of] || ends.some((end) => end[of])
  const engagersSeen = sum('engagersSeen')
  const progress = {
    ...(engagersSeen === 0 && read.some(({ entries }) => entries > 0) ? { cursor: shownIn(run) } : {}),
    leadRows: run.leadRows + taken.rows.length,
    creditsSpent: run.creditsSpent + spent,
    engagersSeen,
    postsProcessed: sum('postsProcessed'),
    providerLimited: some('providerLimited'),
    pageLimited: some('pageLimited'),
    priceLimited: some('priceLimited'),
  }
  return finishPage(tx, unit, { progress, posts: ends.map(({ moved }) => moved), stop: taken.stop })
}

/** The cursor of a run whose pages have shown somebody, though none of those whom it counts. */
const shownIn = ({ cursor }: Run): Run['cursor'] =>
  cursor.phase === 'engagement' ? { ...cursor, shown: true } : cursor

/** How many of the pages were looked at: all, or those up to the one with the entry that something kept out. */
function pagesRead(pages: readonly EngagementPage[], { stop, rest }: Taken<PageStop>): number {
  let left = engagementsOn(pages) - rest.length
  if (stop === null) return pages.length
  return 1 + pages.findIndex(({ seen }) => (left -= seen.engagements.length) < 0)
}

/** True of what ends the run, and not just its post or a turn. */
const endsRun = (stop: PageStop | null): stop is RunStop => stop !== null && stop !== 'post' && stop !== 'turn'

/** What one page adds to its run, and where its post stands after it. */
function endOfPage(
  policy: Run['policy'],
  page: EngagementPage,
  {
    stop,
    rows,
    rest,
  }: { readonly stop: PageStop | null; readonly rows: number; readonly rest: Taken<PageStop>['rest'] },
) {
  const { post } = page
  const limit = boundPost(policy.perPost, page, { stop, rows })
  const left = post.phase === 'reactions' && limit.after.phase !== 'reactions'
  const reactionsSeen = post.reactionsSeen + (post.phase === 'reactions' ? page.entries : 0)
  // A page that ended its run was not read to its end: its post is none that the run is done with.
  const moved: PostProgress = {
    ...(endsRun(stop) ? post : limit.after),
    position: post.position,
    reactionsSeen,
    seen: limit.after.phase === post.phase ? limit.seen : 0,
    rowsTaken: post.rowsTaken + rows,
    // Whoever found only rows that are stored already has had nothing yet.
    turns: post.turns + (rows > 0 ? 1 : 0),
    pageRest:
      stop === 'turn' && limit.after.phase !== 'done'
        ? { engagements: rest, after: page.after, cutShort: page.cutShort }
        : null,
  }
  return {
    moved,
    engagersSeen: engagersOf(policy, page),
    postsProcessed: limit.after.phase === 'done' ? 1 : 0,
    providerLimited:
      page.leftForPrice ||
      limit.endless ||
      (left && hitProviderLimit({ seen: reactionsSeen, declared: post.reactionsDeclared, cutShort: page.cutShort })),
    pageLimited: limit.reached || page.leftForPrice,
    priceLimited: page.leftForPrice,
  }
}

/** Engagers that a page adds to those a run has seen; none of what is left of a page, which were counted when it came. */
function engagersOf(policy: Run['policy'], { entries, seen }: EngagementPage): number {
  if (entries === 0) return 0
  return policy.seen === 'people' ? new Set(seen.engagements.map((each) => each.person.urn)).size : seen.engagersSeen
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

/** Whether a run goes on after a page. */
export type PageOutcome = 'open' | 'ended'

/** What a page moved of its run and its posts, and what stopped it. */
interface PageEnd {
  readonly progress: Partial<Run>
  readonly posts: readonly PostProgress[]
  readonly stop: PageStop | null
}

async function finishPage(
  tx: Tx,
  { locked: { run }, faultPoint }: PageUnit,
  { progress, posts, stop }: PageEnd,
): Promise<PageOutcome> {
  await saveCheckpoint(tx, { run, progress, posts })
  const ended = endsRun(stop)
  if (ended) await closeStopped(tx, { ...run, ...progress }, stop)
  await faultPoint('capture.before-commit')
  return ended ? 'ended' : 'open'
}
