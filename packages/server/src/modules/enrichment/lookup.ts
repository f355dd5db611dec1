/** Asking the network for people and companies, outside any unit of work. */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Reader, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { ProviderFailure, type Network, type Profile } from '../../providers/ports.ts'
import type { SystemClock } from '../../platform/clock.ts'
import {
  companyIsFresh,
  findCompany,
  findPerson,
  personIsFresh,
  saveCompany,
  saveMissingCompany,
  type KnownPerson,
} from '../directory/index.ts'
import { claimCompanyLookup, releaseCompanyLookup } from './store.ts'

/** A person and then a company are asked for under one lease of a minute. */
const withinLease = { timeoutMs: 25_000 } as const

/** What enrichment works with. */
export type EnrichmentDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly network: Network
  readonly system: SystemClock
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly faultPoint: FaultPointHook
  /** Id of this process, for leases. */
  readonly owner: string
  /** Instead of many people in one unit of work and several look-ups side by side, in tests. */
  readonly atMost?: number
}

/** A person as known, fresh enough, or asked for now: then `profile` is to be saved. */
export type LookedUpPerson = { readonly known: KnownPerson; readonly profile: Profile | null }

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

/** A person's facts: from the directory while they are fresh, else from the network; ProviderFailure when it does not answer. */
export async function lookUpPerson(
  deps: EnrichmentDeps,
  teamId: string,
  who: { urn: string } | { handle: string },
): Promise<LookedUpPerson> {
  const now = await deps.serviceNow(deps.db)
  const before = 'urn' in who ? await findPerson(deps.db, teamId, who.urn) : undefined
  if (before && personIsFresh(before.enrichedAt, now)) return { known: before, profile: null }
  return askForPerson(deps, teamId, who)
}

/** A person's facts from the network, however fresh those in the directory are; ProviderFailure when it does not answer. */
export async function askForPerson(
  deps: EnrichmentDeps,
  teamId: string,
  who: { urn: string } | { handle: string },
): Promise<LookedUpPerson> {
  const before = 'urn' in who ? await findPerson(deps.db, teamId, who.urn) : undefined
  return askForKnown(deps, { who, before, now: await deps.serviceNow(deps.db) })
}

/** The same for somebody of whom is known what the directory has. */
export async function askForKnown(
  deps: EnrichmentDeps,
  {
    who,
    before,
    now,
  }: {
    readonly who: { urn: string } | { handle: string }
    readonly before: KnownPerson | undefined
    readonly now: Date
  },
): Promise<LookedUpPerson> {
  const profile = await deps.network.profile(who, withinLease)
  return { known: asKnown(profile, now, before), profile }
}

/**
 * Makes sure that a company's record is in the directory. One lookup per company in six months, also when many of its people are
 * enriched at once: `busy` when another process is looking it up right now.
 */
export async function resolveCompany(deps: EnrichmentDeps, urn: string): Promise<'known' | 'busy'> {
  const lease = () => ({ owner: deps.owner, systemNowMs: deps.system.nowMs() })
  const fresh = async () => {
    const known = await findCompany(deps.db, urn)
    return known !== undefined && companyIsFresh(known.fetchedAt, await deps.serviceNow(deps.db))
  }
  if (await fresh()) return 'known'
  if (!(await deps.unitOfWork((tx) => claimCompanyLookup(tx, urn, lease())))) return 'busy'
  // Between the look and the claim another process may have finished.
  if (await fresh()) {
    await deps.unitOfWork((tx) => releaseCompanyLookup(tx, urn))
    return 'known'
  }
  try {
    const record = await deps.network.company({ urn }, withinLease)
    await deps.faultPoint('enrichment.company-fetched')
    await deps.unitOfWork(async (tx) => {
      await saveCompany(tx, { ...record, urn })
      await releaseCompanyLookup(tx, urn)
    })
  } catch (error) {
    const missing = error instanceof ProviderFailure && error.kind === 'not_found'
    await deps.unitOfWork(async (tx) => {
      if (missing) await saveMissingCompany(tx, urn)
      await releaseCompanyLookup(tx, urn)
    })
    if (!missing) throw error
  }
  return 'known'
}

/** Coalesces lookups of one company within this process; across processes the lease does. */
export function companyResolver(deps: EnrichmentDeps): (urn: string) => Promise<'known' | 'busy'> {
  const running = new Map<string, Promise<'known' | 'busy'>>()
  return (urn) => {
    const already = running.get(urn)
    if (already) return already
    const started = resolveCompany(deps, urn).finally(() => running.delete(urn))
    running.set(urn, started)
    return started
  }
}
