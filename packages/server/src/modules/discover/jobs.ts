/**
 * Discover: finding people who post about a topic. One unit is one page of a search, four profiles looked up concurrently, or one batch of
 * people added, of the run whose team was served longest ago.
 *
 *   running: search --page by page, keyword by keyword--> rank --countries named--> check, profile by profile --> add --> done
 *                                                          `-- no country named --------------------------------> add --> done
 *        every step: claim (lease, fence) -> vendor, outside any transaction -> one unit: rows, charges, counts, place
 *   add --balance empty and somebody left--> done   error insufficient_enriching_credits
 *   search, check --vendor fails, again and again--> failed   provider_error      --team lapsed--> failed   subscription_inactive
 *   any --it fails unexpectedly, five times in a row--> failed   internal_error
 *   any --DELETE--> gone: the request ends it, its worker finds the run ended and writes nothing
 *
 * A worker that dies leaves its lease to run out; the page or profile it was at is asked for again, and a worker that was overtaken
 * finds its fence moved. What was read and looked up lies in rows, so nobody is looked up or charged twice.
 */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Recorded, Work } from '../../platform/task-context.ts'
import { defineWork, leaseOf, postpone, releaseRow, reschedule } from '../../platform/work/index.ts'
import { firstVendor, ProviderFailure, describeFailure, type Post } from '../../providers/ports.ts'
import { retryAt, teamIsServed } from '../capture/index.ts'
import { readTeam } from '../accounts/index.ts'
import { isAgentSearch, lockAccount, type LockedAccount } from '../credits/index.ts'
import { eraseRecognisedAuthors } from '../network/index.ts'
import { lookUpPerson, saveFound, type EnrichmentDeps, type LookedUpPerson } from '../enrichment/index.ts'
import { countBlocked } from './blocked.ts'
import { insertPosts, listUnchecked, type Unchecked } from './people-store.ts'
import { afterPage, countedPost, nextStep, type Step } from './rules/run.ts'
import { addPeople, endRun, rankByEngagement, saveCountries } from './steps.ts'
import { claimDiscoverRun, discoverRows, lockDiscoverRun, saveDiscoverCheckpoint, type DiscoverRun } from './store.ts'

type DiscoverDeps = EnrichmentDeps & { readonly faultPoint: FaultPointHook }

/** Both vendors together answer or fail before the lease runs out: else the failure would never be recorded. */
const withinLease = { timeoutMs: 40_000 } as const

/** Writes a step; the account is locked for the one that charges. */
type Write = (tx: Tx, run: DiscoverRun, account: LockedAccount | null) => Promise<void>

/** A step ready to be written; `failure` is what delays the run after that. */
type Prepared = {
  readonly write: Write
  readonly failure?: ProviderFailure | undefined
  /** Posts that were found: their authors may turn out to be erased. */
  readonly found?: readonly Post[]
}

/** Locks a run that may be ended here: ending one of an agent credits the account, which is locked before it. */
async function lockToEnd(tx: Tx, claimed: DiscoverRun): Promise<DiscoverRun | undefined> {
  if (claimed.agentId !== null) await lockAccount(tx, claimed.teamId)
  return lockDiscoverRun(tx, claimed)
}

/** Locks a run for writing; undefined when it is no longer ours, and it is ended here when the team has lapsed. */
async function lockServed(tx: Tx, claimed: DiscoverRun): Promise<DiscoverRun | undefined> {
  const served = await teamIsServed(tx, claimed.teamId)
  const run = await (served ? lockDiscoverRun : lockToEnd)(tx, claimed)
  if (!run || served) return run
  if ((await readTeam(tx.db, run.teamId))?.closedAt) {
    // It rests as it is, and goes on where it stood when the team is restored.
    await releaseRow(tx, discoverRows, run)
    return undefined
  }
  await endRun(tx, run, {
    state: 'failed',
    errorCode: 'subscription_inactive',
    errorText: 'The team has no active subscription',
  })
  return undefined
}

/** Reads the next page of a keyword's search. */
async function readPage(deps: DiscoverDeps, claimed: DiscoverRun, index: number): Promise<Prepared> {
  const search = {
    term: claimed.keywords[index]!,
    sort: 'RELEVANCE',
    datePosted: 'PAST_MONTH',
    contentType: null,
    filters: {},
  } as const
  const page = await deps.network
    .searchPosts(search, claimed.places[index]!.at, withinLease)
    .catch((error: unknown) => {
      if (error instanceof ProviderFailure && error.kind === 'not_found')
        return { items: [], next: null, source: firstVendor }
      throw error
    })
  await deps.faultPoint('discover.page-fetched')
  const write: Write = async (tx, run) => {
    const shown = await deps.blockList.withoutAuthors(tx, run.teamId, page.items)
    const counted = shown.map((post) => countedPost(post, tx.now)).filter((post) => post !== null)
    await insertPosts(tx, run, counted)
    // What the allowance of a trial's agent pays for is not in the ledger of the team.
    if (!(await isPaidByAgentTrial(tx, run)))
      await countBlocked(tx, run, { blockList: deps.blockList, posts: page.items, shown })
    const place = afterPage(run.places[index]!, { shown: page.items.length, next: page.next, source: page.source })
    await saveDiscoverCheckpoint(tx, run, { places: run.places.with(index, place) })
  }
  return { write, found: page.items }
}

/** People looked up concurrently in one unit: hundreds, one after the other, would take many minutes. */
const maxConcurrentLookUps = 4

type Checked = { readonly person: Unchecked; readonly found: LookedUpPerson | null }

/** Looks a person up, in the directory while what it knows is fresh, else on the network; one it cannot show has no country. */
async function lookUp(deps: DiscoverDeps, teamId: string, person: Unchecked): Promise<Checked | ProviderFailure> {
  try {
    return { person, found: await lookUpPerson(deps, teamId, { urn: person.personUrn }) }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return error.kind === 'not_found' || (error.kind === 'malformed' && !error.held) ? { person, found: null } : error
  }
}

/** Looks the next people up; what came back is written even when another look-up failed, which then delays the run. */
async function checkPeople(
  deps: DiscoverDeps,
  { teamId }: DiscoverRun,
  people: readonly Unchecked[],
): Promise<Prepared> {
  const looked = await Promise.all(people.map((person) => lookUp(deps, teamId, person)))
  await deps.faultPoint('discover.profile-fetched')
  const checked = looked.filter((one): one is Checked => !(one instanceof ProviderFailure))
  const failure = looked.find((one): one is ProviderFailure => one instanceof ProviderFailure)
  if (checked.length === 0 && failure) throw failure
  const byUrn = [...checked].sort((a, b) => (a.person.personUrn < b.person.personUrn ? -1 : 1))
  const write: Write = async (tx, run) => {
    // Under the id the post named, so that enrichment finds it and asks nobody again.
    for (const { person, found } of byUrn)
      if (found?.profile) {
        const { urn, otherUrns = [] } = found.profile
        await saveFound(tx, { ...deps, teamId: run.teamId }, [
          { ...found.profile, urn: person.personUrn, otherUrns: [...otherUrns, urn] },
        ])
      }
    const countries = checked.map(({ person: { position }, found }) => ({
      position,
      country: found?.known.country ?? null,
    }))
    await saveCountries(tx, run, countries)
  }
  return { write, failure }
}

/** What a step writes once whatever it needs from outside is here. */
async function prepare(deps: DiscoverDeps, run: DiscoverRun, step: Step): Promise<Prepared> {
  if (step.kind === 'search') return readPage(deps, run, step.index)
  if (step.kind === 'rank') return { write: rankByEngagement }
  if (step.kind === 'add')
    return { write: (tx, locked, account) => addPeople(tx, locked, { account: account!, faultPoint: deps.faultPoint }) }
  const people = await listUnchecked(deps.db, run, maxConcurrentLookUps)
  return people.length > 0
    ? checkPeople(deps, run, people)
    : { write: async (tx, locked) => void (await saveDiscoverCheckpoint(tx, locked, { phase: 'add' })) }
}

async function failOrPostpone(deps: DiscoverDeps, claimed: DiscoverRun, failure: ProviderFailure): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    const run = await lockToEnd(tx, claimed)
    if (!run) return
    const dueAt = failure.held?.until ?? retryAt(run.attempts, tx.now, failure.retryAfterMs)
    if (dueAt) return postpone(tx, discoverRows, run, dueAt, failure.held ? 'held' : 'tried')
    await endRun(tx, run, {
      state: 'failed',
      errorCode: 'provider_error',
      errorText: `${describeFailure(failure)}; nobody was added and nothing was charged`,
    })
  })
}

/**
 * Records an unexpected failure under the fence: the run is put off until `dueAt`, or it has failed with
 * `internal_error`; who was added stays.
 */
async function recordUnexpectedOfSearch(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  if (!dueAt) await lockAccount(tx, work.teamId)
  const run = await lockDiscoverRun(tx, work)
  if (!run) return 'lost'
  if (dueAt) {
    await reschedule(tx, discoverRows, run, dueAt)
    return 'put_off'
  }
  await endRun(tx, run, {
    state: 'failed',
    errorCode: 'internal_error',
    errorText: 'The service failed at this search, five times over',
  })
  return 'ended'
}

/**
 * Locks the account that pays for the people added: the team's, or, for the search of a free trial's agent, the agent's allowance (G126).
 * The team's comes first: subscribing holds it until the allowance is closed, so that the trial ends before or after.
 */
async function lockPayer(tx: Tx, run: DiscoverRun): Promise<LockedAccount> {
  const account = await lockAccount(tx, run.teamId)
  return (await isPaidByAgentTrial(tx, run)) ? lockAccount(tx, run.teamId, 'agent_trial') : account
}

const isPaidByAgentTrial = async (tx: Tx, { teamId, id, agentId }: DiscoverRun): Promise<boolean> =>
  agentId !== null && (await readTeam(tx.db, teamId))?.status === 'trial' && (await isAgentSearch(tx.db, teamId, id))

/** One unit of Discover; `idle` when no run can be worked on. */
function discoverStep(deps: DiscoverDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const claimed = await deps.unitOfWork(async (tx) => {
      const run = await claimDiscoverRun(tx, leaseOf(deps.processId, deps.system.nowMs()))
      return run && { run, served: await teamIsServed(tx, run.teamId) }
    })
    if (!claimed) return 'idle'
    const { run, served } = claimed
    await deps.faultPoint('discover.leased')
    try {
      // A lapsed team's run is ended without asking the network for what nobody would write (G129).
      const step = nextStep(run)
      const {
        write,
        failure,
        found = [],
      }: Prepared = served ? await prepare(deps, run, step) : { write: async () => {} }
      await deps.unitOfWork(async (tx) => {
        const account = step.kind === 'add' ? await lockPayer(tx, run) : null
        const locked = await lockServed(tx, run)
        if (locked) await write(tx, locked, account)
        await deps.faultPoint('discover.before-commit')
      })
      await deps.faultPoint('discover.after-commit')
      await eraseRecognisedAuthors(deps, run.teamId, found)
      if (failure) await failOrPostpone(deps, run, failure)
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      await failOrPostpone(deps, run, error)
    }
    return 'worked'
  }
}

/** Discover, as work. */
export const discoverWork = defineWork({
  kind: 'discover',
  rows: [discoverRows],
  step: discoverStep,
  unexpected: { discover: recordUnexpectedOfSearch },
})
