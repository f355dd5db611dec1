/** Taking what is due: leases for many deliveries at once, with where they go and the bytes they carry. */
import type { SystemClock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Vault } from '../../platform/secrets.ts'
import { readSigningSecrets } from '../accounts/index.ts'
import { serialiseMany } from './actions.ts'
import { leaseMany, lockEndpoints, type LockedEndpoint } from './batch-store.ts'
import { listServableEndpoints, type LeasedDelivery } from './lease-store.ts'
import { verdictOn } from './rules/endpoint.ts'
import type { SigningSecrets } from './signing.ts'
import { mayStillGo } from './sources-store.ts'

/** A lease lasts so long, in system time; an attempt ends well before. */
const leaseMs = 60_000

/** What claims are made with. */
export type ClaimDeps = { readonly vault: Vault; readonly system: SystemClock; readonly newOwnerId: string }

/** A leased delivery that can be sent. */
export type Ready = { readonly leased: LeasedDelivery; readonly url: string; readonly schemes: readonly ('https' | 'http')[]; readonly body: Buffer; readonly secrets: SigningSecrets }

/** What a claim took: to be sent, and not to be sent now; `outrun` when others are claiming from all that has something due. */
export type Claim = { readonly ready: readonly Ready[]; readonly withheld: readonly LeasedDelivery[]; readonly outrun: boolean }

/** Leases what is due and reads where it goes, as it is now: a changed URL gets the retries (G134). */
export async function claimMany(tx: Tx, deps: ClaimDeps, room: number): Promise<Claim> {
  const nowMs = deps.system.nowMs()
  const candidates = await listServableEndpoints(tx, nowMs)
  const endpoints = candidates.length === 0 ? [] : await lockEndpoints(tx, candidates, room)
  const leased = endpoints.length === 0 ? [] : await leaseMany(tx, endpoints, room, { owner: deps.newOwnerId, nowMs, untilMs: nowMs + leaseMs })
  const targets = new Map(endpoints.map((endpoint) => [`${endpoint.teamId} ${endpoint.ownerId}`, endpoint]))
  const [going, withheld]: [Pick<Ready, 'leased' | 'url' | 'schemes'>[], LeasedDelivery[]] = [[], []]
  for (const each of leased) {
    const endpoint = targets.get(`${each.teamId} ${each.ownerId}`)!
    const url = await urlFor(tx, each, endpoint)
    if (url === null) withheld.push(each)
    // An agent's webhook may be http (C19).
    else going.push({ leased: each, url, schemes: endpoint.agentId === null ? ['https'] : ['https', 'http'] })
  }
  const ready: Ready[] = []
  for (const [teamId, of] of Map.groupBy(going, ({ leased: { teamId } }) => teamId)) {
    const secrets = await readSigningSecrets(tx.db, deps.vault, teamId, tx.now)
    const bodies = await serialiseMany(tx, teamId, of.map((each) => each.leased))
    ready.push(...of.map((each) => ({ ...each, secrets, body: bodies.get(each.leased.id)! })))
  }
  return { ready, withheld, outrun: candidates.length > 0 && leased.length === 0 }
}

/** Where a delivery goes; null when it must not be sent now. */
async function urlFor(tx: Tx, leased: LeasedDelivery, endpoint: LockedEndpoint): Promise<string | null> {
  const verdict = verdictOn({ url: endpoint.url, disabledAt: endpoint.disabledAt, ownerActive: endpoint.sourceActive || (await mayStillGo(tx.db, leased)) })
  return verdict === 'send' ? endpoint.url : null
}
