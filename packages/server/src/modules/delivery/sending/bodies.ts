/** What sending a leased delivery needs beyond its row: its bytes, serialised once, and the signing secrets of its team. */
import type { Reader, Tx, UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import type { Vault } from '../../../platform/secrets.ts'
import { isOfTheWork } from '../../../platform/task-context.ts'
import { openForTeam, readSigningSecrets } from '../../accounts/index.ts'
import { scoreAgentLeads } from '../../fit/index.ts'
import { leadsById, presentLead } from '../../leads/index.ts'
import { findSources, saveBodies } from '../deliveries.ts'
import { leadDetectedBody, type AgentSays } from '../present.ts'
import type { Fault } from '../rules/outcome.ts'
import { findWebhook } from '../settings/store.ts'
import { placeOfHookSecret } from '../team-wide/secret.ts'
import type { LeasedDelivery } from './claim.ts'
import type { SigningSecrets } from './signing.ts'

/** A delivery that can be sent. */
export type ReadyDelivery = LeasedDelivery & { readonly body: Buffer; readonly secrets: SigningSecrets }

/** One that cannot, and why. */
type Unready = { readonly delivery: LeasedDelivery; readonly fault: Fault; readonly error: unknown }

/** What preparing needs. */
type PrepareDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly vault: Vault
  readonly serviceNow: (db: Reader) => Promise<Date>
}

/** Makes leased deliveries of one team ready; a secret that does not open, or a lead that cannot be written out, fails by itself. */
export async function prepare(
  deps: PrepareDeps,
  teamId: string,
  leased: readonly LeasedDelivery[],
): Promise<{ ready: ReadyDelivery[]; unready: Unready[] }> {
  const secrets = await tryTo(async () =>
    readSigningSecrets(deps.db, { vault: deps.vault, teamId, now: await deps.serviceNow(deps.db) }),
  )
  if ('error' in secrets)
    return {
      ready: [],
      unready: leased.map((delivery) => ({ delivery, fault: 'unreadable_secret', error: secrets.error })),
    }
  const ready: ReadyDelivery[] = []
  const unready: Unready[] = []
  const make = (some: readonly LeasedDelivery[]) =>
    tryTo(() => deps.unitOfWork((tx) => serialiseLeads(tx, teamId, some)))
  const own = await openOwnSecrets(deps, teamId, leased)
  const add = (delivery: LeasedDelivery, body: Buffer) => {
    const signedBy = delivery.ownSecret === null ? secrets.value : own.get(delivery.ownerId)
    if (signedBy) ready.push({ ...delivery, body, secrets: signedBy })
    else unready.push({ delivery, fault: 'unreadable_secret', error: new Error('the secret of a hook does not open') })
  }
  for (const delivery of leased) if (delivery.body !== null) add(delivery, delivery.body)
  const bare = leased.filter(({ body }) => body === null)
  if (bare.length === 0) return { ready, unready }
  const all = await make(bare)
  for (const delivery of bare) {
    // When one is to blame for the failure, the others shall go.
    const made = 'value' in all || bare.length === 1 ? all : await make([delivery])
    if ('value' in made) add(delivery, made.value.get(delivery.id)!)
    else unready.push({ delivery, fault: 'internal_error', error: made.error })
  }
  return { ready, unready }
}

/** The secrets of REST hooks, by owner; those that do not open are absent. */
async function openOwnSecrets(
  { db, vault }: PrepareDeps,
  teamId: string,
  leased: readonly LeasedDelivery[],
): Promise<ReadonlyMap<string, SigningSecrets>> {
  const sealed = new Map(leased.flatMap(({ ownerId, ownSecret }) => (ownSecret === null ? [] : [[ownerId, ownSecret]])))
  const opened = new Map<string, SigningSecrets>()
  for (const [ownerId, secret] of sealed) {
    const current = await openForTeam(db, { vault, teamId, place: placeOfHookSecret(ownerId), sealed: secret })
    if (current !== null) opened.set(ownerId, { current, previous: null })
  }
  return opened
}

/** What something came to; a failure that is not of the work goes on being thrown. */
async function tryTo<T>(something: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await something() }
  } catch (error) {
    if (!isOfTheWork(error)) throw error
    return { error }
  }
}

/** Serialises pushed leads of one team as they are at their first attempt; later attempts send the same bytes. */
async function serialiseLeads(
  tx: Tx,
  teamId: string,
  deliveries: readonly LeasedDelivery[],
): Promise<ReadonlyMap<string, Buffer>> {
  const ids = deliveries.flatMap(({ leadId }) => leadId ?? [])
  const leads = new Map((await leadsById(tx.db, teamId, ids)).map((row) => [row.id, row]))
  const sourceIds = [...leads.values()].flatMap((row) => row.source_id ?? [])
  const sources = await findSources(tx.db, teamId, sourceIds)
  const says = await readAgentJudgements(tx.db, teamId, deliveries)
  const bodies = new Map<string, Buffer>()
  for (const { id, leadId } of deliveries) {
    const lead = leads.get(leadId ?? '')
    const source = sources.get(lead?.source_id ?? '')
    if (!lead || !source) throw new Error(`delivery ${id} has no lead to serialise`)
    const agent = says.get(lead.id) ?? null
    bodies.set(id, leadDetectedBody({ id, sentAt: tx.now, source, lead: presentLead(lead), agent }))
  }
  await saveBodies(tx, teamId, bodies)
  return bodies
}

/** What agents say of leads that go to webhooks of theirs. */
async function readAgentJudgements(
  db: Reader,
  teamId: string,
  deliveries: readonly LeasedDelivery[],
): Promise<ReadonlyMap<string, AgentSays>> {
  const says = new Map<string, AgentSays>()
  for (const [ownerId, theirs] of Map.groupBy(deliveries, (each) => each.ownerId)) {
    const agentId = (await findWebhook(db, teamId, ownerId))?.origin.agentId ?? null
    const leadIds = theirs.flatMap((each) => each.leadId ?? [])
    if (agentId === null || leadIds.length === 0) continue
    const scores = await scoreAgentLeads(db, { teamId, agentId }, { leadIds, listed: false })
    for (const id of leadIds) says.set(id, scores.get(id) ?? { icp: null, signal: null })
  }
  return says
}
