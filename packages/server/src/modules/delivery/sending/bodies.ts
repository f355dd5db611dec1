import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { isFailureOfTheRow } from '../../../platform/task-context.ts'
import { openForTeam, readSigningSecrets } from '../../accounts/index.ts'
import { scoreAgentLeads } from '../../fit/index.ts'
import { saveBodies } from '../deliveries.ts'
import { leadDetectedBodies, type AgentSays } from '../present.ts'
import { findWebhook } from '../settings/store.ts'
import { placeOfHookSecret } from '../team-wide/receivers.ts'
import type { LeasedDelivery } from './claim.ts'
import type { DeliveryDeps } from './attempt.ts'
import { UnreadableSecret } from './service-faults.ts'
import type { SigningSecrets } from './signing.ts'

export type ReadyDelivery = LeasedDelivery & { readonly body: Buffer; readonly secrets: SigningSecrets }

type PrepareDeps = Pick<DeliveryDeps, 'db' | 'unitOfWork' | 'vault' | 'serviceNow'>

/** Makes one team's deliveries ready; throws when a secret does not open or a lead cannot be serialised. */
export async function prepare(
  deps: PrepareDeps,
  teamId: string,
  leased: readonly LeasedDelivery[],
): Promise<ReadyDelivery[]> {
  const secrets = await openSecrets(deps, teamId, leased)
  const bare = leased.filter(({ body }) => body === null)
  const bodies = bare.length > 0 ? await deps.unitOfWork((tx) => serialiseLeads(tx, teamId, bare)) : undefined
  return leased.map((delivery) => ({
    ...delivery,
    body: delivery.body ?? bodies!.get(delivery.id)!,
    secrets: secrets.get(secretNameOf(delivery))!,
  }))
}

/** Key into `openSecrets`: the id of a REST hook with its own secret, null for the team's. */
const secretNameOf = ({ ownSecret, ownerId }: LeasedDelivery): string | null => (ownSecret === null ? null : ownerId)

async function openSecrets(
  { db, vault, serviceNow }: PrepareDeps,
  teamId: string,
  leased: readonly LeasedDelivery[],
): Promise<ReadonlyMap<string | null, SigningSecrets>> {
  const opened = new Map<string | null, SigningSecrets>()
  try {
    for (const delivery of leased) {
      const { ownerId, ownSecret: sealed } = delivery
      const name = secretNameOf(delivery)
      if (opened.has(name)) continue
      if (sealed === null) {
        opened.set(name, await readSigningSecrets(db, { vault, teamId, now: await serviceNow(db) }))
        continue
      }
      const current = await openForTeam(db, { vault, teamId, place: placeOfHookSecret(ownerId), sealed })
      if (current === null) throw new Error('the secret of a hook does not open')
      opened.set(name, { current, previous: null })
    }
    return opened
  } catch (error) {
    throw isFailureOfTheRow(error) ? new UnreadableSecret('a signing secret does not open', { cause: error }) : error
  }
}

async function serialiseLeads(
  tx: Tx,
  teamId: string,
  deliveries: readonly LeasedDelivery[],
): Promise<ReadonlyMap<string, Buffer>> {
  const says = await readAgentJudgements(tx.db, teamId, deliveries)
  const events = deliveries.flatMap(({ id, leadId }) =>
    leadId === null ? [] : [{ id, leadId, agent: says.get(leadId) ?? null }],
  )
  const bodies = await leadDetectedBodies(tx, teamId, events)
  const lacking = deliveries.find(({ id }) => !bodies.has(id))
  if (lacking) throw new Error(`delivery ${lacking.id} has no lead to serialise`)
  await saveBodies(tx, teamId, bodies)
  return bodies
}

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
