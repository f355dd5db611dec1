/**
 * Auto-push (specification «States», outreach auto-push; OUT-13, OUT-14, OUT-20, OUT-23, OUT-26).
 *
 * A rule:   active --the platform rejects the key--> paused `invalid_key` (all rules of the team)
 *                  --the campaign is over, a draft, without senders, or gone--> paused `campaign_closed`
 *           paused --a campaign is saved--> active; what was queued is sent if the campaign is the same
 *           either --another campaign is saved--> active; what was queued for the old one is dropped (G159)
 *                  --autoSend false is saved--> what was queued automatically is dropped, retries included (G160)
 * A queued person waits for `due_at`. A step leases a rule, checks the campaign, and claims and sends up to 100 people (send.ts):
 *           sent, or refused by the platform                               -> off the queue
 *           no lead that is enriched, tracked, not raw, and passes         -> off the queue
 *           another send has them under way, or its outcome is unknown     -> due again when that is settled
 *           the platform does not answer or is busy                        -> the rule is due again later, with growing waits
 * A batch:  sending --answer--> settled;  --no answer, or the sender died--> uncertain
 *           uncertain --after ten minutes, looked up in the campaign--> settled: those found are `sent`, the others `failed`
 *                       and may be sent again;  --ten lookups failed--> settled, its people `uncertain` for good
 */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { claim, defineWork, rescheduleForEver } from '../../platform/work/index.ts'
import { shareAccount } from '../credits/index.ts'
import { leadsPerCall, OutreachFailure } from '../../providers/outreach/port.ts'
import {
  batchRows,
  findKnown,
  leaseBatch,
  leaveOpen,
  recordUnexpectedOfBatch,
  type Batch,
  type OpenBatch,
} from './ledger-store.ts'
import { findConnection, openConnection, type Connection, type OutreachDeps } from './connection.ts'
import { lookUp } from './look-up.ts'
import { dropQueued, listQueued, postponeQueued, type Queued } from './queue-store.ts'
import { listEnriched, recipientOf } from './recipients.ts'
import {
  readRule,
  leaseRule,
  lockLeased,
  pauseRules,
  releaseRule,
  ruleRows,
  type LeasedRule,
  type Rule,
} from './rule-store.ts'
import { pauseAfter, settleMs } from './rules/sending.ts'
import {
  CampaignRefuses,
  NotToBeSent,
  claim as claimRecipients,
  leaseMs,
  requireOpenCampaign,
  noteFailure,
  send,
  type Sendable,
} from './send.ts'

type Work =
  | { readonly kind: 'abandoned' | 'open'; readonly batch: OpenBatch }
  | { readonly kind: 'rule'; readonly rule: LeasedRule }

const outreachRows = [batchRows.abandoned, batchRows.open, ruleRows] as const

function outreachStep(deps: OutreachDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const work = await deps.unitOfWork((tx) => take(deps, tx))
    if (work === undefined) return 'idle'
    await deps.faultPoint('outreach.leased')
    if (work.kind === 'open') await lookUp(deps, work.batch)
    if (work.kind === 'rule') await push(deps, work.rule)
    return 'worked'
  }
}

/** Takes one piece of work of the team served longest ago; batches before rules, so that earlier sends are settled first. */
async function take(deps: OutreachDeps, tx: Tx): Promise<Work | undefined> {
  const nowMs = deps.system.nowMs()
  const lease = { processId: deps.processId, nowMs, untilMs: nowMs + leaseMs }
  const [work] = await claim<Work>(tx, nowMs, {
    rows: outreachRows,
    take: async (teams) => {
      const abandoned = await leaseBatch(tx, { state: 'abandoned', teams, lease })
      if (abandoned) return [{ kind: 'abandoned', batch: abandoned }]
      const batch = await leaseBatch(tx, { state: 'open', teams, lease })
      if (batch) return [{ kind: 'open', batch }]
      const rule = await leaseRule(tx, teams, lease)
      return rule ? [{ kind: 'rule', rule }] : []
    },
    teamOf: (one) => (one.kind === 'rule' ? one.rule.teamId : one.batch.teamId),
    teams: 1,
    most: 1,
  })
  if (work?.kind === 'abandoned') await leaveOpen(tx, work.batch, new Date(tx.now.getTime() + settleMs))
  return work
}

async function push(deps: OutreachDeps, leased: LeasedRule): Promise<void> {
  const connection = await openConnection(deps, leased.teamId)
  if (!connection) {
    await deps.unitOfWork(async (tx) => {
      // Checked again: a key may have been stored since.
      if (!(await findConnection(tx.db, leased.teamId))) await pauseRules(tx, leased.teamId, { reason: 'invalid_key' })
      await releaseRule(tx, leased)
    })
    return
  }
  try {
    await requireOpenCampaign(deps, connection, leased.campaignId)
    const taken = await deps.unitOfWork((tx) => takeQueued(deps, tx, leased))
    if (taken) await sendTaken(deps, { connection, leased }, taken)
  } catch (error) {
    // The next step of the rule, which is due at once, takes them off the queue.
    if (error instanceof NotToBeSent) return deps.unitOfWork((tx) => releaseRule(tx, leased))
    if (!(error instanceof OutreachFailure || error instanceof CampaignRefuses)) throw error
    await deps.unitOfWork(async (tx) => {
      const now = await noteFailure(tx, leased, { connection, failure: error })
      const { held = null, retryAfterMs: askedMs } = error instanceof OutreachFailure ? error : {}
      if (held) return releaseRule(tx, leased, { retryAt: held.until, how: 'held' })
      const waitMs = pauseAfter(leased.failures + 1, askedMs)
      await releaseRule(tx, leased, { retryAt: now === 'paused' ? undefined : new Date(tx.now.getTime() + waitMs) })
    })
    deps.log.warn('an auto-push did not get through', { teamId: leased.teamId, ownerId: leased.ownerId, error })
  }
}

type ClaimedBatch = { readonly batch: Batch; readonly people: readonly Sendable[]; readonly queued: readonly Queued[] }

/** Claims the next people of a rule that may be sent; undefined when there are none, and the rule is released. */
async function takeQueued(deps: OutreachDeps, tx: Tx, leased: LeasedRule): Promise<ClaimedBatch | undefined> {
  const { teamId, campaignId } = leased
  // Waits for a running erasure before anybody is read.
  await shareAccount(tx, teamId, 'team')
  const rule = await lockLeased(tx, leased)
  if (!rule) {
    await releaseRule(tx, leased)
    return undefined
  }
  const queued = await listQueued(tx.db, { teamId, rule, now: tx.now, limit: leadsPerCall })
  const ready = await whoMayGo(deps, tx, { teamId, rule, queued })
  const known = await findKnown(tx.db, { teamId, campaignId, people: ready.map((one) => one.person) })
  const open = ready.filter((_one, place) => known.get(place) === 'open')
  const free = ready.filter((_one, place) => !known.has(place))
  const claimed =
    free.length === 0 ? undefined : await claimRecipients(deps, tx, { to: { teamId, campaignId }, people: free })
  const toSend = (claimed?.places ?? []).map((place) => free[place]!)
  // People claimed by another send just now are looked at again when that send is settled.
  const outrun = free.filter((one) => !toSend.includes(one))
  const staying = new Set([...open, ...outrun, ...toSend].map((one) => one.person.personUrn))
  const gone = queued.filter((one) => !staying.has(one.personUrn))
  await dropQueued(tx, leased, gone)
  await postponeQueued(tx, leased, urnsOf([...open, ...outrun]))
  if (claimed) {
    const urns = new Set(urnsOf(toSend))
    return { batch: claimed.batch, people: toSend, queued: queued.filter((one) => urns.has(one.personUrn)) }
  }
  await releaseRule(tx, leased)
  return undefined
}

const urnsOf = (people: readonly Sendable[]): string[] => people.flatMap((one) => one.person.personUrn ?? [])

async function whoMayGo(
  deps: OutreachDeps,
  tx: Tx,
  { teamId, rule, queued }: { teamId: string; rule: Rule; queued: readonly Queued[] },
): Promise<Sendable[]> {
  const leadIds = queued.flatMap((one) => one.leadId ?? [])
  const agent = rule.ownerKind === 'agent' ? { teamId, agentId: rule.ownerId } : null
  const passing = agent ? await deps.scores.passing(tx.db, agent, { filters: rule.filters, leadIds }) : leadIds
  const scores = agent ? await deps.scores.score(tx.db, agent, passing) : undefined
  const rows = await listEnriched(tx.db, teamId, passing)
  return rows.map((row) => recipientOf(row, scores?.get(row.id))).filter((one): one is Sendable => one.person !== null)
}

async function sendTaken(
  deps: OutreachDeps,
  { connection, leased }: { connection: Connection; leased: LeasedRule },
  { batch, people, queued }: ClaimedBatch,
): Promise<void> {
  const { teamId, ownerId } = leased
  await send(deps, {
    connection,
    batch,
    people,
    inSameUnit: async (tx, decided) => {
      await releaseRule(tx, leased)
      // If the rule has another campaign by now, its queue has nothing to do with this send.
      if ((await readRule(tx.db, teamId, ownerId))?.campaignId !== leased.campaignId) return
      if (decided === 'decided') await dropQueued(tx, leased, queued)
      else await postponeQueued(tx, leased, urnsOf(people))
    },
  })
}

export const outreachWork = defineWork({
  kind: 'outreach',
  rows: outreachRows,
  step: outreachStep,
  unexpected: {
    batch: recordUnexpectedOfBatch,
    // For ever: queued people wait.
    rule: (tx, work, dueAt) => rescheduleForEver(tx, ruleRows, work, dueAt),
  },
})
