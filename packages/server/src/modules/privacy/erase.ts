/**
 * Erasing a person: one unit of work, so that a crash anywhere has done nothing and the same request does it all. It locks the team's
 * account alone, which every page of capture shares, and everything else in lock order: agents, sources, runs, leads, people, deliveries.
 *
 * What is under way for the team meanwhile finds its fence moved and is asked for again; code that reads an answer of the network after
 * this has committed finds the person blocked.
 */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { erasePersonFromAccounts, erasePersonFromViews, withoutPerson, type ErasedPerson } from '../accounts/index.ts'
import { erasePages } from '../capture/index.ts'
import {
  eraseFromFreeLines,
  eraseFromLedger,
  erasePersonFromDisputes,
  giveBackCharges,
  lockAccount,
} from '../credits/index.ts'
import {
  deleteDeliveriesOfPosts,
  deleteExports,
  emptyBodies,
  endDeliveries,
  erasePersonFromDestinations,
  listReceivers,
  listToldReceivers,
  tellErased,
} from '../delivery/index.ts'
import { eraseFromDiscover, isFoundByRuns, listRunIds } from '../discover/index.ts'
import { eraseScores, lockRankings } from '../fit/index.ts'
import { erasePersonFromJobs } from '../jobs/index.ts'
import { erasePersonFromSearches, listSearchesAbout } from '../keywords/index.ts'
import {
  deleteUnusedNames,
  erasePersonFromExclusions,
  forgetDeletedLeads,
  listLeadsOfPeople,
  namePostsByUrn,
} from '../leads/index.ts'
import {
  addressOf,
  blockedNames,
  erasePeople,
  erasePosts,
  idOfPerson,
  listAuthors,
  listPostsBy,
  type BlockList,
  type Named,
  type PersonNamed,
} from '../network/index.ts'
import { erasePersonFromOutreach } from '../outreach/index.ts'
import { forgetResults } from '../results/index.ts'
import {
  erasePersonFromRuns,
  eraseSourceNames,
  listSourceIds,
  listSourcesOf,
  lockSources,
  untrackAll,
} from '../sources/index.ts'
import { eraseLeads } from './erase-leads.ts'
import { eraseMentions, eraseMentionsInLogs } from './mentions.ts'
import { isNamedByTeam, listEveryName } from './names.ts'
import { listSaid } from './said.ts'
import { addNotTold, findErasure, insertErasure, type Erasure } from './store.ts'

/** What erasing works with. */
export type ErasingDeps = {
  readonly blockList: BlockList
  readonly faultPoint: FaultPointHook
  /** Agents and sends belong to modules above this one. */
  readonly eraseFromAgents: (tx: Tx, teamId: string, person: ErasedPerson) => Promise<unknown>
  readonly eraseFromSends: (tx: Tx, teamId: string, person: ErasedPerson) => Promise<unknown>
  /** Forgets answers of vendors that are kept for work that has failed. */
  readonly forgetAnswers: (tx: Tx, teamId: string) => Promise<void>
  /** Takes people out of the file in which a sandbox remembers whom it was asked about. */
  readonly forgetInSandbox: (handles: readonly string[]) => void
}

/** What an erasure is asked with. */
export type ErasureAsked = { readonly teamId: string; readonly named: Named; readonly reason: string | null }

/** An erasure, and whether it had been made before. */
export type Erased = { readonly erasure: Erasure; readonly repeated: boolean }

/** Erases a person and blocks them; one who was erased before stays erased as they were. */
export async function erasePerson(tx: Tx, deps: ErasingDeps, { teamId, named, reason }: ErasureAsked): Promise<Erased> {
  // Two at once: the second finds what the first has done.
  await lockAccount(tx, teamId)
  const known = await listEveryName(tx.db, teamId, [named])
  // What somebody is called is not theirs alone.
  const names = blockedNames({ ...known, names: [] })
  const before = await deps.blockList.erasureOf(tx.db, teamId, names)
  if (before !== undefined) return { erasure: (await findErasure(tx.db, teamId, before))!, repeated: true }
  const said = await listSaid(tx.db, teamId, known)
  // A caller may give anybody any name: it counts for those alone of whom nothing else tells what they are called.
  const person = { ...known, names: known.names.length > 0 ? known.names : said.names, mails: said.mails }
  const personId = (await idOfPerson(tx.db, teamId, person.urns)) ?? tx.newId()
  const subjectHash = await deps.blockList.hashOf(tx.db, teamId, names[0]!)
  const handle = person.handles[0]
  const linkedinUrl =
    (await addressOf(tx.db, teamId, person.urns)) ??
    `https://www.linkedin.com/in/${handle === undefined ? person.urns[0] : encodeURIComponent(handle)}`

  const { counts, receivers, notTold } = await takeOut(tx, deps, teamId, person)

  const id = tx.newId()
  const erasure: Erasure = {
    id,
    personId,
    subjectHash,
    // Somebody may have written whom it is about.
    reason: withoutPerson(reason, person) as string | null,
    counts,
    notTold,
    erasedAt: tx.now,
  }
  await insertErasure(tx, teamId, erasure)
  await deps.blockList.block(tx, teamId, { names: blockedNames(person), erasureId: id })
  await tellErased(tx, teamId, { subjectHash: subjectHash.toString('hex'), linkedinUrl, receivers })
  await deps.faultPoint('erasure.before-commit')
  return { erasure, repeated: false }
}

/**
 * Blocks somebody who is found to be erased by each name in a record of theirs, and takes out what was captured of them under one by
 * which nobody could know them, such as a member id that was never seen; what that was charged is given back (PRV-06), and who was sent
 * any of it is told, unless the erasure was told there before (PRV-07).
 */
export async function eraseRecognised(
  tx: Tx,
  deps: ErasingDeps,
  { teamId, person }: { readonly teamId: string; readonly person: PersonNamed },
): Promise<void> {
  const locked = await lockAccount(tx, teamId)
  await deps.blockList.blockAliases(tx, teamId, [person])
  const { urn, otherUrns = [], handle } = person
  const known = await listEveryName(tx.db, teamId, [
    { urn: urn ?? undefined, handle: handle ?? undefined },
    ...otherUrns.map((other) => ({ urn: other })),
  ])
  const { urns } = known
  const leads = await listLeadsOfPeople(tx.db, teamId, urns)
  const isHeld =
    leads.length > 0 ||
    (await listAuthors(tx.db, teamId, urns)).length > 0 ||
    (await isFoundByRuns(tx.db, teamId, urns)) ||
    (await isNamedByTeam(tx.db, teamId, known))
  if (!isHeld) return
  const owners = [...(await listSourceIds(tx.db, teamId)), ...(await listRunIds(tx.db, teamId))]
  const linkedinUrl = (await addressOf(tx.db, teamId, urns)) ?? null
  await giveBackCharges(tx, locked, { urns, owners, leads })
  const { receivers, notTold } = await takeOut(tx, deps, teamId, known)
  const erasureId = await deps.blockList.erasureOf(tx.db, teamId, blockedNames({ ...known, names: [] }))
  if (erasureId === undefined) return
  const erasure = (await findErasure(tx.db, teamId, erasureId))!
  await addNotTold(tx, teamId, { id: erasureId, notTold })
  const subjectHash = erasure.subjectHash.toString('hex')
  const told = (await listToldReceivers(tx.db, teamId, [subjectHash])).get(subjectHash) ?? []
  const untold = receivers.filter(({ ownerId }) => told.every(({ id }) => id !== ownerId))
  await tellErased(tx, teamId, { subjectHash, linkedinUrl, receivers: untold })
}

/** Takes a person out of everything that a team holds. */
async function takeOut(tx: Tx, deps: ErasingDeps, teamId: string, person: ErasedPerson) {
  const { urns } = person
  const leads = await listLeadsOfPeople(tx.db, teamId, urns)
  const leadIds = leads.map(({ id }) => id)
  const postUrns = await listPostsBy(tx.db, teamId, person)
  const sourceIds = await listSourcesOf(tx.db, teamId, person)
  const searches = await listSearchesAbout(tx.db, teamId, person)
  await deps.eraseFromAgents(tx, teamId, person)
  await lockRankings(tx, teamId)
  await lockSources(tx, teamId, [
    ...new Set([
      ...leads.flatMap(({ sourceId }) => sourceId ?? []),
      ...sourceIds,
      ...searches.map(({ sourceId }) => sourceId),
    ]),
  ])
  await deps.faultPoint('erasure.begun')
  const alone = searches.filter(({ isAlone }) => isAlone).map(({ sourceId }) => sourceId)
  await untrackAll(tx, teamId, { ids: [...sourceIds, ...alone], endDeliveries })
  await erasePersonFromRuns(tx, teamId, { person, postUrns })
  const jobs = await erasePersonFromJobs(tx, teamId, person)
  const discovered = await eraseFromDiscover(tx, teamId, person)

  const receivers = await listReceivers(tx.db, teamId, { leadIds, postUrns, sourceIds })
  const gone = await eraseLeads(tx, teamId, leadIds)
  const destinations = await erasePersonFromDestinations(tx, teamId, { urns, leadIds, postUrns, sourceIds })
  const renamed = await namePostsByUrn(tx, teamId, postUrns)
  await deleteUnusedNames(tx, teamId)
  const goneBefore = await forgetDeletedLeads(tx, teamId, urns)
  await deps.faultPoint('erasure.leads-deleted')

  tx.judgeAgain()
  const people = await erasePeople(tx, teamId, urns)
  const posts = await erasePosts(tx, teamId, postUrns)
  const scores = await eraseScores(tx, teamId, urns)
  const verdicts = await erasePersonFromSearches(tx, teamId, { searches, postUrns })
  const sends = await erasePersonFromOutreach(tx, teamId, person)
  const results = await forgetResults(tx, teamId, person)
  const exclusions = await erasePersonFromExclusions(tx, teamId, person)
  await deps.eraseFromSends(tx, teamId, person)
  await erasePages(tx, teamId)
  await deps.forgetAnswers(tx, teamId)
  deps.forgetInSandbox(person.handles)
  const ofPosts = await deleteDeliveriesOfPosts(tx, teamId, postUrns)
  await emptyBodies(tx, teamId, { leadIds: renamed, ownerIds: sourceIds })
  // Before mentions are rewritten: a filter by their name goes as a whole.
  const views = await erasePersonFromViews(tx, teamId, person)
  const named = await eraseMentions(tx, teamId, person)
  // Nobody can say which files name the person: those of a team that has held anything of them go.
  const isNamed = Object.values(named).some((count) => count > 0)
  const hasHeld = [leads, postUrns, sourceIds].some((theirs) => theirs.length > 0) || isNamed || people + goneBefore > 0
  const exports = hasHeld ? await deleteExports(tx, teamId) : 0
  await deps.faultPoint('erasure.facts-deleted')

  const owners = [...(await listSourceIds(tx.db, teamId)), ...(await listRunIds(tx.db, teamId))]
  const ledgerLines = await eraseFromLedger(tx, teamId, { urns, owners, leads })
  await eraseFromFreeLines(tx, teamId, urns)
  await erasePersonFromDisputes(tx, teamId, person)
  await eraseSourceNames(tx, teamId, { sourceIds, postUrns })
  const found = {
    leads: leadIds.length,
    facts: people + discovered + named.facts,
    posts: posts + named.posts,
    deliveries: gone.deliveries + ofPosts + destinations.deliveries + named.deliveries,
    scores: scores + named.scores,
    verdicts: verdicts + named.verdicts,
    sends,
    jobs: jobs + named.jobs,
    sources: sourceIds.length,
    ledgerLines,
    results,
    exclusions,
    exports,
    views,
  }
  const isHeld = Object.values(found).some((count) => count > 0)
  const counts = { ...found, ...(await erasePersonFromAccounts(tx, teamId, { person, isHeld })) }
  await eraseMentionsInLogs(tx, teamId, person)
  await deps.faultPoint('erasure.logs-deleted')
  return { counts, receivers, notTold: [...(sends > 0 ? ['outreach'] : []), ...destinations.stillHeldBy] }
}
