/**
 * Taking what is due: leases for many deliveries at once, and then, team by team, what sending them needs. The claim is SQL alone and
 * stands whatever comes of it: a team whose secret does not open, or whose lead cannot be written out, keeps nobody else waiting.
 */
import type { SystemClock } from '../../platform/clock.ts'
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { Vault } from '../../platform/secrets.ts'
import { isOfTheWork } from '../../platform/work-in-hand.ts'
import { claim, leaseOf, type Lease } from '../../platform/work/index.ts'
import { readSigningSecrets } from '../accounts/index.ts'
import { serialiseMany } from './actions.ts'
import {
  deliveryRows,
  endpointsLooked,
  leaseMany,
  listServableEndpoints,
  lockEndpoints,
  type Depths,
  type LeasedDelivery,
  type LockedEndpoint,
} from './lease-store.ts'
import { keyOf, type EndpointName } from './pace.ts'
import type { Claimed, From, Reached } from './positions.ts'
import { maxInFlight, verdictOn } from './rules/endpoint.ts'
import type { Fault } from './rules/outcome.ts'
import type { SigningSecrets } from './signing.ts'
import { mayStillGoOf } from './sources-store.ts'
import { calledOffOf } from './store.ts'

/** What claims are made with. */
export type ClaimDeps = { readonly system: SystemClock; readonly newOwnerId: string }

/** A leased delivery and where it goes. */
export type Bound = {
  readonly leased: LeasedDelivery
  readonly url: string
  readonly schemes: readonly ('https' | 'http')[]
  /** How many attempts the endpoint may have at once. */
  readonly atOnce: number
}

/** One that can be sent. */
export type Ready = Bound & { readonly body: Buffer; readonly secrets: SigningSecrets }

/** What a claim took: to be sent, and not to be sent now; `outrun` when others are claiming from all that has something due. */
export type Claim = Claimed & {
  readonly bound: readonly Bound[]
  readonly withheld: readonly LeasedDelivery[]
  readonly outrun: boolean
}

/** How much a claim takes: `most` in all, and for endpoints that are quick more than are sent at once; and where it may go on. */
export type Appetite = {
  readonly most: number
  readonly depths: Depths
  readonly known: (teamId: string) => readonly From[]
}

/** Leases what is due and reads where it goes, as it is now: a changed URL gets the retries (G134). */
export async function claimMany(tx: Tx, deps: ClaimDeps, appetite: Appetite): Promise<Claim> {
  const lease = leaseOf(deps.newOwnerId, deps.system.nowMs())
  const { most, depths } = appetite
  const look = new Look(tx, lease, appetite)
  const leased = await claim<LeasedDelivery>(tx, lease.nowMs, {
    rows: [deliveryRows],
    take: (teams) => look.take(teams),
    teamOf: ({ teamId }) => teamId,
    // What others are just claiming from, or nobody looked at, is no reason to rest.
    hasMore: (teamId) => look.mayHaveMore(teamId),
    mayTake: async (teamId) => (await listServableEndpoints(tx, { teams: [teamId], depths, lease })).length > 0,
    teams: endpointsLooked,
    most,
  })
  const { reached, looked } = look
  const outrun = look.foundSome && leased.length === 0
  return { ...(await whereTo(tx, leased, look.endpoints)), reached, looked, outrun }
}

/** The looks of one claim: at endpoints that are known to have much waiting, and at teams as a whole. */
class Look {
  readonly #tx: Tx
  readonly #lease: Lease
  readonly #appetite: Appetite
  readonly #depthOf: ReadonlyMap<string, number>
  /** Endpoints that it has locked. */
  readonly endpoints: LockedEndpoint[] = []
  readonly reached: Reached[] = []
  readonly looked: string[] = []
  /** Endpoints of the teams of the last look that have something due, or may have. */
  #candidates: EndpointName[] = []
  #isCut = false

  constructor(tx: Tx, lease: Lease, appetite: Appetite) {
    this.#tx = tx
    this.#lease = lease
    this.#appetite = appetite
    this.#depthOf = new Map(appetite.depths.map((one) => [keyOf(one), one.depth]))
  }

  /** True when there were endpoints with something due. */
  get foundSome(): boolean {
    return this.#candidates.length > 0
  }

  /** True when a team may have something due although nothing was leased. */
  mayHaveMore(teamId: string): boolean {
    return this.#isCut || this.#candidates.some((one) => one.teamId === teamId)
  }

  /** Leases from teams; those of which nothing is known, or whose known endpoints give nothing, are looked at as a whole. */
  async take(teams: readonly string[]): Promise<LeasedDelivery[]> {
    this.#candidates = []
    const known = teams.flatMap((teamId) => this.#appetite.known(teamId))
    this.#isCut = known.length > endpointsLooked
    const near = new Set(known.map(({ teamId }) => teamId))
    const found = await this.#servable(teams.filter((teamId) => !near.has(teamId)))
    const leased = await this.#leaseFrom([...known.slice(0, endpointsLooked), ...found])
    for (const { teamId } of leased) near.delete(teamId)
    if (near.size === 0 || leased.length === this.#appetite.most) return leased
    return [...leased, ...(await this.#leaseFrom(await this.#servable([...near]), leased.length))]
  }

  /** Endpoints of teams that have something due and room for it, by a look at all that the teams have waiting. */
  async #servable(teams: readonly string[]): Promise<From[]> {
    if (teams.length === 0) return []
    const { depths } = this.#appetite
    const found = await listServableEndpoints(this.#tx, { teams, depths, lease: this.#lease })
    this.looked.push(...teams)
    this.#candidates.push(...found)
    this.#isCut ||= found.length === endpointsLooked
    return found.map((one) => ({ ...one, from: null }))
  }

  async #leaseFrom(from: readonly From[], taken = 0): Promise<LeasedDelivery[]> {
    const most = this.#appetite.most - taken
    if (from.length === 0) return []
    const locked = await lockEndpoints(this.#tx, from, most)
    if (locked.length === 0) return []
    const positions = new Map(from.map((one) => [keyOf(one), one.from]))
    const endpoints = locked.map(({ teamId, ownerId }) => {
      const key = keyOf({ teamId, ownerId })
      return { teamId, ownerId, depth: this.#depthOf.get(key) ?? maxInFlight, from: positions.get(key) ?? null }
    })
    const { leased, reached } = await leaseMany(this.#tx, { endpoints, most, lease: this.#lease })
    this.endpoints.push(...locked)
    this.reached.push(...reached)
    return leased
  }
}

/** Where leased deliveries go, and which must not be sent now. */
async function whereTo(
  tx: Tx,
  leased: readonly LeasedDelivery[],
  endpoints: readonly LockedEndpoint[],
): Promise<{ bound: Bound[]; withheld: LeasedDelivery[] }> {
  const targets = new Map(endpoints.map((endpoint) => [keyOf(endpoint), endpoint]))
  const untracked = leased.filter((each) => !targets.get(keyOf(each))!.sourceActive)
  const going = await mayStillGoOf(tx.db, untracked)
  const calledOff = await calledOffOf(
    tx.db,
    leased.filter((each) => targets.get(keyOf(each))!.callsOff),
  )
  const [bound, withheld]: [Bound[], LeasedDelivery[]] = [[], []]
  for (const each of leased) {
    const { url, disabledAt, sourceActive, agentId, probed } = targets.get(keyOf(each))!
    const verdict = verdictOn({
      url,
      disabledAt,
      ownerActive: sourceActive || going.has(each.id),
      calledOff: calledOff.has(each.id),
    })
    if (verdict !== 'send' || url === null) withheld.push(each)
    else
      bound.push({
        leased: each,
        url,
        // An agent's webhook may be http (C19).
        schemes: agentId === null ? ['https'] : ['https', 'http'],
        atOnce: probed ? 1 : maxInFlight,
      })
  }
  return { bound, withheld }
}

/** What preparing needs. */
export type PrepareDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly vault: Vault
  readonly serviceNow: (db: Reader) => Promise<Date>
}

/** A delivery that could not be prepared, and why. */
export type Unready = { readonly leased: LeasedDelivery; readonly fault: Fault; readonly error: unknown }

/** Opens the secrets of one team and serialises what has no bytes yet; what fails at that is told by itself. */
export async function prepare(
  deps: PrepareDeps,
  teamId: string,
  bound: readonly Bound[],
): Promise<{ ready: Ready[]; unready: Unready[] }> {
  const secrets = await attempt(async () =>
    readSigningSecrets(deps.db, { vault: deps.vault, teamId, now: await deps.serviceNow(deps.db) }),
  )
  if ('error' in secrets)
    return {
      ready: [],
      unready: bound.map(({ leased }) => ({ leased, fault: 'unreadable_secret', error: secrets.error })),
    }
  const { bodies, failed } = await bodiesOf(
    deps,
    teamId,
    bound.map(({ leased }) => leased),
  )
  return {
    ready: bound.flatMap((each) => {
      const body = bodies.get(each.leased.id)
      return body ? [{ ...each, body, secrets: secrets.value }] : []
    }),
    unready: failed,
  }
}

async function bodiesOf(
  deps: PrepareDeps,
  teamId: string,
  leased: readonly LeasedDelivery[],
): Promise<{ bodies: Map<string, Buffer>; failed: Unready[] }> {
  const bodies = new Map(leased.flatMap(({ id, body }) => (body === null ? [] : [[id, body] as const])))
  const bare = leased.filter(({ body }) => body === null)
  const failed: Unready[] = []
  const serialise = (some: readonly LeasedDelivery[]) =>
    attempt(() => deps.unitOfWork((tx) => serialiseMany(tx, teamId, some)))
  const together = bare.length === 0 ? { value: new Map<string, Buffer>() } : await serialise(bare)
  if ('value' in together) for (const [id, body] of together.value) bodies.set(id, body)
  // One of them is to blame, and the others shall go.
  else
    for (const one of bare) {
      const alone = bare.length === 1 ? together : await serialise([one])
      if ('error' in alone) failed.push({ leased: one, fault: 'internal_error', error: alone.error })
      else bodies.set(one.id, alone.value.get(one.id)!)
    }
  return { bodies, failed }
}

/** What something came to; trouble that is not of the work goes on being thrown. */
async function attempt<T>(something: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await something() }
  } catch (error) {
    if (!isOfTheWork(error)) throw error
    return { error }
  }
}
