/** Looks people of a team up on the network, outside any unit of work: profiles concurrently, then each unknown company once. */
import type { WorkDeps } from '../../platform/work/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { ProviderFailure, type Network, type Profile } from '../../providers/ports.ts'
import type { TaskRow } from '../../platform/task-context.ts'
import { listWanted } from '../leads/index.ts'
import {
  companyIsFresh,
  findCompanies,
  findCompanyBySlug,
  findPeople,
  findPerson,
  personIsFresh,
  renewTasks,
  type BlockList,
  type EraseRecognised,
  type ClaimedTask,
  type KnownPerson,
  type PersonNamed,
} from '../network/index.ts'

/** A person and then a company must fit into one lease of a minute. */
export const withinLease = { timeoutMs: 25_000 } as const
/** An employer's number must fit in beside them. */
const brieflyAsked = { timeoutMs: 5_000 } as const

/** Ensures that a company's record is in the directory; `busy` while another process is looking it up. */
export type CompanyResolver = (urn: string) => Promise<'known' | 'busy'>

/** Reports member ids for results that name a person by handle alone; a higher module stores the results. */
export type HoldResults = (
  tx: Tx,
  teamId: string,
  people: readonly { readonly urn: string; readonly handle: string | null }[],
) => Promise<void>

export type EnrichmentDeps = WorkDeps & {
  readonly network: Network
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly blockList: BlockList
  readonly eraseRecognised: EraseRecognised
  readonly holdResults?: HoldResults
  /** Shared by all kinds of work of this process, so that a company is requested once. */
  readonly companies: CompanyResolver
  /** Most people per step and concurrent look-ups; set where a simulation needs a fixed order of calls. */
  readonly atMost?: number
}

/** A person from the directory or just fetched (then `profile` must be saved; its `otherUrns` include the id asked for). */
export type LookedUpPerson = { readonly known: KnownPerson; readonly profile: Profile | null }

/** All names of a looked-up person, including the id `asked`, which the record may lack. */
export const namesOf = ({ known, profile }: LookedUpPerson, asked: string): PersonNamed => ({
  urn: known.urn,
  otherUrns: [...(profile?.otherUrns ?? []), asked],
  handle: known.handle,
})

const asKnown = (profile: Profile, now: Date, before: KnownPerson | undefined): KnownPerson => {
  const { jobs: _jobs, otherUrns: _others, company, ...facts } = profile
  return {
    ...facts,
    handle: profile.handle ?? before?.handle ?? null,
    name: profile.name ?? before?.name ?? null,
    avatarUrl: profile.avatarUrl ?? before?.avatarUrl ?? null,
    companyUrn: company?.urn ?? null,
    companyName: company?.name ?? null,
    enrichedAt: now,
  }
}

/** An erased person is treated as unknown to the network (PRV-06). */
const erased = () =>
  new ProviderFailure({
    provider: 'network',
    operation: 'profile',
    kind: 'not_found',
    message: 'profile: the person was erased',
  })

type Who = { readonly urn: string } | { readonly handle: string }

/** A person's facts, from the directory while fresh, else from the network; throws `ProviderFailure`. */
export async function lookUpPerson(deps: EnrichmentDeps, teamId: string, who: Who): Promise<LookedUpPerson> {
  const now = await deps.serviceNow(deps.db)
  const before = 'urn' in who ? await findPerson(deps.db, teamId, who.urn) : undefined
  if (before && personIsFresh(before.enrichedAt, now)) return { known: before, profile: null }
  return askFor(deps, who, { teamId, before, now })
}

/** A person's facts from the network, even when the directory's are fresh; throws `ProviderFailure`. */
export async function askForPerson(deps: EnrichmentDeps, teamId: string, who: Who): Promise<LookedUpPerson> {
  const before = 'urn' in who ? await findPerson(deps.db, teamId, who.urn) : undefined
  return askFor(deps, who, { teamId, before, now: await deps.serviceNow(deps.db) })
}

/** Numbers of company pages by slug, each asked for once in a batch. */
type PageNumbers = Map<string, Promise<string | null>>

/**
 * The profile with the number of an employer that it names by the slug of the page alone: facts and exclusions go by the number. A
 * vendor that is silent about the page does not keep the person from being enriched.
 */
async function withEmployersNumber(deps: EnrichmentDeps, profile: Profile, numbers: PageNumbers): Promise<Profile> {
  const { company } = profile
  if (company === null || company.urn !== null || company.slug === null) return profile
  const number = numbers.get(company.slug) ?? findPageNumber(deps, company.slug)
  numbers.set(company.slug, number)
  return { ...profile, company: { ...company, urn: await number } }
}

async function findPageNumber({ network, db }: EnrichmentDeps, slug: string): Promise<string | null> {
  const page = (await findCompanyBySlug(db, slug)) ?? (await network.company({ slug }, brieflyAsked).catch(ifSilent))
  return page?.urn ?? null
}

function ifSilent(error: unknown): undefined {
  if (!(error instanceof ProviderFailure)) throw error
}

async function askFor(
  deps: EnrichmentDeps,
  who: Who,
  {
    teamId,
    before,
    now,
    numbers = new Map(),
  }: { teamId: string; before: KnownPerson | undefined; now: Date; numbers?: PageNumbers },
): Promise<LookedUpPerson> {
  const { network, blockList, db, unitOfWork, eraseRecognised } = deps
  const isBlocked = async (person: PersonNamed) => (await blockList.findBlocked(db, teamId, [person])).has(person)
  const recognise = async (person: PersonNamed) => {
    await unitOfWork((tx) => eraseRecognised(tx, teamId, person))
    throw erased()
  }
  const asked = 'urn' in who ? { urn: who.urn, handle: null } : { urn: null, handle: who.handle }
  if (await isBlocked(asked)) await recognise(asked)
  const profile = await network.profile(who, withinLease)
  // Check the id asked for too: it may be the one not yet known as theirs.
  const named = 'urn' in who ? { ...profile, otherUrns: [...(profile.otherUrns ?? []), who.urn] } : profile
  if (await isBlocked(named)) await recognise(named)
  const complete = await withEmployersNumber(deps, named, numbers)
  return { known: asKnown(complete, now, before), profile: complete }
}

type Claimed = { readonly task: ClaimedTask; readonly row: TaskRow }

/** The result for one person; `busy`: another process is looking up their company. */
export type Asked = Claimed & {
  readonly person?: LookedUpPerson | undefined
  readonly busy?: boolean
  readonly error?: unknown
}

const defaultAtOnce = 8
/** No look-up starts later than this in a turn, so that a slow vendor makes a short turn; the rest are released. */
const turnMs = 1_000
/** Leases older than this are renewed before the next look-ups, since one may last most of a minute. */
const renewAfterMs = 5_000

/** Looks people of one team up; `left` are those not started. */
export async function lookUpMany(
  deps: EnrichmentDeps,
  teamId: string,
  people: readonly Claimed[],
): Promise<{ asked: Asked[]; left: ClaimedTask[] }> {
  const { asked, left } = await lookUpPeople(deps, teamId, people)
  return { asked: await lookUpCompanies(deps, asked), left: left.map(({ task }) => task) }
}

async function lookUpPeople(
  deps: EnrichmentDeps,
  teamId: string,
  people: readonly Claimed[],
): Promise<{ asked: Asked[]; left: Claimed[] }> {
  const { system, atMost: atOnce = defaultAtOnce } = deps
  const now = await deps.serviceNow(deps.db)
  const tasks = people.map(({ task }) => task)
  const known = await findPeople(deps.db, teamId, urnsOf(people))
  const fresh = (one: Claimed): KnownPerson | undefined => {
    const before = known.get(one.task.personUrn)
    return before && personIsFresh(before.enrichedAt, now) ? before : undefined
  }
  const asked: Asked[] = people.flatMap((one) => {
    const before = fresh(one)
    return before ? [{ ...one, person: { known: before, profile: null } }] : []
  })
  const numbers: PageNumbers = new Map()
  let queue = people.filter((one) => !fresh(one))
  const unwanted: Claimed[] = []
  const beganMs = system.nowMs()
  let renewedMs = beganMs
  for (let isFirst = true; queue.length > 0; isFirst = false) {
    const nowMs = system.nowMs()
    if (!isFirst) {
      if (nowMs - beganMs > turnMs) break
      // People whose leads were untracked meanwhile are dropped: a look-up costs money.
      const wanted = await listWanted(deps.db, teamId, urnsOf(queue))
      unwanted.push(...queue.filter(({ task }) => !wanted.has(task.personUrn)))
      queue = queue.filter(({ task }) => wanted.has(task.personUrn))
    }
    if (nowMs - renewedMs > renewAfterMs) {
      renewedMs = nowMs
      await renewTasks(deps.unitOfWork, tasks, nowMs)
    }
    await together(queue.slice(0, atOnce), async (one) => {
      const { personUrn: urn } = one.task
      const result = await outcome(one, async () => {
        const person = await askFor(deps, { urn }, { teamId, before: known.get(urn), now, numbers })
        await deps.faultPoint('enrichment.profile-fetched')
        return { person }
      })
      asked.push({ ...one, ...result })
    })
    queue = queue.slice(atOnce)
  }
  return { asked, left: [...unwanted, ...queue] }
}

const urnsOf = (people: readonly Claimed[]): string[] => people.map(({ task }) => task.personUrn)

async function lookUpCompanies(deps: EnrichmentDeps, people: readonly Asked[]): Promise<Asked[]> {
  const { atMost: atOnce = defaultAtOnce } = deps
  const now = await deps.serviceNow(deps.db)
  const byCompany = Map.groupBy(people, ({ person }) => person?.known.companyUrn ?? null)
  const urns = [...byCompany.keys()].filter((urn) => urn !== null)
  const known = await findCompanies(deps.db, urns)
  const unknown = urns.filter((urn) => {
    const company = known.get(urn)
    return !company || !companyIsFresh(company.fetchedAt, now)
  })
  const results = new Map<string, Result>()
  for (let begun = 0; begun < unknown.length; begun += atOnce)
    await together(unknown.slice(begun, begun + atOnce), async (urn) => {
      const [first] = byCompany.get(urn)!
      results.set(urn, await outcome(first!, async () => ({ busy: (await deps.companies(urn)) === 'busy' })))
    })
  return people.map((one) => ({ ...one, ...results.get(one.person?.known.companyUrn ?? '') }))
}

async function together<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(items.map(each))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

type Result = Pick<Asked, 'person' | 'busy' | 'error'>

/** Catches a failure that belongs to this person; rethrows any other. */
async function outcome({ row }: Claimed, something: () => Promise<Result>): Promise<Result> {
  try {
    return await row.run(something)
  } catch (error) {
    if (!row.owns(error)) throw error
    return { error }
  }
}
