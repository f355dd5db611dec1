/**
 * Asking the network about people, outside any unit of work; of several people of one team, profiles at the same time, then each company
 * that is not known once. Vendor budgets bound what is under way over all processes.
 */
import type { WorkDeps } from '../../platform/work/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { ProviderFailure, type Network, type Profile } from '../../providers/ports.ts'
import type { TaskRow } from '../../platform/task-context.ts'
import { listWanted } from '../leads/index.ts'
import {
  companyIsFresh,
  findCompanies,
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

/** A person and then a company are asked for under one lease of a minute. */
export const withinLease = { timeoutMs: 25_000 } as const

/** Makes sure that a company's record is in the directory; `busy` when another process is looking it up right now. */
export type CompanyResolver = (urn: string) => Promise<'known' | 'busy'>

/** Says of results that name somebody by a handle alone which member id that is; results are kept by a module above. */
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
  /** Looks companies up for every kind of work of this process: one that two of them want is asked for once. */
  readonly companies: CompanyResolver
  /** How many people a unit of work takes and looks up at once, where a simulation needs one order of calls. */
  readonly atMost?: number
}

/** A person as known, fresh enough, or asked for now: then `profile` is to be saved; the id that was asked for is one of theirs. */
export type LookedUpPerson = { readonly known: KnownPerson; readonly profile: Profile | null }

/** What names somebody who was looked up; `asked` is the id that they were asked for by, which need not be in their record. */
export const namesOf = ({ known, profile }: LookedUpPerson, asked: string): PersonNamed => ({
  urn: known.urn,
  otherUrns: [...(profile?.otherUrns ?? []), asked],
  handle: known.handle,
})

const asKnown = (profile: Profile, now: Date, before: KnownPerson | undefined): KnownPerson => ({
  urn: profile.urn,
  handle: profile.handle ?? before?.handle ?? null,
  name: profile.name ?? before?.name ?? null,
  headline: profile.headline,
  linkedinUrl: profile.linkedinUrl,
  avatarUrl: profile.avatarUrl ?? before?.avatarUrl ?? null,
  jobTitle: profile.jobTitle,
  country: profile.country,
  countryCode: profile.countryCode,
  companyUrn: profile.company?.urn ?? null,
  companyName: profile.company?.name ?? null,
  enrichedAt: now,
})

/** Of somebody whom the team has had erased nothing is looked up, as if the network had no such person (PRV-06). */
const erased = () =>
  new ProviderFailure({
    provider: 'network',
    operation: 'profile',
    kind: 'not_found',
    message: 'profile: the person was erased',
  })

type Who = { readonly urn: string } | { readonly handle: string }

/** A person's facts: from the directory while they are fresh, else from the network; ProviderFailure when it does not answer. */
export async function lookUpPerson(deps: EnrichmentDeps, teamId: string, who: Who): Promise<LookedUpPerson> {
  const now = await deps.serviceNow(deps.db)
  const before = 'urn' in who ? await findPerson(deps.db, teamId, who.urn) : undefined
  if (before && personIsFresh(before.enrichedAt, now)) return { known: before, profile: null }
  return askFor(deps, who, { teamId, before, now })
}

/** A person's facts from the network, however fresh those in the directory are; ProviderFailure when it does not answer. */
export async function askForPerson(deps: EnrichmentDeps, teamId: string, who: Who): Promise<LookedUpPerson> {
  const before = 'urn' in who ? await findPerson(deps.db, teamId, who.urn) : undefined
  return askFor(deps, who, { teamId, before, now: await deps.serviceNow(deps.db) })
}

async function askFor(
  { network, blockList, db, unitOfWork, eraseRecognised }: EnrichmentDeps,
  who: Who,
  { teamId, before, now }: { teamId: string; before: KnownPerson | undefined; now: Date },
): Promise<LookedUpPerson> {
  const isBlocked = async (person: PersonNamed) => (await blockList.among(db, teamId, [person])).has(person)
  const recognise = async (person: PersonNamed) => {
    await unitOfWork((tx) => eraseRecognised(tx, teamId, person))
    throw erased()
  }
  const asked = 'urn' in who ? { urn: who.urn, handle: null } : { urn: null, handle: who.handle }
  if (await isBlocked(asked)) await recognise(asked)
  const profile = await network.profile(who, withinLease)
  // By either name: the one that was asked for may be the one that is not known as theirs.
  const named = 'urn' in who ? { ...profile, otherUrns: [...(profile.otherUrns ?? []), who.urn] } : profile
  if (await isBlocked(named)) await recognise(named)
  return { known: asKnown(profile, now, before), profile: named }
}

/** A person under our lease, and what their failures are recorded by. */
type Claimed = { readonly task: ClaimedTask; readonly row: TaskRow }

/** What asking came to: a person, perhaps with a company that another process is looking up, or what went wrong. */
export type Asked = Claimed & {
  readonly person?: LookedUpPerson | undefined
  readonly busy?: boolean
  readonly error?: unknown
}

/** Look-ups of one batch that are under way at once. */
const defaultAtOnce = 8
/** A slow vendor makes a short turn: no look-up begins later than this, and the rest are released. */
const turnMs = 1_000
/** Leases are renewed when they are this old and another look-up begins: one may last most of a minute. */
const renewAfterMs = 5_000

/** Looks people of one team up; `left` are those not begun when the turn was over. */
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
  let queue = people.filter((one) => !fresh(one))
  const unwanted: Claimed[] = []
  const beganMs = system.nowMs()
  let renewedMs = beganMs
  for (let isFirst = true; queue.length > 0; isFirst = false) {
    const nowMs = system.nowMs()
    if (!isFirst) {
      if (nowMs - beganMs > turnMs) break
      // A look-up costs money: people whose leads were untracked meanwhile are not asked for any more.
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
        const person = await askFor(deps, { urn }, { teamId, before: known.get(urn), now })
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

/** Does something for several at once; when one throws, the others come to their end before that is thrown on. */
async function together<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(items.map(each))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

type Result = Pick<Asked, 'person' | 'busy' | 'error'>

/** What something for one person came to; trouble that is not of this person goes on being thrown. */
async function outcome({ row }: Claimed, something: () => Promise<Result>): Promise<Result> {
  try {
    return await row.run(something)
  } catch (error) {
    if (!row.owns(error)) throw error
    return { error }
  }
}
