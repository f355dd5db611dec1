/** Handlers of `POST /enrich/profile`, `POST /enrich/company` and the handle resolver. */
import {
  companyUrnNamed,
  echoedByTracking,
  isMemberId,
  pickSettings,
  settingsOf,
  type Answer,
  type Input,
  type OperationOf,
} from '@les/contract'
import type { Handlers, WriteContext, Settled } from '../accounts/index.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { refusal, refuse } from '../../platform/refusal.ts'
import { ProviderFailure, type Network } from '../../providers/ports.ts'
import { shareAccount } from '../credits/index.ts'
import { findCompanies, findPerson, findPersonByHandle, memberIdOnNetwork, type BlockList } from '../network/index.ts'
import { insertFailedJob, insertJob, type LaterJobType } from '../jobs/index.ts'
import { findSource, trackSource, tracksCompanies } from '../sources/index.ts'
import { hasCompanyLead, hasCompatibleLead } from './store.ts'

type EnrichInput = Input<OperationOf<'enrichProfile'>>
type EnrichAnswer = Answer<OperationOf<'enrichProfile'>>
type Kind = 'person' | 'company'

const jobOf: Readonly<Record<Kind, LaterJobType>> = { person: 'enrich_profile', company: 'enrich_company' }

type Wanted = { readonly username: string; readonly networkUrn?: string; readonly isNamedByUrn?: boolean }

type Naming = {
  readonly network: Network
  readonly db: Reader
  readonly teamId: string
  readonly username: string
}

const isNotFound = (error: unknown): boolean => error instanceof ProviderFailure && error.kind === 'not_found'

/**
 * Resolves a member id before anything is written, so that a person tracked by handle does not get a second source by id. A
 * person without a public handle, or unknown to the network, is tracked by id (G24, G146).
 */
async function personWanted({ network, db, teamId, username }: Naming): Promise<Wanted> {
  if (!isMemberId(username)) return { username }
  const known =
    (await findSource(db, teamId, { type: 'person', username }))?.username ??
    (await findPerson(db, teamId, username))?.handle
  if (known) return { username: known, networkUrn: username, isNamedByUrn: true }
  try {
    const handle = (await network.profile({ urn: username })).handle ?? username
    return { username: handle, networkUrn: username, isNamedByUrn: true }
  } catch (error) {
    if (isNotFound(error)) return { username }
    throw error
  }
}

/** The longest a caller waits for a slug to be resolved. */
const longestAsked = { timeoutMs: 10_000 } as const

/**
 * Resolves a company page before anything is written, so that it gets no second source under its other name or a newer slug. A
 * number must be resolved; a slug is tracked unresolved when the network is silent, and the job then ends a duplicate (G153).
 */
async function companyWanted({ network, db, teamId, username }: Naming): Promise<Wanted> {
  const urn = companyUrnNamed(username)
  const existing = await findSource(db, teamId, { type: 'company', username })
  if (existing) {
    const networkUrn = existing.networkUrn ?? urn
    return { username: existing.username, ...(networkUrn === null ? {} : { networkUrn }) }
  }
  const slug = urn === null ? null : ((await findCompanies(db, [urn])).get(urn)?.slug ?? null)
  if (urn !== null && slug !== null) return { username: slug, networkUrn: urn, isNamedByUrn: true }
  // With no other page tracked there can be no duplicate.
  if (urn === null && !(await tracksCompanies(db, teamId))) return { username }
  try {
    const page = await (urn === null ? network.company({ slug: username }, longestAsked) : network.company({ urn }))
    return { username: urn === null ? username : page.slug, networkUrn: page.urn, isNamedByUrn: urn !== null }
  } catch (error) {
    if (isNotFound(error) || (urn === null && error instanceof ProviderFailure)) return { username }
    throw error
  }
}

type Asked = { readonly input: EnrichInput; readonly kind: Kind }

function track(
  { input, kind, username, networkUrn, isNamedByUrn }: Asked & Wanted,
  { caller, unitOfWork }: WriteContext<EnrichAnswer>,
  { faultPoint, blockList }: { readonly faultPoint: FaultPointHook; readonly blockList: BlockList },
): Promise<Settled<EnrichAnswer>> {
  return unitOfWork(async (tx) => {
    const tracked = await trackSource(tx, caller, {
      type: kind,
      username,
      networkUrn,
      isNamedByUrn,
      named: pickSettings(input, settingsOf('track')),
      confirmSpend: input.confirmSpend === true,
    })
    // `trackSource` has locked the account, so an erasure that ran meanwhile is visible here.
    if (kind === 'person' && (await isErased(tx.db, blockList, { teamId: caller.teamId, username, networkUrn })))
      refuse('invalid_request', {}, 'The team has had this person erased: nobody erased can be tracked')
    const jobId = await insertJob(tx, {
      teamId: caller.teamId,
      type: jobOf[kind],
      payload: { username: input.username, sourceId: tracked.sourceId },
    })
    await faultPoint('track.before-commit')
    return {
      jobId,
      // Null counts as named (ENR-41, ENR-42).
      ...pickSettings(input, echoedByTracking),
      syncId: tracked.syncId,
      ...(tracked.syncNotQueuedReason === null ? {} : { syncNotQueuedReason: tracked.syncNotQueuedReason }),
    }
  })
}

type AskedPerson = {
  readonly teamId: string
  readonly username: string
  readonly networkUrn?: string | undefined
}

async function isErased(
  db: Reader,
  blockList: BlockList,
  { teamId, username, networkUrn }: AskedPerson,
): Promise<boolean> {
  const person = isMemberId(username) ? { urn: username, handle: null } : { urn: networkUrn ?? null, handle: username }
  return (await blockList.findBlocked(db, teamId, [person])).has(person)
}

/** `isErased` checks for an erased person, whose name must not be stored in a job. */
type UpdateAsked = Pick<Asked, 'kind'> & {
  readonly compatible: boolean
  readonly username: string
  readonly isErased?: (db: Reader) => Promise<boolean>
}

/** Enriches existing leads; without a compatible one it refuses and stores a failed job (C1). */
function updateOnly(
  { kind, compatible, username, isErased: isGone }: UpdateAsked,
  { caller, unitOfWork }: WriteContext<EnrichAnswer>,
): Promise<Settled<EnrichAnswer>> {
  return unitOfWork(async (tx) => {
    // Waits for an erasure under way.
    if (isGone !== undefined) await shareAccount(tx, caller.teamId, 'team')
    const erased = (await isGone?.(tx.db)) ?? false
    const payload = { username: erased ? null : username, sourceId: null }
    if (compatible && !erased)
      return { jobId: await insertJob(tx, { teamId: caller.teamId, type: jobOf[kind], payload }) }
    return refusal('lead_not_found', {
      jobId: await insertFailedJob(tx, {
        teamId: caller.teamId,
        type: jobOf[kind],
        payload,
        error: { status: 404, error: 'Lead not found' },
      }),
    })
  })
}

/** A person's member id: as given, from the team's directory, or by one free call; undefined when there is none (G132, G146). */
async function memberIdOf({ network, db, teamId, username }: Naming): Promise<string | undefined> {
  if (isMemberId(username)) return username
  const known = await findPersonByHandle(db, teamId, username)
  return known ? known.urn : memberIdOnNetwork(network, username)
}

export const enrichmentOperations = (deps: {
  network: Network
  faultPoint: FaultPointHook
  blockList: BlockList
}): Handlers<'enrichProfile' | 'enrichCompany' | 'resolveProfileUrn'> => {
  const namingOf = (
    { username }: { readonly username: string },
    { db, caller }: Pick<WriteContext<EnrichAnswer>, 'db' | 'caller'>,
  ): Naming => ({ network: deps.network, db, teamId: caller.teamId, username })
  return {
    enrichProfile: async (input, context) => {
      const naming = namingOf(input, context)
      if (input.saveTrackedProfile === true)
        return track({ input, kind: 'person', ...(await personWanted(naming)) }, context, deps)
      const erased = await isErased(context.db, deps.blockList, naming)
      const urn = erased ? undefined : await memberIdOf(naming)
      const compatible = urn !== undefined && (await hasCompatibleLead(context.db, naming.teamId, urn))
      const asked = { ...naming, networkUrn: urn }
      return updateOnly(
        { kind: 'person', compatible, username: input.username, isErased: (db) => isErased(db, deps.blockList, asked) },
        context,
      )
    },
    enrichCompany: async (input, context) => {
      const naming = namingOf(input, context)
      if (input.saveTrackedProfile === true)
        return track({ input, kind: 'company', ...(await companyWanted(naming)) }, context, deps)
      const { db, teamId, username } = naming
      const source = await findSource(db, teamId, { type: 'company', username })
      const compatible = await hasCompanyLead(db, teamId, {
        slug: username,
        urn: companyUrnNamed(username) ?? source?.networkUrn ?? null,
        sourceId: source?.id ?? null,
      })
      return updateOnly({ kind: 'company', compatible, username }, context)
    },
    resolveProfileUrn: async (input, context) => {
      const naming = namingOf(input, context)
      if (await isErased(context.db, deps.blockList, naming))
        refuse('profile_not_found', {}, 'The team has had this person erased: nothing of them is read')
      const urn =
        (await memberIdOf(naming)) ??
        refuse('profile_not_found', {}, `The network has no profile with the handle ${input.username}`)
      return { username: input.username, entityUrn: urn, creditsCharged: 0 }
    },
  }
}
