/**
 * Discover: finds people who post about a topic. One unit of work is a page of a search, four concurrent look-ups of profiles, or
 * a batch of people added, for the run of the team served longest ago.
 *
 *   running: search --by page and keyword--> rank --countries named--> check, by profile --> add --> done
 *                                             `-- no country named ------------------------> add --> done
 *
 *   every step: claim (lease, fence) -> ask the vendor, outside any transaction -> one unit: rows, charges, counts, place
 *
 *   add            --balance empty, people left-->          done      error insufficient_enriching_credits
 *   search, check  --the vendor fails again and again-->    failed    provider_error
 *   any            --the team has lapsed-->                 failed    subscription_inactive
 *   any            --five unexpected failures in a row-->   failed    internal_error
 *   any            --DELETE-->                              gone      the request ends it; its worker writes nothing
 *
 * When a worker dies its lease runs out and the same page or profile is asked for again; a worker that was overtaken finds its
 * fence moved. Everything read or looked up is stored, so nobody is looked up or charged twice.
 */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Recorded, Work } from '../../platform/task-context.ts'
import { defineWork, leaseOf, postpone, endLease, reschedule } from '../../platform/work/index.ts'
import { firstVendor, ProviderFailure, describeFailure, type Post } from '../../providers/ports.ts'
import { retryAt, teamIsServed } from '../capture/index.ts'
import { readTeam } from '../accounts/index.ts'
import { isAgentSearch, lockAccount, type LockedAccount } from '../credits/index.ts'
import { eraseRecognisedAuthors } from '../network/index.ts'
import { lookUpPerson, saveFound, type EnrichmentDeps, type LookedUpPerson } from '../enrichment/index.ts'
import { insertPosts, listUnchecked, type Unchecked } from './people-store.ts'
import { afterPage, countedPost, nextStep, type Step } from './rules/run.ts'
import { addPeople, countBlocked, endRun, rankByEngagement, saveCountries } from './steps.ts'
import { claimDiscoverRun, discoverRows, lockDiscoverRun, saveDiscoverCheckpoint, type DiscoverRun } from './store.ts'

type DiscoverDeps = EnrichmentDeps & { readonly faultPoint: FaultPointHook }

/** Both vendors must answer or fail within the lease, or the failure could not be recorded. */
const withinLease = { timeoutMs: 40_000 } as const

/** Writes a step; `account` is locked for steps that charge, else null. */
type Write = (tx: Tx, run: DiscoverRun, account: LockedAccount | null) => Promise<void>

/** A step ready to be written; after that, `failure` delays the run. */
type Prepared = {
  readonly write: Write
  readonly failure?: ProviderFailure | undefined
  /** The posts found, whose authors may turn out to be erased. */
  readonly found?: readonly Post[]
}

/** Locks a run that may be ended: ending an agent's run credits the account, which must be locked first. */
async function lockToEnd(tx: Tx, claimed: DiscoverRun): Promise<DiscoverRun | undefined> {
  if (claimed.agentId !== null) await lockAccount(tx, claimed.teamId)
  return lockDiscoverRun(tx, claimed)
}

/** Locks a run for writing; undefined when the claim was lost, or the team has lapsed, in which case the run is ended. */
async function lockServed(tx: Tx, claimed: DiscoverRun): Promise<DiscoverRun | undefined> {
  const served = await teamIsServed(tx, claimed.teamId)
  const run = await (served ? lockDiscoverRun : lockToEnd)(tx, claimed)
  if (!run || served) return run
  if ((await readTeam(tx.db, run.teamId))?.closedAt) {
    // A run of a closed team is only released, and continues when the team is restored.
    await endLease(tx, discoverRows, run)
    return undefined
  }
  await endRun(tx, run, {
    state: 'failed',
    errorCode: 'subscription_inactive',
    errorText: 'The team has no active subscription',
  })
  return undefined
}

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
    // What a trial agent's allowance pays for is not in the team's ledger.
    if (!(await isPaidByAgentTrial(tx, run)))
      await countBlocked(tx, run, { blockList: deps.blockList, posts: page.items, shown })
    const place = afterPage(run.places[index]!, { shown: page.items.length, next: page.next, source: page.source })
    await saveDiscoverCheckpoint(tx, run, { places: run.places.with(index, place) })
  }
  return { write, found: page.items }
}

/** Look-ups per unit of work, run concurrently: hundreds in sequence would take many minutes. */
const maxConcurrentLookUps = 4

type Checked = { readonly person: Unchecked; readonly found: LookedUpPerson | null }

/** Looks a person up: in the directory while that is fresh, else on the network. One who cannot be shown has no country. */
async function lookUp(deps: DiscoverDeps, teamId: string, person: Unchecked): Promise<Checked | ProviderFailure> {
  try {
    return { person, found: await lookUpPerson(deps, teamId, { urn: person.personUrn }) }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return error.kind === 'not_found' || (error.kind === 'malformed' && !error.held) ? { person, found: null } : error
  }
}

/** Looks the next people up. Results are written even if another look-up failed; that failure then delays the run. */
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
    // Under the id that the post named, so that enrichment finds the profile and does not ask again.
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

/** Records an unexpected failure under the fence: retried at `dueAt`, or failed with `internal_error`; people added stay. */
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
 * Locks the account that pays: the team's, or the allowance for the search of a trial's agent (G126). The team's is always locked
 * first: subscribing holds it until the allowance is closed.
 */
async function lockPayer(tx: Tx, run: DiscoverRun): Promise<LockedAccount> {
  const account = await lockAccount(tx, run.teamId)
  return (await isPaidByAgentTrial(tx, run)) ? lockAccount(tx, run.teamId, 'agent_trial') : account
}

const isPaidByAgentTrial = async (tx: Tx, { teamId, id, agentId }: DiscoverRun): Promise<boolean> =>
  agentId !== null && (await readTeam(tx.db, teamId))?.status === 'trial' && (await isAgentSearch(tx.db, teamId, id))

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
      // A lapsed team's run is ended without asking the network, since nothing would be written (G129).
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

export const discoverWork = defineWork({
  kind: 'discover',
  rows: [discoverRows],
  step: discoverStep,
  unexpected: { discover: recordUnexpectedOfSearch },
})
