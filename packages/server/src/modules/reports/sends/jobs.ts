/**
 * Sends that people start at the dashboard, part by part.
 *
 *   planned  --undone within ten seconds-->                                        cancelled  nothing was sent
 *   planned  --ten seconds, then a claim-->                                        sending    can no longer be undone
 *   sending  --a part is pushed, replayed, or added to a campaign-->               sending    the part is noted, the next follows
 *   sending  --the last part-->                                                    done
 *   sending  --the campaign takes nobody, or the platform is unavailable long-->   failed     the rest is not sent
 *
 * A push or replay and the note of its part are one unit of work. A call to a campaign lies between two units: if a worker dies
 * there, the ledger of outreach prevents a second send. People sent in another way meanwhile count as already sent.
 */
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { defineWork, lockLeased, postpone } from '../../../platform/work/index.ts'
import { pushLeads, resendAll, startPush } from '../../delivery/index.ts'
import { sendAll, type OutreachDeps } from '../../outreach/index.ts'
import { nextTryAt } from './plan.ts'
import {
  claimSend,
  failSend,
  nextPart,
  recordUnexpectedOfSend,
  sendRows,
  settlePart,
  type ClaimedSend,
  type Counts,
  type OpenPart,
} from './store.ts'

const noCounts: Counts = { sent: 0, already: 0, undecided: 0, failed: 0 }

/** Longer than one call to the outreach platform with the look-ups before it; in system time. */
const leaseMs = 120_000

function sendStep(deps: OutreachDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const nowMs = deps.system.nowMs()
    const send = await deps.unitOfWork((tx) =>
      claimSend(tx, { processId: deps.processId, nowMs, untilMs: nowMs + leaseMs }),
    )
    if (!send) return 'idle'
    const part = await nextPart(deps.db, send)
    if (!part) throw new Error(`send ${send.id} is open and has no part left`)
    await deps.faultPoint('send.claimed')
    if (part.ownerId === null) await sendToCampaign(deps, send, part)
    else await sendToWebhook(deps, { send, part, ownerId: part.ownerId })
    return 'worked'
  }
}

async function sendToWebhook(
  deps: OutreachDeps,
  { send, part, ownerId }: { send: ClaimedSend; part: OpenPart; ownerId: string },
): Promise<void> {
  try {
    await deps.unitOfWork(async (tx) => {
      if (!(await lockLeased(tx, sendRows, send))) return
      const { queued, pushId } = await queue(deps, tx, { ...part, teamId: send.teamId, ownerId })
      const counts = { ...noCounts, sent: queued, already: part.ids.length - queued }
      await settlePart(tx, send, { place: part.place, counts, pushId })
      await deps.faultPoint('send.before-commit')
    })
  } catch (error) {
    // The URL or the source was removed within the ten seconds: only this part fails.
    if (!(error instanceof Refusal)) throw error
    await deps.unitOfWork(async (tx) => {
      if (await lockLeased(tx, sendRows, send))
        await settlePart(tx, send, { place: part.place, counts: { ...noCounts, failed: part.ids.length } })
    })
  }
}

async function queue(
  deps: OutreachDeps,
  tx: Tx,
  { teamId, ownerId, ids, how }: OpenPart & { readonly teamId: string; readonly ownerId: string },
): Promise<{ queued: number; pushId: string | null }> {
  if (how.what === 'replay')
    return { queued: await resendAll(tx, { teamId, ownerId, ids, states: how.states }), pushId: null }
  if (how.what === 'agent')
    return { queued: (await pushLeads(tx, { teamId, ownerId, leadIds: ids })).queued, pushId: null }
  if (how.what !== 'push') throw new Error(`a part of an owner is no ${how.what}`)
  const which = how.keyword ? { id: ownerId, type: 'keyword' as const } : { id: ownerId }
  const wanted = { icpOnly: how.icpOnly, leadIds: ids }
  return startPush(tx, { faultPoint: deps.faultPoint }, teamId, { which, wanted })
}

async function sendToCampaign(deps: OutreachDeps, send: ClaimedSend, part: OpenPart): Promise<void> {
  const outcome = await add(deps, send, part)
  await deps.faultPoint('send.answered')
  await deps.unitOfWork(async (tx) => {
    if (!(await lockLeased(tx, sendRows, send))) return
    if ('counts' in outcome) return settlePart(tx, send, { place: part.place, counts: outcome.counts })
    const again = outcome.later ? nextTryAt(send.attempts, tx.now, outcome.askedMs) : null
    return again === null ? failSend(tx, send, outcome.message) : postpone(tx, sendRows, send, again)
  })
}

type Added = Omit<Awaited<ReturnType<typeof sendAll>>, 'campaign'>

const countsOf = (of: Added): Counts => ({
  sent: of.added + of.updated,
  already: of.alreadyInCampaign,
  undecided: of.uncertain,
  failed: of.failed + of.skippedNoLinkedin + of.skippedExcluded + of.notFound,
})

type CampaignOutcome =
  | { readonly counts: Counts }
  | { readonly message: string; readonly later: boolean; readonly askedMs: number }

async function add(deps: OutreachDeps, send: ClaimedSend, { ids, how }: OpenPart): Promise<CampaignOutcome> {
  const asked = how.what === 'people' ? { people: [...how.people] } : { leadIds: [...ids] }
  try {
    const ofAgent = send.agentId === null ? {} : { agentId: send.agentId }
    return {
      counts: countsOf(await sendAll(deps, send.teamId, { campaignId: send.campaignId!, ...asked, ...ofAgent })),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.key === 'no_enriched_lead') return { counts: { ...noCounts, failed: ids.length } }
    const { partial } = error.details as { partial?: Added }
    // Nobody knows whether these were added: outreach looks them up, and sends them to nobody before that is decided.
    if (partial && partial.uncertain > 0) return { counts: countsOf(partial) }
    return {
      message: error.message,
      later: error.key === 'outreach_unavailable',
      askedMs: Number(error.headers['retry-after'] ?? 0) * 1000,
    }
  }
}

export const sendWork = defineWork({
  kind: 'send',
  rows: [sendRows],
  step: sendStep,
  unexpected: { send: recordUnexpectedOfSend },
})
