/**
 * Capture: sweeping the posts of a source. One unit is one vendor page of the run whose team was served longest ago.
 *
 *   queued --claim--> capturing: listing posts --> per post: reactions --> comments --> replies --> done
 *        each page: claim (lease, fence) -> vendor, outside any transaction -> one unit: rows, charges, cursor, counts
 *   capturing --no post left--> captured   stopped by exhausted | provider_limit | capture_empty
 *             --cap or balance reached and a further row exists--> captured   stopped by credits
 *   capturing --the vendors' accounts are held--> put off until they are free, as often as it takes: that does not count as a try
 * --vendor fails, again and again--> failed   provider_error      --it fails unexpectedly, five times in a row-->
 * failed   internal_error
 *             --source untracked (by the request itself)--> untracked      --team lapsed--> failed   subscription_inactive
 *
 * What binds a run, and in which order its posts are worked on, says its policy (`runs/rules/policy.ts`), whoever it belongs to.
 * A run of a keyword search comes here when its search is over (header of `keywords/jobs.ts`), with its posts, perhaps their authors
 * first; it ends as its bounds say: exhausted | post_limit | credits | team_cap | lead_cap | budget, or error.
 *
 * A worker that dies leaves its lease to run out; the page is asked for again and what it had written stands or not as a whole.
 * Whoever was overtaken finds its fence moved and writes nothing.
 */
import type { SystemClock } from '../../platform/clock.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { defineWork, leaseOf } from '../../platform/work/index.ts'
import {
  firstVendor,
  ProviderFailure,
  describeFailure,
  type Network,
  type Page,
  type PageAt,
  type Post,
} from '../../providers/ports.ts'
import { AccountOvertaken } from '../credits/index.ts'
import {
  findSource,
  goneText,
  lockSource,
  startSourceRun,
  supplyOf,
  type Source,
  type Supply,
} from '../sources/index.ts'
import {
  claimRun,
  findCurrentPost,
  listAuthorPosts,
  lockRun,
  runRows,
  savePostponed,
  type Run,
  type RunPost,
} from '../runs/index.ts'
import { endRun } from './ending.ts'
import { writePosts } from './listing.ts'
import { lockForPage, writeAuthors, writeEngagement, type EngagementPage, type Locked } from './page.ts'
import { fromComments, fromReactions } from './rules/engagements.ts'
import { teamIsServed } from './served.ts'
import { recordUnexpectedOfRun } from './unexpected.ts'
import { endingOf, nextStep, type Step } from './rules/next-step.ts'
import { retryAt } from './rules/retry.ts'

/** What capture works with. */
export type CaptureDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly network: Network
  readonly system: SystemClock
  readonly faultPoint: FaultPointHook
  /** Id of this process, for leases. */
  readonly owner: string
}

type Write = (tx: Tx, locked: Locked) => Promise<void>

type Claimed = {
  readonly run: Run
  readonly source: Source
  readonly post: RunPost | undefined
  readonly served: boolean
}

/** Takes a run, starts it when it is new, and reads where it stands. */
async function claim(deps: CaptureDeps): Promise<Claimed | undefined> {
  return deps.unitOfWork(async (tx) => {
    const picked = await claimRun(tx, 'capture', leaseOf(deps.owner, deps.system.nowMs()))
    if (!picked) return undefined
    const source = await findSource(tx.db, picked.teamId, { id: picked.sourceId })
    if (!source) throw new Error(`run ${picked.id} has no source`)
    const run = picked.state === 'queued' ? await startSourceRun(tx, picked, source) : picked
    return { run, source, post: await findCurrentPost(tx.db, run), served: await teamIsServed(tx, run.teamId) }
  })
}

const afterReactions = (post: RunPost): Pick<RunPost, 'phase' | 'provider' | 'cursor' | 'replies'> => ({
  phase: post.commentsDeclared === 0 ? 'done' : 'comments',
  provider: null,
  cursor: null,
  replies: post.replies,
})
const afterComments = (
  replies: RunPost['replies'],
  provider: RunPost['provider'],
): Pick<RunPost, 'phase' | 'provider' | 'cursor' | 'replies'> => ({
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

/**
 * Both vendors together, the fallback with two calls, answer or fail before the lease runs out: else the failure would
 * never be recorded.
 */
const withinLease = { timeoutMs: 40_000, capFallback: true } as const

/** Authors captured in one unit: nothing is asked of the network for them. */
const authorsAtOnce = 50

/**
 * A page of the listing of a run; a post that is tracked by itself keeps the URN it is tracked by, so that its
 * engagement keeps its keys whatever the vendor calls it today.
 */
async function listPage({ network }: CaptureDeps, supply: Supply, at: PageAt | null): Promise<Page<Post>> {
  if (supply.kind === 'posts') return network.posts(supply.of, at, withinLease)
  const post = { ...(await network.post(supply.urn, withinLease)), urn: supply.urn }
  return { items: [post], next: null, total: 1, cutShort: false, source: firstVendor }
}

/** Asks the network for the next page; answers what to write. */
async function fetchPage(
  deps: CaptureDeps,
  { source, run }: Claimed,
  step: Exclude<Step, { kind: 'end' }>,
): Promise<Write> {
  const { network, faultPoint } = deps
  if (step.kind === 'posts') {
    const page = await listPage(deps, supplyOf(source), step.at)
    return (tx, locked) => writePosts(tx, locked, page, faultPoint)
  }
  if (step.kind === 'author') {
    // Post after post to its end, unless nobody waits behind an author.
    const { engagers, order } = run.policy
    const posts = engagers && order === 'one_by_one' ? [step.post] : await listAuthorPosts(deps.db, run, authorsAtOnce)
    return (tx, locked) => writeAuthors(tx, locked, posts, faultPoint)
  }
  const write =
    (page: EngagementPage): Write =>
    (tx, locked) =>
      writeEngagement(tx, locked, page, faultPoint)
  const { post } = step
  if (step.kind === 'rest') {
    const { engagements, after, cutShort } = step.rest
    return write({ seen: { engagements, engagersSeen: 0 }, post, after, entries: 0, cutShort, leftForPrice: false })
  }
  if (step.kind === 'reactions') {
    const page = await orNothing(network.reactions(post, step.at, withinLease))
    const after =
      page.next === null
        ? afterReactions(post)
        : { phase: 'reactions' as const, provider: page.source, cursor: page.next, replies: post.replies }
    return write({
      seen: fromReactions(post, page.items),
      post,
      after,
      entries: page.items.length,
      cutShort: page.cutShort,
      leftForPrice: page.leftForPrice === true,
    })
  }
  if (step.kind === 'comments') {
    const page = await orNothing(network.comments(post, step.at, withinLease))
    const replies = run.policy.replies ? [...post.replies, ...page.moreReplies] : []
    const after =
      page.next === null
        ? afterComments(replies, page.source)
        : { phase: 'comments' as const, provider: page.source, cursor: page.next, replies }
    return write({
      seen: fromComments(post, page.items, run.policy.replies),
      post,
      after,
      entries: page.items.length,
      cutShort: false,
      leftForPrice: page.leftForPrice === true,
    })
  }
  const page = await orNothing(network.replies(post, post.provider ?? firstVendor, step.ref, withinLease))
  const rest = post.replies.slice(1)
  const replies = page.next === null ? rest : [{ commentId: step.ref.commentId, cursor: page.next }, ...rest]
  return write({
    seen: fromComments(post, page.items, run.policy.replies),
    post,
    after: afterComments(replies, post.provider),
    entries: page.items.length,
    cutShort: false,
    leftForPrice: false,
  })
}

async function finish(deps: CaptureDeps, claimed: Run, source: Source): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    const locked = await lockForPage(tx, claimed, source)
    if (!locked) return
    await deps.faultPoint('capture.before-close')
    const ending = endingOf(locked.run)
    const errorText = ending.errorCode === null ? null : 'The posts declare engagement, but nobody could be read'
    await endRun(tx, locked.run, { state: 'captured', ...ending, errorText })
    await deps.faultPoint('capture.closed')
  })
}

async function failOrPostpone(deps: CaptureDeps, claimed: Run, failure: ProviderFailure): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    const source = await lockSource(tx, claimed.teamId, { id: claimed.sourceId })
    const run = await lockRun(tx, claimed)
    if (!source || !run) return
    const dueAt =
      failure.held?.until ?? (failure.kind === 'not_found' ? null : retryAt(run.attempts, tx.now, failure.retryAfterMs))
    if (dueAt) return savePostponed(tx, run, dueAt, failure.held?.reason ?? null)
    const errorText = failure.kind === 'not_found' ? goneText(source) : describeFailure(failure)
    await endRun(tx, run, { state: 'failed', stoppedBy: null, errorCode: 'provider_error', errorText })
  })
}

/** Writes a page, beside pages of other sources of the team; alone when those have left too little to share. */
async function writePage({ unitOfWork }: CaptureDeps, { run, source }: Claimed, write: Write): Promise<void> {
  const unit = (sharing: boolean) =>
    unitOfWork(async (tx) => {
      const locked = await lockForPage(tx, run, { paysFrom: source.paysFrom, sharing })
      if (locked) await write(tx, locked)
    })
  try {
    await unit(true)
  } catch (error) {
    if (!(error instanceof AccountOvertaken)) throw error
    await unit(false)
  }
}

/** One unit of capture; `idle` when no run can be worked on. */
export function captureStep(deps: CaptureDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const claimed = await claim(deps)
    if (!claimed) return 'idle'
    const { run, source, post } = claimed
    await deps.faultPoint('capture.leased')
    if (!claimed.served) {
      // Ended without asking the network for a page that nobody would write (G129).
      await deps.unitOfWork((tx) => lockForPage(tx, run, source))
      return 'worked'
    }
    const step = nextStep(run, post)
    if (step.kind === 'end') {
      await finish(deps, run, source)
      return 'worked'
    }
    try {
      const write = await fetchPage(deps, claimed, step)
      await deps.faultPoint('capture.page-fetched')
      await writePage(deps, claimed, write)
      await deps.faultPoint('capture.after-commit')
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      await failOrPostpone(deps, run, error)
    }
    return 'worked'
  }
}

/** Capture, as work. */
export const captureWork = defineWork({
  kind: 'capture',
  rows: [runRows.capture],
  step: captureStep,
  unexpected: { run: recordUnexpectedOfRun },
})
