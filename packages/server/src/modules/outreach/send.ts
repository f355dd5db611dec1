/**
 * Sends one batch of people to a campaign; nothing else sends anybody.
 *
 *   check: the campaign is not over and has senders, else nothing is added (a finished campaign would restart)
 *   claim: ledger rows `sending`, under a lease; people who have a row already are left out
 *   add: one call of at most 100 people, outside any transaction. The call may wait for the platform's budget, so everybody is
 *        judged again right before it; if somebody must be left out, the call is not made and the rows are deleted
 *   settle: answered           -> `sent`, or `failed` when the platform took nobody
 *           refused            -> `failed`
 *           certainly not done -> no rows: the people can be sent again at once
 *           unknown            -> `uncertain`: looked up after ten minutes, and not sent by anybody until then
 *   If the worker dies after the claim, the lease expires and the batch becomes `uncertain`.
 */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { OutreachFailure } from '../../providers/outreach/port.ts'
import { noteRejected, type Connection, type OutreachDeps } from './connection.ts'
import { leaveOpen, lockBatch, settleBatch, undoBatch, type Batch, claimPeople } from './ledger-store.ts'
import { pauseRules } from './rule-store.ts'
import { partExcluded, type Recipient } from './recipients.ts'
import { refusalOf, ofAnswer, type SendCounts, settleMs } from './rules/sending.ts'

export type Sendable = Recipient & { readonly person: NonNullable<Recipient['person']> }

/** Longer than a batch takes, in system time: the call times out after 45 s. */
export const leaseMs = 90_000

export class CampaignRefuses extends Error {
  readonly why: 'campaign_closed' | 'no_senders'
  constructor(why: 'campaign_closed' | 'no_senders') {
    super(`the campaign takes nobody: ${why}`)
    this.why = why
  }
}

/** Somebody in the batch was excluded or erased before the call; nobody was sent, and the others can be claimed again. */
export class NotToBeSent extends Error {}

/** Throws `CampaignRefuses` or `OutreachFailure` unless the campaign takes leads now. */
export async function requireOpenCampaign(
  deps: OutreachDeps,
  connection: Connection,
  campaignId: string,
): Promise<void> {
  const campaign = await deps.platform.findCampaign(connection.key, campaignId)
  const refusal = campaign === undefined ? 'campaign_closed' : refusalOf(campaign)
  if (refusal !== null) throw new CampaignRefuses(refusal)
}

/** Claims people; undefined when all are claimed or sent already. */
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

type SentBatch = { readonly counts: Partial<SendCounts>; readonly open: number }

/** `mayGo`: sent though excluded; `inSameUnit`: written with the outcome, unless nobody was sent for certain. */
type Sending = {
  readonly connection: Connection
  readonly batch: Batch
  readonly people: readonly Sendable[]
  readonly mayGo?: ReadonlySet<Recipient> | undefined
  readonly inSameUnit?: (tx: Tx, decided: 'decided' | 'open') => Promise<void>
}

/** Adds a claimed batch and records the outcome; throws what certainly did nothing. */
export async function send(
  deps: OutreachDeps,
  { connection, batch, people, mayGo = new Set(), inSameUnit }: Sending,
): Promise<SentBatch> {
  await deps.faultPoint('outreach.claimed')
  const { teamId, campaignId } = batch
  const judgeAgain = async () => {
    // In a unit of work, which fails if the team has moved to another shard, where its exclusions are.
    const { excluded, erased } = await deps.unitOfWork((tx) =>
      partExcluded(tx.db, { teamId, blockList: deps.blockList }, people),
    )
    if (erased.length > 0 || excluded.some((one) => !mayGo.has(one))) throw new NotToBeSent()
  }
  const record = (write: (tx: Tx) => Promise<void>, decided?: 'decided' | 'open') =>
    deps.unitOfWork(async (tx) => {
      // Rule and queue are locked before the batch.
      if (decided) await inSameUnit?.(tx, decided)
      // If the batch was looked up meanwhile, that result stands.
      if (await lockBatch(tx, batch)) await write(tx)
      await deps.faultPoint('outreach.before-commit')
    })
  const leads = people.map((one) => one.lead)
  const answer = await deps.platform
    .addLeads(connection.key, campaignId, leads, { beforeSend: judgeAgain })
    .catch((error: unknown) => {
      if (error instanceof OutreachFailure || error instanceof NotToBeSent) return error
      throw error
    })
  if (answer instanceof NotToBeSent) {
    await record((tx) => undoBatch(tx, batch))
    throw answer
  }
  await deps.faultPoint('outreach.answered')
  if (!(answer instanceof OutreachFailure)) {
    const counts = ofAnswer(answer)
    await record((tx) => settleBatch(tx, batch, counts.recorded === 0 ? 'failed' : 'sent'), 'decided')
    return { counts, open: 0 }
  }
  const { kind, done } = answer
  deps.log.warn('adding people to a campaign failed', { teamId, batchId: batch.id, kind, done, error: answer })
  if (done === 'maybe') {
    await record((tx) => leaveOpen(tx, batch, new Date(tx.now.getTime() + settleMs)), 'open')
    return { counts: {}, open: people.length }
  }
  if (kind === 'refused') {
    await record((tx) => settleBatch(tx, batch, 'failed'), 'decided')
    return { counts: { sent: people.length, failed: people.length }, open: 0 }
  }
  await record((tx) => undoBatch(tx, batch))
  throw answer
}

/** Pauses auto-pushes when a failure shows a bad key or a closed campaign (OUT-23). */
export async function noteFailure(
  tx: Tx,
  { teamId, campaignId }: { readonly teamId: string; readonly campaignId: string },
  { connection, failure }: { readonly connection: Connection; readonly failure: OutreachFailure | CampaignRefuses },
): Promise<'paused' | 'later'> {
  if (failure instanceof CampaignRefuses || failure.kind === 'campaign_closed')
    await pauseRules(tx, teamId, { reason: 'campaign_closed', campaignId })
  else if (failure.kind === 'invalid_key') await noteRejected(tx, teamId, connection.sealedHash)
  else return 'later'
  return 'paused'
}
