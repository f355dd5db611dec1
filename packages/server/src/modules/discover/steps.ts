/**
 * What the steps of a run write: ranks, then countries (DIS-17..DIS-25), then people, each an Author lead with one charge
 * (CRD-23, DIS-26, G91, G139).
 */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import {
  chargeAll,
  keyOfDiscoverPerson,
  settleAgentSearch,
  type Charge,
  type LockedAccount,
  idOfHash,
  insertFreeLines,
  listCountedOutsideRuns,
} from '../credits/index.ts'
import {
  matchCountry,
  personIsFresh,
  rememberPeople,
  rememberPosts,
  requestEnrichment,
  type BlockList,
} from '../network/index.ts'
import { insertLeads } from '../leads/index.ts'
import { forgetOthers, listAddable, listUnchecked, markAdded, rankPeople, saveMatches } from './people-store.ts'
import { authorLead, maxWeighed, countedPost } from './rules/run.ts'
import { closeDiscoverRun, saveDiscoverCheckpoint, type DiscoverRun, type Ending } from './store.ts'

const isWanted = (run: Pick<DiscoverRun, 'countries'>, country: string | null): boolean =>
  country !== null && matchCountry(run.countries, country) !== null

/** Ranks the people of a run that has read its posts. Fresh profiles in the directory give countries without a look-up. */
export async function rankByEngagement(tx: Tx, run: DiscoverRun): Promise<void> {
  const reached = await rankPeople(tx, run, maxWeighed(run))
  if (run.countries.length === 0)
    return void (await saveDiscoverCheckpoint(tx, run, { phase: 'add', qualified: reached }))
  const known = (await listUnchecked(tx.db, run, maxWeighed(run))).filter((person) =>
    personIsFresh(person.enrichedAt, tx.now),
  )
  await saveCountries(tx, { ...run, phase: 'check' }, known)
}

/** Writes people's countries; with a country list, only those in it count as qualified. */
export async function saveCountries(
  tx: Tx,
  run: DiscoverRun,
  people: readonly { readonly position: number; readonly country: string | null }[],
): Promise<void> {
  const matches = people.map(({ position, country }) => ({ position, matched: isWanted(run, country) }))
  await saveMatches(tx, run, matches)
  const countryMatched = run.countryMatched + matches.filter((match) => match.matched).length
  await saveDiscoverCheckpoint(tx, run, {
    phase: run.phase,
    countryChecked: run.countryChecked + matches.length,
    countryMatched,
    qualified: countryMatched,
  })
}

const batch = 50

const charge = (run: DiscoverRun, personUrn: string): Charge => ({
  key: keyOfDiscoverPerson(run.id, personUrn),
  category: 'discover',
  sourceId: null,
  syncId: null,
})

/**
 * Ends a locked run: deletes the people it did not add, and lapses what a trial's allowance granted it and was not spent. For an
 * agent's run the team's account must be locked first.
 */
export async function endRun(tx: Tx, run: DiscoverRun, ending: Ending): Promise<void> {
  await closeDiscoverRun(tx, run, ending)
  await forgetOthers(tx, run)
  if (run.agentId !== null) await settleAgentSearch(tx, run.teamId, run)
}

async function storeLeads(tx: Tx, run: DiscoverRun, posts: readonly Post[]): Promise<void> {
  await rememberPosts(tx, run.teamId, posts)
  const origin = {
    teamId: run.teamId,
    ownerId: run.id,
    sourceId: null,
    sourceKind: 'discover',
    syncId: null,
    enrichment: 'pending',
    webhookStatus: 'no_webhook',
  } as const
  const engaged = posts.map((post) => ({ post, engagements: [authorLead(post)] }))
  await insertLeads(tx, origin, engaged)
}

/** Adds the next people of a locked run, as far as the balance reaches; ends the run when no people, room or balance is left. */
export async function addPeople(
  tx: Tx,
  run: DiscoverRun,
  { account, faultPoint }: { account: LockedAccount; faultPoint: FaultPointHook },
): Promise<void> {
  const { teamId } = run
  const room = run.maxInfluencers - run.found
  const people = await listAddable(tx.db, run, Math.min(batch, room))
  const paid = people.slice(0, Math.max(0, account.balance))
  const posts = paid.map((person) => person.post)
  const urns = paid.map((person) => person.personUrn)
  await storeLeads(tx, run, posts)
  await faultPoint('discover.people-written')
  const charges = urns.map((urn) => charge(run, urn))
  const charged = await chargeAll(tx, account, charges)
  if (charged !== paid.length) throw new Error(`run ${run.id}: ${paid.length} people came to ${charged} charges`)
  await faultPoint('discover.charged')
  const positions = paid.map((person) => person.position)
  await markAdded(tx, run, positions)
  await requestEnrichment(tx, teamId, urns)
  // After their tasks, which is the order in which enrichment locks them.
  const authors = posts.map((post) => authorLead(post).person)
  await rememberPeople(tx, teamId, authors)
  const after = await saveDiscoverCheckpoint(tx, run, { found: run.found + paid.length })
  if (paid.length < people.length)
    await endRun(tx, after, {
      state: 'done',
      errorCode: 'insufficient_enriching_credits',
      errorText: 'The credit balance ran out before everybody who qualified was added',
    })
  else if (people.length < Math.min(batch, room) || people.length === room)
    await endRun(tx, after, { state: 'done', errorCode: null, errorText: null })
}

/**
 * Counts, once per run, blocked authors (people the team had erased) of posts that would have counted (PRV-06); `shown` are those
 * of `posts` that may be stored.
 */
export async function countBlocked(
  tx: Tx,
  run: DiscoverRun,
  { blockList, posts, shown }: { blockList: BlockList; posts: readonly Post[]; shown: readonly Post[] },
): Promise<void> {
  const { teamId, id, createdAt } = run
  const kept = new Set(shown.flatMap((post) => (post.author.kind === 'erased' ? [] : [post.urn])))
  const urns = new Set(
    posts.flatMap((post) => (kept.has(post.urn) ? [] : (countedPost(post, tx.now)?.author.person.urn ?? []))),
  )
  const ids: string[] = []
  // Hashed with a key, and with the run's id, so that hashes of two runs cannot be compared.
  for (const urn of urns) ids.push(idOfHash(await blockList.hashOf(tx.db, teamId, { urn: `${id}:${urn}` })))
  const counted = await listCountedOutsideRuns(tx.db, { teamId, since: createdAt, ids })
  await insertFreeLines(
    tx,
    { teamId, sourceId: null, syncId: null },
    ids.filter((each) => !counted.has(each)).map((each) => ({ reason: 'blocked', id: each })),
  )
}
