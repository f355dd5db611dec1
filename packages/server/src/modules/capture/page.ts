/** Writing one fetched page: one unit of work, all or nothing. */
import type { PassFault } from '../../platform/faults.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Page, Post } from '../../providers/ports.ts'
import { chargeAll, knownCharges, lockAccount, type Charge, type LockedAccount } from '../credits/index.ts'
import { rememberPeople, rememberPosts } from '../directory/index.ts'
import { initialWebhookStatus, offerPosts } from '../delivery/index.ts'
import { requestEnrichment } from '../enrichment/index.ts'
import { insertLeads, listKnownEngagements, resumeSkipped, updateReactions, type LeadOrigin } from '../leads/index.ts'
import { appendRunPosts, lockRun, lockSource, moveCounts, saveCheckpoint, saveRunPost, type Run, type RunPost, type Source } from '../sources/index.ts'
import { endRun } from './ending.ts'
import { teamIsServed } from './served.ts'
import type { Seen } from './rules/engagements.ts'
import { firstPhase, hitProviderLimit } from './rules/next-step.ts'
import { selectPosts } from './rules/select-posts.ts'
import { take } from './rules/take.ts'
import { insertSourcePosts, listStoredPosts } from './store.ts'

/** What a page's unit of work holds locked, in the order of the house. */
export type Locked = { readonly account: LockedAccount; readonly source: Source; readonly run: Run }

/** Locks account, source and run; undefined when the run is no longer ours to write, and it is ended here when the team has lapsed. */
export async function lockForPage(tx: Tx, claimed: Run): Promise<Locked | undefined> {
  const account = await lockAccount(tx, claimed.teamId)
  const source = await lockSource(tx, claimed.teamId, { id: claimed.sourceId })
  const run = await lockRun(tx, claimed)
  if (!source || !run) return undefined
  if (source.status === 'inactive') {
    await endRun(tx, run, { state: 'untracked', stoppedBy: null, errorCode: null, errorText: null })
    return undefined
  }
  if (!(await teamIsServed(tx, claimed.teamId))) {
    await endRun(tx, run, { state: 'failed', stoppedBy: null, errorCode: 'subscription_inactive', errorText: 'The team has no active subscription' })
    return undefined
  }
  return { account, source, run }
}

const kindOf = { person: 'profile', company: 'company', post: 'post', keyword: 'keyword' } as const
const personCharge = (run: Run, urn: string): Charge => ({ key: `source:${run.sourceId}:person:${urn}`, category: 'source', sourceId: run.sourceId, syncId: run.id })
const postCharge = (run: Run, urn: string): Charge => ({ key: `source:${run.sourceId}:post:${urn}`, category: 'source', sourceId: run.sourceId, syncId: run.id })

/** No post has more engagement; a vendor's slip of the pen must not end in a number that no column holds. */
const mostDeclared = 10_000_000

/** Pages of a listing read at most: an author who only reposts has thousands of pages and not one post of their own. */
const mostListingPages = 12

/** How a run ends that the cap or the balance stopped (G17, G115). */
export async function closeStopped(tx: Tx, run: Run, stop: 'cap' | 'balance'): Promise<void> {
  await endRun(tx, run, {
    state: 'captured',
    stoppedBy: 'credits',
    errorCode: stop === 'balance' ? 'insufficient_enriching_credits' : null,
    errorText: stop === 'balance' ? 'The credit balance ran out before everything was captured' : null,
  })
}

/** A revived source's first page: enrichment that untracking had written off waits again (TRK-39). */
async function resumeEnrichment(tx: Tx, { source, run }: Locked): Promise<void> {
  if (!source.revived || run.cursor.phase !== 'posts' || run.cursor.at !== null) return
  const { count, people } = await resumeSkipped(tx, run.teamId, source.id)
  if (people.length === 0) return
  await moveCounts(tx, source, { pending: count, skipped: -count })
  await requestEnrichment(tx, run.teamId, people)
}

/** Writes a page of a run's listing: posts to be worked on, or, for a posts-only watch, posts stored and charged. */
export async function writePosts(tx: Tx, locked: Locked, page: Page<Post>, pass: PassFault): Promise<void> {
  const { run } = locked
  const { settings } = run
  await resumeEnrichment(tx, locked)
  const listed = run.cursor.phase === 'posts' ? run.cursor.listed : []
  const unlisted = page.items.filter((post) => !listed.includes(post.urn))
  const chosen = selectPosts(unlisted, { left: settings.maxPosts - listed.length, sinceDays: settings.sinceDays, now: tx.now })
  await rememberPosts(tx, run.teamId, chosen.posts)
  const pages = 1 + (run.cursor.phase === 'posts' ? run.cursor.pages : 0)
  const readOn = chosen.readOn && page.next !== null && pages < mostListingPages
  const cursor = readOn ? ({ phase: 'posts', at: { from: page.source, cursor: page.next! }, listed: [...listed, ...chosen.posts.map((post) => post.urn)], pages } as const) : ({ phase: 'engagement' } as const)
  if (settings.mode === 'posts_only') return writeWatchedPosts(tx, locked, chosen.posts, cursor)
  const drafts = chosen.posts.map((post) => ({
    urn: post.urn,
    url: post.url,
    authorUrn: post.author.urn,
    postedAt: post.postedAt,
    declared: Math.min((post.totalReactionCount ?? 0) + (post.commentsCount ?? 0), mostDeclared),
    phase: firstPhase({ reactions: post.totalReactionCount, comments: post.commentsCount }),
    reactionsDeclared: post.totalReactionCount,
    commentsDeclared: post.commentsCount,
  }))
  const added = await appendRunPosts(tx, run, drafts)
  await pass('capture.posts-written')
  await saveCheckpoint(tx, run, { cursor, postsTotal: run.postsTotal + added.posts, postsProcessed: run.postsProcessed + added.silent, declared: run.declared + added.declared })
}

async function writeWatchedPosts(tx: Tx, { account, run }: Locked, posts: readonly Post[], cursor: Run['cursor']): Promise<void> {
  const stored = await listStoredPosts(tx.db, run.teamId, run.sourceId, posts.map((post) => post.urn))
  const fresh = posts.map((post) => post.urn).filter((urn) => !stored.has(urn))
  const charged = await knownCharges(tx.db, run.teamId, fresh.map((urn) => postCharge(run, urn).key))
  const free = fresh.filter((urn) => charged.has(postCharge(run, urn).key))
  const owed = fresh.filter((urn) => !charged.has(postCharge(run, urn).key))
  const paid = owed.slice(0, Math.max(0, account.balance))
  await insertSourcePosts(tx, run, [...free, ...paid])
  const kept = new Set([...free, ...paid])
  await offerPosts(tx, run.teamId, run.sourceId, posts.filter((post) => kept.has(post.urn)))
  const spent = await chargeAll(tx, account, paid.map((urn) => postCharge(run, urn)))
  const progress = { cursor, postsTotal: run.postsTotal + posts.length, postsProcessed: run.postsProcessed + posts.length, postsFetched: run.postsFetched + free.length + paid.length, creditsSpent: run.creditsSpent + spent }
  await saveCheckpoint(tx, run, progress)
  if (paid.length < owed.length) await closeStopped(tx, { ...run, ...progress }, 'balance')
}

/** A page of engagement, ready to be written: what it showed, and where its post stands after it. */
export type EngagementPage = { readonly seen: Seen; readonly post: RunPost; readonly after: Pick<RunPost, 'phase' | 'provider' | 'cursor' | 'replies'>; readonly reactions: number; readonly cutShort: boolean }

/** Stores and charges what a page showed, moves the run on, and ends it when the cap or the balance is reached. */
export async function writeEngagement(tx: Tx, { account, source, run }: Locked, page: EngagementPage, pass: PassFault): Promise<void> {
  const { engagements, engagersSeen } = page.seen
  const people = [...new Set(engagements.map((engagement) => engagement.person.urn))]
  const stored = await listKnownEngagements(tx.db, run.teamId, run.sourceId, engagements.map((engagement) => engagement.key))
  const keys = await knownCharges(tx.db, run.teamId, people.map((urn) => personCharge(run, urn).key))
  const taken = take({
    engagements,
    stored,
    charged: new Set(people.filter((urn) => keys.has(personCharge(run, urn).key))),
    capLeft: run.settings.rowCap === null ? null : run.settings.rowCap - run.leadRows,
    balance: account.balance,
  })
  await storeRows(tx, source, run, page.post, taken)
  await pass('capture.people-written')
  const spent = await chargeAll(tx, account, taken.charge.map((urn) => personCharge(run, urn)))
  await pass('capture.charged')
  if (run.settings.enrichLeads) await requestEnrichment(tx, run.teamId, taken.rows.map((row) => row.person.urn))
  const reactionsSeen = page.post.reactionsSeen + page.reactions
  const left = page.post.phase === 'reactions' && page.after.phase !== 'reactions'
  const progress = {
    leadRows: run.leadRows + taken.rows.length,
    creditsSpent: run.creditsSpent + spent,
    engagersSeen: run.engagersSeen + engagersSeen,
    postsProcessed: run.postsProcessed + (page.after.phase === 'done' ? 1 : 0),
    providerLimited: run.providerLimited || (left && hitProviderLimit({ seen: reactionsSeen, declared: page.post.reactionsDeclared, cutShort: page.cutShort })),
  }
  await saveRunPost(tx, run, { ...page.after, position: page.post.position, reactionsSeen })
  await saveCheckpoint(tx, run, progress)
  if (taken.stop) await closeStopped(tx, { ...run, ...progress }, taken.stop)
  await pass('capture.before-commit')
}

async function storeRows(tx: Tx, source: Source, run: Run, post: RunPost, taken: ReturnType<typeof take>): Promise<void> {
  await rememberPeople(tx, run.teamId, taken.rows.map((row) => row.person))
  const raw = !run.settings.enrichLeads
  const origin: LeadOrigin = {
    teamId: run.teamId,
    ownerId: source.id,
    sourceId: source.id,
    sourceKind: kindOf[source.type],
    syncId: run.id,
    post: { urn: post.urn, url: post.url, postedAt: post.postedAt?.toISOString() ?? null },
    enrichment: raw ? 'raw' : 'pending',
    webhookStatus: raw ? 'no_webhook' : await initialWebhookStatus(tx.db, run.teamId, source.id),
  }
  await insertLeads(tx, origin, taken.rows)
  await updateReactions(tx, run.teamId, source.id, taken.changed)
  if (taken.rows.length > 0) await moveCounts(tx, source, raw ? { raw: taken.rows.length } : { pending: taken.rows.length })
}
