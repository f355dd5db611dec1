/** Writing one fetched page of engagement, or the authors of posts: one unit of work, all or nothing. */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { readTeam, teamIsServed, type Team } from '../accounts/index.ts'
import {
  AccountOvertaken,
  chargeAll,
  knownCharges,
  lockAccount,
  shareAccount,
  type Charge,
  type LockedAccount,
} from '../credits/index.ts'
import { initialWebhookStatus } from '../delivery/index.ts'
import { listPosts, rememberPeople } from '../directory/index.ts'
import { requestEnrichment } from '../enrichment/index.ts'
import { insertLeads, listKnownEngagements, updateReactions, type Engagement, type LeadOrigin } from '../leads/index.ts'
import { findPayer, leadKindOf, lockSource, moveCounts, type Source } from '../sources/index.ts'
import { lockRun, saveCheckpoint, type PostPlace, type PostProgress, type Run, type RunPost } from '../runs/index.ts'
import { captureBounds, noteSpend, type PageStop } from './bounds.ts'
import { closeStopped, endRun } from './ending.ts'
import { authorOf } from './rules/author.ts'
import type { Seen } from './rules/engagements.ts'
import { firstPhase, hitProviderLimit } from './rules/next-step.ts'
import { take, type Taken } from './rules/take.ts'

/** What a page's unit of work holds locked, in lock order (account, source, run), and the team it works for. */
export type Locked = {
  readonly account: LockedAccount
  readonly source: Source
  readonly run: Run
  readonly team: Team
}

/** What is known before a page is written, and whether the account may be shared with pages of other sources. */
export type LockHow = { readonly paysFrom?: Source['paysFrom']; readonly sharing?: boolean }

/** Nothing of the team but its balance binds the run: what other runs take meanwhile is no matter of its bounds. */
const bindsAlone = ({ policy }: Run): boolean =>
  policy.stores === 'leads' && !policy.bounds.some(({ of }) => of === 'team_day' || of === 'team_rows')

/**
 * Locks account, source and run, of a source that paid from `paysFrom` when it was looked at last; undefined when the run
 * is no longer ours to write, and it is ended here when the team has lapsed.
 */
export async function lockForPage(tx: Tx, claimed: Run, how: LockHow = {}): Promise<Locked | undefined> {
  const paysFrom = how.paysFrom ?? (await findPayer(tx.db, { teamId: claimed.teamId, id: claimed.sourceId }))
  const sharing = how.sharing === true && paysFrom === 'team' && bindsAlone(claimed)
  const account = await (sharing ? shareAccount : lockAccount)(tx, claimed.teamId, paysFrom)
  const source = await lockSource(tx, claimed.teamId, { id: claimed.sourceId })
  const run = await lockRun(tx, claimed)
  // Another payer since we looked: the run was ended with its source, and another one begun.
  if (!source || !run || source.paysFrom !== paysFrom) return undefined
  if (source.status === 'inactive') {
    await endRun(tx, run, { state: 'untracked', stoppedBy: null, errorCode: null, errorText: null })
    return undefined
  }
  const team = await readTeam(tx.db, claimed.teamId)
  if (!team || !teamIsServed(team, tx.now)) {
    await endRun(tx, run, {
      state: 'failed',
      stoppedBy: null,
      errorCode: 'subscription_inactive',
      errorText: 'The team has no active subscription',
    })
    return undefined
  }
  return { account, source, run, team }
}

const personCharge = (run: Run, urn: string): Charge => ({
  key: `source:${run.sourceId}:person:${urn}`,
  category: 'source',
  sourceId: run.sourceId,
  syncId: run.id,
})

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
export async function writeEngagement(
  tx: Tx,
  locked: Locked,
  page: EngagementPage,
  faultPoint: FaultPointHook,
): Promise<void> {
  const { run } = locked
  const { post, seen } = page
  const { taken, spent } = await capture(tx, locked, [{ post, engagements: seen.engagements }], post, faultPoint)
  const limit = boundPost(run, page, taken)
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
  await finishPage(tx, run, { progress, posts: [moved] }, taken.stop, faultPoint)
}

/**
 * Where the post of a page stands when the bounds of its run are held against it: done when it has given all it may (KRN-07),
 * on to the next kind of engagement when enough of this one was seen (KRN-08).
 */
function boundPost(
  run: Run,
  page: EngagementPage,
  taken: Taken<PageStop>,
): { after: EngagementPage['after']; seen: number; reached: boolean } {
  const { perPost } = run.policy
  const { post, after } = page
  const seen = post.seen + page.entries
  const done = { phase: 'done', provider: null, cursor: null, replies: [] } as const
  if (taken.stop === 'post' || (perPost.rows !== null && post.rowsTaken + taken.rows.length >= perPost.rows))
    return { after: done, seen, reached: false }
  // The rest of the page waits for the post's next turn, and the post stays where it is until then.
  if (taken.stop === 'turn')
    return {
      after: { phase: post.phase, provider: post.provider, cursor: post.cursor, replies: post.replies },
      seen,
      reached: false,
    }
  if (after.phase !== post.phase || after.phase === 'done' || perPost.entries === null || seen < perPost.entries)
    return { after, seen, reached: false }
  if (post.phase === 'reactions')
    return {
      after: { ...done, phase: firstPhase({ reactions: 0, comments: post.commentsDeclared }) },
      seen,
      reached: true,
    }
  // Comments left unread: the replies that the read ones named are still asked for.
  return {
    after: post.phase === 'comments' && after.replies.length > 0 ? { ...after, phase: 'replies', cursor: null } : done,
    seen,
    reached: true,
  }
}

/** Captures the authors of posts, who are known already, and moves the posts on to their engagement. */
export async function writeAuthors(
  tx: Tx,
  locked: Locked,
  posts: readonly RunPost[],
  faultPoint: FaultPointHook,
): Promise<void> {
  const { run } = locked
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
  const { taken, spent } = await capture(tx, locked, people, null, faultPoint)
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
  await finishPage(tx, run, { progress, posts: moved }, taken.stop, faultPoint)
}

async function finishPage(
  tx: Tx,
  run: Run,
  { progress, posts }: { readonly progress: Partial<Run>; readonly posts: readonly PostProgress[] },
  stop: PageStop | null,
  faultPoint: FaultPointHook,
): Promise<void> {
  await saveCheckpoint(tx, { run, progress, posts })
  if (stop !== null && stop !== 'post' && stop !== 'turn') await closeStopped(tx, { ...run, ...progress }, stop)
  await faultPoint('capture.before-commit')
}

type OfPost = { readonly post: RunPost; readonly engagements: readonly Engagement[] }

/** Stores the rows that engagements come to and charges the new people; `bounded` is the post whose own bound counts. */
async function capture(
  tx: Tx,
  locked: Locked,
  seen: readonly OfPost[],
  bounded: RunPost | null,
  faultPoint: FaultPointHook,
): Promise<{ taken: Taken<PageStop>; spent: number }> {
  const { account, run } = locked
  const engagements = seen.flatMap((each) => each.engagements)
  const people = [...new Set(engagements.map((engagement) => engagement.person.urn))]
  const stored = await listKnownEngagements(tx.db, {
    teamId: run.teamId,
    ownerId: run.sourceId,
    keys: engagements.map((engagement) => engagement.key),
  })
  const keys = await knownCharges(
    tx.db,
    run.teamId,
    people.map((urn) => personCharge(run, urn).key),
  )
  const charged = new Set(people.filter((urn) => keys.has(personCharge(run, urn).key)))
  // What the balance keeps out is found under its lock.
  if (account.shared && people.length > account.balance) throw new AccountOvertaken(run.teamId)
  const taken = take({ engagements, stored, charged, bounds: await captureBounds(tx, locked, bounded) })
  await storeRows(tx, locked, seen, taken)
  await faultPoint('capture.people-written')
  if (run.policy.enriches)
    await requestEnrichment(
      tx,
      run.teamId,
      taken.rows.map((row) => row.person.urn),
    )
  // After their tasks, as enrichment locks them.
  await rememberPeople(
    tx,
    run.teamId,
    taken.rows.map((row) => row.person),
  )
  // Last: pages that share the account wait for one another from here on.
  const spent = await chargeAll(
    tx,
    account,
    taken.charge.map((urn) => personCharge(run, urn)),
  )
  await noteSpend(tx, locked, spent)
  await faultPoint('capture.charged')
  return { taken, spent }
}

async function storeRows(
  tx: Tx,
  { source, run }: Locked,
  seen: readonly OfPost[],
  taken: Pick<Taken<string>, 'rows' | 'changed'>,
): Promise<void> {
  const raw = !run.policy.enriches
  const webhookStatus = raw ? 'no_webhook' : await initialWebhookStatus(tx.db, run.teamId, source.id)
  const rows = new Set(taken.rows)
  const origin: LeadOrigin = {
    teamId: run.teamId,
    ownerId: source.id,
    sourceId: source.id,
    sourceKind: leadKindOf(source),
    syncId: run.id,
    enrichment: raw ? 'raw' : 'pending',
    webhookStatus,
  }
  await insertLeads(
    tx,
    origin,
    seen.map(({ post, engagements }) => ({
      post: { urn: post.urn, url: post.url, postedAt: post.postedAt?.toISOString() ?? null },
      engagements: engagements.filter((engagement) => rows.has(engagement)),
    })),
  )
  await updateReactions(tx, { teamId: run.teamId, ownerId: source.id, changed: taken.changed })
  if (taken.rows.length > 0)
    await moveCounts(tx, source, raw ? { raw: taken.rows.length } : { pending: taken.rows.length })
}
