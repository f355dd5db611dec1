/**
 * Erases a person in one unit of work, so that after a crash nothing is done and the same request does it all. Locks the team's
 * account, which every page of capture shares, then the rest in lock order: agents, sources, runs, leads, people, deliveries.
 *
 * Work under way for the team finds its fence raised and is fetched again; code that reads an answer of the network after the
 * commit finds the person blocked.
 */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
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
import { listNamesGiven } from './names-given.ts'
import { addNotTold, findErasure, insertErasure, type Erasure } from './store.ts'

/** What an erasure needs. */
export type ErasingDeps = {
  readonly blockList: BlockList
  readonly faultPoint: FaultPointHook
  /** Agents and sends belong to higher modules. */
  readonly eraseFromAgents: (tx: Tx, teamId: string, person: ErasedPerson) => Promise<unknown>
  readonly eraseFromSends: (tx: Tx, teamId: string, person: ErasedPerson) => Promise<unknown>
  /** Deletes vendors' answers that are kept for failed work. */
  readonly forgetAnswers: (tx: Tx, teamId: string) => Promise<void>
  /** Removes people from the file in which the sandbox keeps whom it was asked about. */
  readonly forgetInSandbox: (handles: readonly string[]) => void
}

/** A request to erase a person. */
type ErasureAsked = { readonly teamId: string; readonly named: Named; readonly reason: string | null }

/** An erasure, and whether an earlier request had made it. */
export type Erased = { readonly erasure: Erasure; readonly repeated: boolean }

/** Erases and blocks a person; if they were erased before, returns that erasure, and takes out what came under other names. */
export async function erasePerson(tx: Tx, deps: ErasingDeps, { teamId, named, reason }: ErasureAsked): Promise<Erased> {
  // Of two concurrent erasures the second waits here and finds the first.
  const locked = await lockAccount(tx, teamId)
  const known = await listEveryName(tx.db, teamId, [named])
  // Without personal names, which several people may have.
  const names = blockedNames({ ...known, names: [] })
  const before = await deps.blockList.erasureOf(tx.db, teamId, names)
  // A process may have died between recognising them by another name and taking out what came under it.
  if (
    before !== undefined &&
    (await areAllBlocked(tx, deps, { teamId, names })) &&
    !(await isHeld(tx.db, teamId, known))
  )
    return { erasure: (await findErasure(tx.db, teamId, before))!, repeated: true }
  const given = await listNamesGiven(tx.db, teamId, known)
  // A caller can give anybody any name, so names from calls count only where no other name is known.
  const person = { ...known, names: known.names.length > 0 ? known.names : given.names, mails: given.mails }
  if (before !== undefined) {
    // The team may have named them by a handle or member id that it did not know then.
    await deps.blockList.block(tx, teamId, { names: blockedNames(person), erasureId: before })
    await eraseAgain(tx, deps, { locked, teamId, person, erasureId: before })
    return { erasure: (await findErasure(tx.db, teamId, before))!, repeated: true }
  }
  const personId = (await idOfPerson(tx.db, teamId, person.urns)) ?? tx.newId()
  const subjectHash = await deps.blockList.hashOf(tx.db, teamId, names[0]!)
  const handle = person.handles[0]
  const linkedinUrl =
    (await addressOf(tx.db, teamId, person.urns)) ??
    `https://www.linkedin.com/in/${handle === undefined ? person.urns[0] : encodeURIComponent(handle)}`

  const { counts, receivers, notTold } = await eraseFromAllModules(tx, deps, teamId, person)

  const id = tx.newId()
  const erasure: Erasure = {
    id,
    personId,
    subjectHash,
    // The reason may name the person.
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

async function areAllBlocked(
  tx: Tx,
  { blockList }: ErasingDeps,
  { teamId, names }: { readonly teamId: string; readonly names: ReturnType<typeof blockedNames> },
): Promise<boolean> {
  for (const name of names) if ((await blockList.erasureOf(tx.db, teamId, [name])) === undefined) return false
  return true
}

/** Whether a team holds anything of a person under these names. */
const isHeld = async (db: Reader, teamId: string, known: ErasedPerson): Promise<boolean> =>
  (await listLeadsOfPeople(db, teamId, known.urns)).length > 0 ||
  (await listAuthors(db, teamId, known.urns)).length > 0 ||
  (await isFoundByRuns(db, teamId, known.urns)) ||
  (await isNamedByTeam(db, teamId, known))

/**
 * Handles an erased person who is recognised late: blocks every name in their record, and removes what was captured of them under
 * a name that was unknown until then, such as a new member id. Gives back the charges (PRV-06), and tells the receivers of any of
 * it that were not told of the erasure before (PRV-07).
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
  if (!(await isHeld(tx.db, teamId, known))) return
  const erasureId = await deps.blockList.erasureOf(tx.db, teamId, blockedNames({ ...known, names: [] }))
  await eraseAgain(tx, deps, { locked, teamId, person: known, erasureId })
}

/** Takes out what came of an erased person under other names: gives back the charges, and tells who was not told before. */
async function eraseAgain(
  tx: Tx,
  deps: ErasingDeps,
  {
    locked,
    teamId,
    person,
    erasureId,
  }: {
    readonly locked: Awaited<ReturnType<typeof lockAccount>>
    readonly teamId: string
    readonly person: ErasedPerson
    readonly erasureId: string | undefined
  },
): Promise<void> {
  const { urns } = person
  const leads = await listLeadsOfPeople(tx.db, teamId, urns)
  const owners = [...(await listSourceIds(tx.db, teamId)), ...(await listRunIds(tx.db, teamId))]
  const linkedinUrl = (await addressOf(tx.db, teamId, urns)) ?? null
  await giveBackCharges(tx, locked, { urns, owners, leads })
  const { receivers, notTold } = await eraseFromAllModules(tx, deps, teamId, person)
  if (erasureId === undefined) return
  const erasure = (await findErasure(tx.db, teamId, erasureId))!
  await addNotTold(tx, teamId, { id: erasureId, notTold })
  const subjectHash = erasure.subjectHash.toString('hex')
  const told = (await listToldReceivers(tx.db, teamId, [subjectHash])).get(subjectHash) ?? []
  const untold = receivers.filter(({ ownerId }) => told.every(({ id }) => id !== ownerId))
  await tellErased(tx, teamId, { subjectHash, linkedinUrl, receivers: untold })
}

/** Removes a person from everything a team holds. */
async function eraseFromAllModules(tx: Tx, deps: ErasingDeps, teamId: string, person: ErasedPerson) {
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
  await deps.faultPoint('erasure.facts-deleted')

  const owners = [...(await listSourceIds(tx.db, teamId)), ...(await listRunIds(tx.db, teamId))]
  const ledgerLines = await eraseFromLedger(tx, teamId, { urns, owners, leads })
  // Which files name the person is unknown, so a team that held anything of them loses all; of leads that went by age since, the
  // ledger tells.
  const isNamed = Object.values(named).some((count) => count > 0)
  const hasHeld =
    [leads, postUrns, sourceIds].some((theirs) => theirs.length > 0) || isNamed || people + goneBefore + ledgerLines > 0
  const exports = hasHeld ? await deleteExports(tx, teamId) : 0
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
  const wasHeld = Object.values(found).some((count) => count > 0)
  const counts = { ...found, ...(await erasePersonFromAccounts(tx, teamId, { person, isHeld: wasHeld })) }
  await eraseMentionsInLogs(tx, teamId, person)
  await deps.faultPoint('erasure.logs-deleted')
  return { counts, receivers, notTold: [...(sends > 0 ? ['outreach'] : []), ...destinations.stillHeldBy] }
}
