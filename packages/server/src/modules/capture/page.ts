/** Writes a page of engagement, or authors of posts, in one unit. Lock order: leads, enrichment tasks, people, charges. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import {
  AccountOvertaken,
  chargeAll,
  idOfKey,
  insertFreeLines,
  keyOfSourcePerson,
  knownCharges,
  listCountedFree,
  type Charge,
} from '../credits/index.ts'
import type { Post } from '../../providers/ports.ts'
import { initialWebhookStatus } from '../delivery/index.ts'
import {
  insertLeads,
  isByPerson,
  listKnownEngagements,
  listLeadsOfPeople,
  listExisting,
  updateReactions,
  type Engagement,
  type KnownEngagement,
  type LeadOrigin,
  type ShownEngagement,
} from '../leads/index.ts'
import {
  authorsOf,
  listAuthors,
  listPosts,
  rememberPeople,
  requestEnrichment,
  type BlockList,
  type PersonNamed,
} from '../network/index.ts'
import {
  leadKindOf,
  moveCounts,
  saveCheckpoint,
  type PostPlace,
  type PostProgress,
  type Run,
  type RunPost,
  type RunProgress,
} from '../sources/index.ts'
import { captureBounds, noteSpend, type PageStop } from './bounds.ts'
import { closeStopped, type RunStop } from './ending.ts'
import type { Locked } from './lock.ts'
import { authorOf, byNobody, type Seen } from './rules/engagements.ts'
import { boundPost, firstPhase, hitProviderLimit } from './rules/next-step.ts'
import { take, type JudgedPage } from './rules/take.ts'

const personCharge = (run: Run, urn: string): Charge => ({
  key: keyOfSourcePerson(run.sourceId, urn),
  category: 'source',
  sourceId: run.sourceId,
  syncId: run.id,
})

type OfPost = { readonly post: RunPost; readonly engagements: readonly ShownEngagement[] }

export type PageParts = { readonly faultPoint: FaultPointHook; readonly blockList: BlockList }

type PageUnit = PageParts & { readonly locked: Locked }

type Shown = { readonly seen: readonly OfPost[]; readonly bounded: RunPost | null }

/** `recognised`: blocked people who were captured under an id that did not identify them, and must now be removed. */
type Judged = {
  readonly taken: JudgedPage<PageStop>
  readonly stored: ReadonlyMap<string, KnownEngagement>
  readonly blocked: ReadonlySet<string>
  readonly recognised: readonly PersonNamed[]
}

/** Identifies a free engagement: by its lead, or else by the hash of its key. */
const idOf = (key: string, stored: Judged['stored']): string => stored.get(key)?.leadId ?? idOfKey(key)

/** Engagements that this run has judged already: it has stored their rows, or counted them as free. */
async function listCounted(
  tx: Tx,
  run: Run,
  { engagements, stored }: { engagements: readonly ShownEngagement[]; stored: Judged['stored'] },
): Promise<Set<string>> {
  const ofThisRun = ({ key }: ShownEngagement) => stored.get(key)?.syncId === run.id
  const mayBeFree = engagements.filter((each) => !ofThisRun(each) && (each.person === null || stored.has(each.key)))
  const free = await listCountedFree(tx.db, {
    teamId: run.teamId,
    syncId: run.id,
    ids: mayBeFree.map(({ key }) => idOf(key, stored)),
  })
  const counted = [...engagements.filter(ofThisRun), ...mayBeFree.filter(({ key }) => free.has(idOf(key, stored)))]
  return new Set(counted.map(({ key }) => key))
}

/** Blocked people who are kept somewhere all the same: as a lead, as the author of a post, or on a list. */
async function listRecognised(
  { db }: Tx,
  teamId: string,
  blocked: readonly PersonNamed[],
): Promise<readonly PersonNamed[]> {
  if (blocked.length === 0) return []
  const idsOf = ({ urn, otherUrns = [] }: PersonNamed) => [...(urn === null ? [] : [urn]), ...otherUrns]
  const urns = [...new Set(blocked.flatMap(idsOf))]
  const leads = await listLeadsOfPeople(db, teamId, urns)
  const names = [...urns, ...blocked.flatMap(({ handle }) => handle ?? [])]
  const listed = await listExisting(db, teamId, [{ kind: 'person', names }])
  const kept = new Set([
    ...leads.map(({ personUrn }) => personUrn),
    ...(await listAuthors(db, teamId, urns)),
    ...listed.map(({ name }) => name),
  ])
  return blocked.filter((person) => [...idsOf(person), person.handle].some((name) => name !== null && kept.has(name)))
}

/** Blocked authors of posts who are kept somewhere all the same. */
export async function listRecognisedAuthors(
  tx: Tx,
  teamId: string,
  { blockList, posts }: { readonly blockList: BlockList; readonly posts: readonly Post[] },
): Promise<readonly PersonNamed[]> {
  const authors = posts.flatMap(authorsOf)
  const blocked = await blockList.findBlocked(tx.db, teamId, authors)
  return listRecognised(tx, teamId, authors.filter(blocked.has))
}

async function judge(tx: Tx, { locked, blockList }: PageUnit, { seen, bounded }: Shown): Promise<Judged> {
  const { account, run } = locked
  const engagements = seen.flatMap((each) => each.engagements)
  const byPeople = engagements.filter(isByPerson)
  const people = [...new Set(byPeople.map((engagement) => engagement.person.urn))]
  const stored = await listKnownEngagements(tx.db, {
    teamId: run.teamId,
    ownerId: run.sourceId,
    keys: byPeople.map((engagement) => engagement.key),
  })
  const keyOf = (urn: string) => personCharge(run, urn).key
  const paid = await knownCharges(tx.db, run.teamId, people.map(keyOf))
  const charged = new Set(people.filter((urn) => paid.has(keyOf(urn))))
  // Under the account's lock, which an erasure takes too: a person who was erased meanwhile is found.
  const everybody = byPeople.map(({ person }) => person)
  const found = await blockList.findBlocked(tx.db, run.teamId, everybody)
  const theirs = everybody.filter(found.has)
  if (theirs.length > 0) await blockList.blockAliases(tx, run.teamId, theirs)
  const blocked = new Set(theirs.map(({ urn }) => urn))
  const recognised = await listRecognised(tx, run.teamId, theirs)
  // What the balance keeps out can only be decided with the account locked, not shared.
  if (account.shared && people.length > account.balance) throw new AccountOvertaken(run.teamId)
  const taken = take({
    engagements,
    stored: new Map([...stored].map(([key, { reaction }]) => [key, reaction])),
    counted: await listCounted(tx, run, { engagements, stored }),
    blocked,
    charged,
    bounds: await captureBounds(tx, locked, bounded),
  })
  return { taken, stored, blocked, recognised }
}

/** Stores the rows and charges the new people; `bounded` is the post whose own bound counts. */
async function captureRows(tx: Tx, unit: PageUnit, { seen, bounded }: Shown): Promise<Judged & { spent: number }> {
  const { locked, faultPoint } = unit
  const { account, run } = locked
  const { taken, stored, blocked, recognised } = await judge(tx, unit, { seen, bounded })
  const ids = await storeRows(tx, locked, { seen, taken })
  await faultPoint('capture.people-written')
  const people = taken.rows.map(({ person }) => person)
  const urns = people.map(({ urn }) => urn)
  if (run.policy.enriches) await requestEnrichment(tx, run.teamId, urns)
  // After their tasks, the order in which enrichment locks them.
  await rememberPeople(tx, run.teamId, people)
  const free = taken.free.map(({ key, reason }) => ({
    reason,
    id: reason === 'blocked' ? null : (ids.get(key) ?? idOf(key, stored)),
  }))
  if (account.name === 'team')
    await insertFreeLines(tx, { teamId: run.teamId, sourceId: run.sourceId, syncId: run.id }, free)
  const charges = taken.charge.map((urn) => personCharge(run, urn))
  // From here on, pages that share the account wait for one another.
  const spent = await chargeAll(tx, account, charges)
  await noteSpend(tx, locked, spent)
  const rows = taken.rows.length
  if (rows > 0) await moveCounts(tx, locked.source, run.policy.enriches ? { pending: rows } : { raw: rows })
  await faultPoint('capture.charged')
  return { taken, stored, blocked, recognised, spent }
}

async function storeRows(
  tx: Tx,
  { source, run }: Locked,
  { seen, taken }: { seen: readonly OfPost[]; taken: Pick<JudgedPage<string>, 'rows' | 'changed'> },
): Promise<ReadonlyMap<string, string>> {
  const raw = !run.policy.enriches
  const beginning = raw
    ? { webhookStatus: 'no_webhook' as const }
    : await initialWebhookStatus(tx.db, run.teamId, source.id)
  const rows = new Set<ShownEngagement>(taken.rows)
  const isTaken = (engagement: ShownEngagement): engagement is Engagement => rows.has(engagement)
  const origin: LeadOrigin = {
    teamId: run.teamId,
    ownerId: source.id,
    sourceId: source.id,
    sourceKind: leadKindOf(source),
    syncId: run.id,
    enrichment: raw ? 'raw' : 'pending',
    ...beginning,
  }
  const ids = await insertLeads(
    tx,
    origin,
    seen.map(({ post, engagements }) => ({
      post: { urn: post.urn, url: post.url, postedAt: post.postedAt?.toISOString() ?? null },
      engagements: engagements.filter(isTaken),
    })),
  )
  await updateReactions(tx, { teamId: run.teamId, ownerId: source.id }, taken.changed)
  return ids
}

export type EngagementPage = {
  readonly seen: Seen
  readonly post: RunPost
  readonly after: PostPlace
  /** Entries on the page; 0 for the rest of an earlier page, whose entries were counted when it came. */
  readonly entries: number
  readonly cutShort: boolean
  readonly leftForPrice: boolean
}

/** Stores and charges pages of different posts, moves the run on, and ends it when a bound stops it. */
export async function writeEngagement(
  tx: Tx,
  unit: PageUnit,
  pages: readonly EngagementPage[],
): Promise<{ readonly outcome: 'open' | 'ended'; readonly recognised: readonly PersonNamed[] }> {
  const { taken, blocked, recognised, spent } = await captureRows(tx, unit, {
    seen: pages.map(({ post, seen }) => ({ post, engagements: seen.engagements })),
    bounded: pages.length === 1 ? pages[0]!.post : null,
  })
  const { run } = unit.locked
  const stored = new Set<ShownEngagement>(taken.rows)
  const read = pages.slice(0, pagesRead(pages, taken))
  const results = read.map((page, at) =>
    resultOf(run.policy, page, {
      stop: at === read.length - 1 ? taken.stop : null,
      rows: page.seen.engagements.filter((engagement) => stored.has(engagement)).length,
      // The rest of a page is kept until its turn, so blocked people must not be in it.
      rest: taken.rest.filter(({ person }) => person === null || !blocked.has(person.urn)),
    }),
  )
  const sum = (of: 'engagersSeen' | 'postsProcessed') => results.reduce((total, result) => total + result[of], run[of])
  const some = (of: 'providerLimited' | 'pageLimited' | 'priceLimited') =>
    run[of] || results.some((result) => result[of])
  const engagersSeen = sum('engagersSeen')
  const progress = {
    ...(engagersSeen === 0 && read.some(({ entries }) => entries > 0) ? { cursor: withSomebodyShown(run) } : {}),
    leadRows: run.leadRows + taken.rows.length,
    creditsSpent: run.creditsSpent + spent,
    engagementJudged: run.engagementJudged + judgedFor(unit, taken),
    engagersSeen,
    postsProcessed: sum('postsProcessed'),
    providerLimited: some('providerLimited'),
    pageLimited: some('pageLimited'),
    priceLimited: some('priceLimited'),
  }
  const posts = results.map(({ moved }) => moved)
  return { outcome: await finishPage(tx, unit, { progress, posts, stop: taken.stop }), recognised }
}

/** An agent's trial is not in the team's ledger. */
const judgedFor = ({ locked: { account } }: PageUnit, { judged }: JudgedPage<PageStop>): number =>
  account.name === 'team' ? judged : 0

/** For pages that have shown somebody, but nobody whom the run counts. */
const withSomebodyShown = ({ cursor }: Run): Run['cursor'] =>
  cursor.phase === 'engagement' ? { ...cursor, shown: true } : cursor

/** How many pages were read: all, or those up to the entry that a bound kept out. */
function pagesRead(pages: readonly EngagementPage[], { stop, rest }: JudgedPage<PageStop>): number {
  if (stop === null) return pages.length
  const pageOf = pages.flatMap(({ seen }, place) => seen.engagements.map(() => place))
  return 1 + (pageOf[pageOf.length - rest.length] ?? pages.length - 1)
}

const endsRun = (stop: PageStop | null): stop is RunStop => stop !== null && stop !== 'post' && stop !== 'turn'

function resultOf(
  policy: Run['policy'],
  page: EngagementPage,
  { stop, rows, rest }: { stop: PageStop | null; rows: number; rest: JudgedPage<PageStop>['rest'] },
) {
  const { post } = page
  const limit = boundPost(policy.perPost, page, { stop, rows })
  const left = post.phase === 'reactions' && limit.after.phase !== 'reactions'
  const reactionsSeen = post.reactionsSeen + (post.phase === 'reactions' ? page.entries : 0)
  const providerLimited =
    page.leftForPrice ||
    limit.endless ||
    (left && hitProviderLimit({ seen: reactionsSeen, declared: post.reactionsDeclared, cutShort: page.cutShort }))
  const atPostLimit = limit.reached || stop === 'post'
  // A page that ended its run was not read to its end, so its post is not done.
  const moved: PostProgress = {
    ...(endsRun(stop) ? post : limit.after),
    position: post.position,
    reactionsSeen,
    seen: limit.after.phase === post.phase ? limit.seen : 0,
    rowsTaken: post.rowsTaken + rows,
    // A post that showed only stored rows has not had its turn.
    turns: post.turns + (rows > 0 ? 1 : 0),
    pageRest:
      stop === 'turn' && limit.after.phase !== 'done'
        ? { engagements: rest, after: page.after, cutShort: page.cutShort }
        : null,
    heldBackBy: providerLimited ? 'provider_limit' : atPostLimit ? 'post_limit' : post.heldBackBy,
  }
  return {
    moved,
    engagersSeen: engagersOf(policy, page),
    postsProcessed: limit.after.phase === 'done' ? 1 : 0,
    providerLimited,
    pageLimited: limit.reached || page.leftForPrice,
    priceLimited: page.leftForPrice,
  }
}

/** Engagers that a page adds to the run; 0 for the rest of an earlier page. */
function engagersOf(policy: Run['policy'], { entries, seen }: EngagementPage): number {
  if (entries === 0) return 0
  return policy.seen === 'people'
    ? new Set(seen.engagements.filter(isByPerson).map((each) => each.person.urn)).size
    : seen.engagersSeen
}

/** Captures the authors of posts and moves the posts on to their engagement; returns the recognised people. */
export async function writeAuthors(tx: Tx, unit: PageUnit, posts: readonly RunPost[]): Promise<readonly PersonNamed[]> {
  const { run } = unit.locked
  const urns = posts.map((post) => post.urn)
  const known = await listPosts(tx.db, run.teamId, urns)
  const authors = posts.map((post) => ({
    post,
    author: known.has(post.urn) ? authorOf(known.get(post.urn)!) : ('unknown' as const),
  }))
  const people = authors.map(({ post, author }) => ({
    post,
    engagements: author === 'unknown' ? [] : [typeof author === 'string' ? byNobody(post, author) : author],
  }))
  const { taken, recognised, spent } = await captureRows(tx, unit, { seen: people, bounded: null })
  const after = (post: RunPost) =>
    firstPhase({ reactions: post.reactionsDeclared, comments: post.commentsDeclared }, run.policy.engagers)
  const moved = posts.map((post) => ({ ...post, phase: after(post), turns: post.turns + 1 }))
  const progress = {
    leadRows: run.leadRows + taken.rows.length,
    creditsSpent: run.creditsSpent + spent,
    engagementJudged: run.engagementJudged + judgedFor(unit, taken),
    postsProcessed: run.postsProcessed + posts.filter((post) => after(post) === 'done').length,
    authorsCaptured: run.authorsCaptured + taken.rows.length,
    companyAuthors: run.companyAuthors + authors.filter(({ author }) => author === 'company').length,
  }
  await finishPage(tx, unit, { progress, posts: moved, stop: taken.stop })
  return recognised
}

async function finishPage(
  tx: Tx,
  { locked: { run }, faultPoint }: PageUnit,
  end: { readonly progress: RunProgress; readonly posts: readonly PostProgress[]; readonly stop: PageStop | null },
): Promise<'open' | 'ended'> {
  const { progress, posts, stop } = end
  await saveCheckpoint(tx, { run, progress, posts })
  const ended = endsRun(stop)
  if (ended) await closeStopped(tx, { ...run, ...progress }, stop)
  await faultPoint('capture.before-commit')
  return ended ? 'ended' : 'open'
}
