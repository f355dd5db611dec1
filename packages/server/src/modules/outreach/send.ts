/**
 * Sending one batch of people to a campaign, the only way anybody is sent.
 *
 *   look: is it over, has it senders?  --no--> nothing is asked of it (a finished campaign would start again)
 *   claim: their rows in the ledger, `sending` under a lease; people who have a row already are left out
 *   add: one call of at most 100, outside any transaction; judged again when it has its place in the budget of the platform, for which
 *        it may have waited: with somebody who is to be left out by now it does not go, and no row stays
 *   settle: answered           -> `sent`, or `failed` when the platform took nobody
 *           refused            -> `failed`
 *           certainly not done -> no row: they can be sent again at once
 *           nobody knows       -> `uncertain`: looked up ten minutes later, sent by nobody until then
 *   a worker that dies after the claim leaves `sending` to run out; then nobody knows.
 */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { OutreachFailure } from '../../providers/outreach/port.ts'
import { noteRejected, type Connection, type OutreachDeps } from './connection.ts'
import { leaveOpen, lockBatch, settleBatch, undoBatch, type Batch, claimPeople } from './ledger-store.ts'
import { pauseRules } from './rule-store.ts'
import { partExcluded, type Recipient } from './recipients.ts'
import { refusalOf, ofAnswer, type SendCounts, settleMs } from './rules/sending.ts'

/** Somebody who has the address of a profile. */
export type Sendable = Recipient & { readonly person: NonNullable<Recipient['person']> }

/** Longer than a batch can take, in system time: the call itself ends after 45 s. */
export const leaseMs = 90_000

/** The campaign, as it is at this moment, takes nobody. */
export class CampaignRefuses extends Error {
  readonly why: 'campaign_closed' | 'no_senders'
  constructor(why: 'campaign_closed' | 'no_senders') {
    super(`the campaign takes nobody: ${why}`)
    this.why = why
  }
}

/** Somebody of a batch was excluded or erased while it waited to go: nobody of it was sent, and the others can be claimed anew. */
export class NotToBeSent extends Error {}

/** Looks whether a campaign takes leads at this moment; throws `CampaignRefuses` or `OutreachFailure`. */
export async function requireOpenCampaign(
  deps: OutreachDeps,
  connection: Connection,
  campaignId: string,
): Promise<void> {
  const campaign = await deps.platform.findCampaign(connection.key, campaignId)
  const refusal = campaign === undefined ? 'campaign_closed' : refusalOf(campaign)
  if (refusal !== null) throw new CampaignRefuses(refusal)
}

/** Claims people in a unit of work; undefined when somebody else has them all. */
export const claim = (
  deps: OutreachDeps,
  tx: Tx,
  { to, people }: { to: { teamId: string; campaignId: string }; people: readonly Sendable[] },
) => {
  const nowMs = deps.system.nowMs()
  return claimPeople(tx, {
    to,
    people: people.map((one) => one.person),
    lease: { processId: deps.processId, nowMs, untilMs: nowMs + leaseMs },
  })
}

/** What became of a batch: counted, or open because nobody knows. */
type Sent = { readonly counts: Partial<SendCounts>; readonly open: number }

/**
 * Adds a claimed batch and records what became of it; `inSameUnit` runs in the unit that records. Throws what certainly did
 * nothing, after recording that; `mayGo` are those of its people who are excluded and are to go all the same.
 */
export async function send(
  deps: OutreachDeps,
  {
    connection,
    batch,
    people,
    mayGo = new Set(),
    inSameUnit = async () => {},
  }: {
    connection: Connection
    batch: Batch
    people: readonly Sendable[]
    mayGo?: ReadonlySet<Recipient> | undefined
    inSameUnit?: ((tx: Tx, decided: 'decided' | 'open') => Promise<void>) | undefined
  },
): Promise<Sent> {
  await deps.faultPoint('outreach.claimed')
  const { teamId, campaignId } = batch
  const judgeAgain = async () => {
    // In a unit of work, which ends in vain once the team is in another shard: who is excluded there is not known here.
    const { excluded, erased } = await deps.unitOfWork((tx) =>
      partExcluded(tx.db, { teamId, blockList: deps.blockList }, people),
    )
    if (erased.length > 0 || excluded.some((one) => !mayGo.has(one))) throw new NotToBeSent()
  }
  const leads = people.map((one) => one.lead)
  const answer = await deps.platform
    .addLeads(connection.key, campaignId, leads, { beforeSend: judgeAgain })
    .catch((error: unknown) => {
      if (error instanceof OutreachFailure || error instanceof NotToBeSent) return error
      throw error
    })
  if (answer instanceof NotToBeSent) {
    await record(deps, { batch, write: (tx) => undoBatch(tx, batch) })
    throw answer
  }
  await deps.faultPoint('outreach.answered')
  if (answer instanceof OutreachFailure) return recordFailure(deps, answer, { batch, size: people.length, inSameUnit })
  const counts = ofAnswer(answer)
  await record(deps, {
    batch,
    write: (tx) => settleBatch(tx, batch, counts.recorded === 0 ? 'failed' : 'sent'),
    inSameUnit: (tx) => inSameUnit(tx, 'decided'),
  })
  return { counts, open: 0 }
}

async function record(
  deps: OutreachDeps,
  {
    batch,
    write,
    inSameUnit,
  }: { batch: Batch; write: (tx: Tx) => Promise<void>; inSameUnit?: ((tx: Tx) => Promise<void>) | undefined },
): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    // Rule and queue before the batch, for the lock order.
    await inSameUnit?.(tx)
    // Late: it was looked up meanwhile, and that stands.
    if (await lockBatch(tx, batch)) await write(tx)
    await deps.faultPoint('outreach.before-commit')
  })
}

async function recordFailure(
  deps: OutreachDeps,
  failure: OutreachFailure,
  {
    batch,
    size,
    inSameUnit,
  }: { batch: Batch; size: number; inSameUnit: (tx: Tx, decided: 'decided' | 'open') => Promise<void> },
): Promise<Sent> {
  deps.log.warn('adding people to a campaign failed', {
    teamId: batch.teamId,
    batchId: batch.id,
    kind: failure.kind,
    done: failure.done,
    error: failure,
  })
  if (failure.done === 'maybe') {
    await record(deps, {
      batch,
      write: (tx) => leaveOpen(tx, batch, new Date(tx.now.getTime() + settleMs)),
      inSameUnit: (tx) => inSameUnit(tx, 'open'),
    })
    return { counts: {}, open: size }
  }
  if (failure.kind === 'refused') {
    await record(deps, {
      batch,
      write: (tx) => settleBatch(tx, batch, 'failed'),
      inSameUnit: (tx) => inSameUnit(tx, 'decided'),
    })
    return { counts: { sent: size, failed: size }, open: 0 }
  }
  await record(deps, { batch, write: (tx) => undoBatch(tx, batch) })
  throw failure
}

/** Notes what a failure says about the key or the campaign: auto-pushes pause (OUT-23). */
export async function noteFailure(
  deps: OutreachDeps,
  tx: Tx,
  {
    campaign,
    connection,
    failure,
  }: { campaign: { teamId: string; campaignId: string }; connection: Connection; failure: unknown },
): Promise<'paused' | 'later'> {
  const closed =
    failure instanceof CampaignRefuses || (failure instanceof OutreachFailure && failure.kind === 'campaign_closed')
  if (closed) await pauseRules(tx, campaign.teamId, { reason: 'campaign_closed', campaignId: campaign.campaignId })
  else if (failure instanceof OutreachFailure && failure.kind === 'invalid_key')
    await noteRejected(tx, campaign.teamId, connection.sealedHash)
  else return 'later'
  return 'paused'
}
