/**
 * Auto-push (specification «States», outreach auto-push; OUT-13, OUT-14, OUT-20, OUT-23, OUT-26).
 *
 * A rule:   active --the platform rejects the key--> paused `invalid_key` (every rule of the team)
 *                  --the campaign is over, a draft, without senders or gone--> paused `campaign_closed`
 *           paused --saving a campaign--> active; what was queued meanwhile goes then, if it is for the same campaign
 *           either --saving another campaign--> active; what was queued for the earlier one is dropped (G159)
 *                  --saving autoSend false--> what waits to go by itself is dropped, also what is being tried again (G160)
 * Somebody queued waits for `due_at`. A rule is leased, the campaign looked at, and up to 100 of them claimed and sent (send.ts):
 *           sent, or refused by the platform              -> off the queue
 *           raw, not enriched, untracked, not passing now, and no other lead of theirs that is -> off the queue
 *           another is sending them, or nobody knows      -> due again after that is decided
 *           the platform does not answer, or is busy      -> the rule is due again later, later still each time
 * A batch:  sending --answer--> settled;  --no answer, or its sender dies--> uncertain
 *           uncertain --ten minutes later, looked up in the campaign--> settled: found are `sent`, the others `failed`, so that a
 *                     queued one goes again; --cannot be looked up, ten times--> settled with its people left `uncertain` for good
 */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { claim, defineWork } from '../../platform/work/index.ts'
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
  recordUnexpectedOfRule,
  releaseRule,
  ruleRows,
  type LeasedRule,
  type Rule,
} from './rule-store.ts'
import { afterSettleMs, pauseAfter, settleMs } from './rules/sending.ts'
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

/** What outreach works on. */
const outreachRows = [batchRows.abandoned, batchRows.open, ruleRows] as const

/** Makes the step that does one piece of outreach work; `idle` when none is due. */
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

/** Takes one piece of work of the team served longest ago: a batch before a rule, so that who was sent is known before more are. */
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
      // Looked at again: one may have been stored since.
      if (!(await findConnection(tx.db, leased.teamId))) await pauseRules(tx, leased.teamId, { reason: 'invalid_key' })
      await releaseRule(tx, { leased })
    })
    return
  }
  try {
    await requireOpenCampaign(deps, connection, leased.campaignId)
    const taken = await deps.unitOfWork((tx) => takeQueued(deps, tx, leased))
    if (taken) await sendTaken(deps, { connection, leased }, taken)
  } catch (error) {
    // They are taken off the queue when the rule is worked on next, which is at once.
    if (error instanceof NotToBeSent) return deps.unitOfWork((tx) => releaseRule(tx, { leased }))
    if (!(error instanceof OutreachFailure || error instanceof CampaignRefuses)) throw error
    await deps.unitOfWork(async (tx) => {
      const now = await noteFailure(deps, tx, { campaign: leased, connection, failure: error })
      const { held = null, retryAfterMs: askedMs } = error instanceof OutreachFailure ? error : {}
      if (held) return releaseRule(tx, { leased, retryAt: held.until, how: 'held' })
      await releaseRule(tx, {
        leased,
        retryAt: now === 'paused' ? undefined : new Date(tx.now.getTime() + pauseAfter(leased.failures + 1, askedMs)),
      })
    })
    deps.log.warn('an auto-push did not get through', { teamId: leased.teamId, ownerId: leased.ownerId, error })
  }
}

type Taken = { readonly batch: Batch; readonly people: readonly Sendable[]; readonly queued: readonly Queued[] }

/** Claims the next people of a rule that may go; undefined when none of those looked at may, and then the rule is free again. */
async function takeQueued(deps: OutreachDeps, tx: Tx, leased: LeasedRule): Promise<Taken | undefined> {
  const { teamId, ownerId, campaignId } = leased
  // An erasure that is under way is over before anybody is read.
  await shareAccount(tx, teamId, 'team')
  const rule = await lockLeased(tx, leased)
  if (!rule) {
    await releaseRule(tx, { leased })
    return undefined
  }
  const queued = await listQueued(tx.db, { teamId, rule, now: tx.now, limit: leadsPerCall })
  const ready = await whoMayGo(deps, tx, { teamId, rule, queued })
  const known = await findKnown(tx.db, { teamId, campaignId, people: ready.map((one) => one.person) })
  const open = ready.filter((_one, place) => known.get(place) === 'open')
  const free = ready.filter((_one, place) => !known.has(place))
  const claimed =
    free.length === 0 ? undefined : await claimRecipients(deps, tx, { to: { teamId, campaignId }, people: free })
  const going = (claimed?.places ?? []).map((place) => free[place]!)
  // People taken by another send in this very moment are looked at again when that is decided.
  const outrun = free.filter((one) => !going.includes(one))
  const staying = new Set([...open, ...outrun, ...going].map((one) => one.person.personUrn))
  await dropQueued(tx, {
    teamId,
    ownerId,
    queued: queued.filter((one) => !staying.has(one.personUrn)),
  })
  await postponeQueued(tx, {
    teamId,
    ownerId,
    personUrns: urnsOf([...open, ...outrun]),
    dueAt: new Date(tx.now.getTime() + afterSettleMs),
  })
  if (claimed) {
    const urns = new Set(urnsOf(going))
    return { batch: claimed.batch, people: going, queued: queued.filter((one) => urns.has(one.personUrn)) }
  }
  await releaseRule(tx, { leased })
  return undefined
}

const urnsOf = (people: readonly Sendable[]): string[] => people.flatMap((one) => one.person.personUrn ?? [])

/** Those of the queued who may go by the rule as it is now, each with what is said about them. */
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
  { batch, people, queued }: Taken,
): Promise<void> {
  const { teamId, ownerId } = leased
  await send(deps, {
    connection,
    batch,
    people,
    inSameUnit: async (tx, decided) => {
      await releaseRule(tx, { leased })
      // Whom a rule has queued for another campaign since then is none of what was sent.
      if ((await readRule(tx.db, teamId, ownerId))?.campaignId !== leased.campaignId) return
      if (decided === 'decided') await dropQueued(tx, { teamId, ownerId, queued })
      else
        await postponeQueued(tx, {
          teamId,
          ownerId,
          personUrns: urnsOf(people),
          dueAt: new Date(tx.now.getTime() + afterSettleMs),
        })
    },
  })
}

/** Outreach, as work. */
export const outreachWork = defineWork({
  kind: 'outreach',
  rows: outreachRows,
  step: outreachStep,
  unexpected: { batch: recordUnexpectedOfBatch, rule: recordUnexpectedOfRule },
})
