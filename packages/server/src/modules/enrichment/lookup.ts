/** Asking the network for people, outside any unit of work. */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Reader, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { Network, Profile } from '../../providers/ports.ts'
import type { SystemClock } from '../../platform/clock.ts'
import { findPerson, personIsFresh, type KnownPerson } from '../network/index.ts'

/** A person and then a company are asked for under one lease of a minute. */
export const withinLease = { timeoutMs: 25_000 } as const

/** Makes sure that a company's record is in the directory; `busy` when another process is looking it up right now. */
export type CompanyResolver = (urn: string) => Promise<'known' | 'busy'>

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
  /** Looks companies up for every kind of work of this process: one that two of them want is asked for once. */
  readonly companies: CompanyResolver
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
