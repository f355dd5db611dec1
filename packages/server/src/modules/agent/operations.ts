/**
 * Handlers of the agent (specification «Engagement Agent»). States:
 *
 *   (none)  --first PUT-->                                      draft
 *   draft   --start, confirmed, something could be set up-->    active    earlier sources are stopped first
 *   draft   --start, nothing could be set up-->                 draft     403 agent_not_started, nothing written
 *   active  --start-->                                          active    with another plan
 *   active  --stop-->                                           draft     leads are kept
 *   either  --PUT-->                                            the same  sources and caps follow at the next start
 */
import type { Input, OperationOf } from '@les/contract'
import { checkDestination } from '../../platform/egress/index.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Handlers, ReadContext } from '../accounts/index.ts'
import type { Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { lockAccount } from '../credits/index.ts'
import { warnedOfCountries } from '../network/index.ts'
import {
  checkCampaign,
  pushHistoric,
  removeRule,
  saveRules,
  type Historic,
  type OutreachDeps,
} from '../outreach/index.ts'
import { prepare, saveLaunch } from './launch.ts'
import { agentScores, listLeads, pushAgentLeads } from './leads.ts'
import { presentAgent } from './present.ts'
import { clampDaily } from './rules/plan.ts'
import { changeProfile } from './rules/profile.ts'
import { copyWebhookToAll, replaceWebhook, stopSources } from './sources.ts'
import {
  findAgent,
  insertAgent,
  listAgents,
  listAgentSources,
  lockAgent,
  requireAgent,
  saveAgent,
  type Agent,
} from './store.ts'

/** `enabled`: the operator's switch; `allowPrivate`: permits private destinations (G54). */
type AgentOperationDeps = {
  readonly enabled: boolean
  readonly unitOfWork: UnitOfWork
  readonly faultPoint: FaultPointHook
  readonly allowPrivate: boolean
  readonly outreach: OutreachDeps
}

type Change = Input<OperationOf<'updateAgent'>>
type Campaign = Awaited<ReturnType<typeof checkCampaign>>

/** Refuses a webhook that is wrong by the request alone; this comes before the 404 (G3). */
function refuseUndeliverable(change: Change, allowPrivate: boolean): void {
  if (!change.webhook) return
  const check = checkDestination(change.webhook.url, { schemes: ['https', 'http'], allowPrivate })
  if (!check.ok) refuse('invalid_request', {}, `\`webhook.url\` must be a public http or https URL. ${check.reason}`)
}

/** Refuses to change an unknown agent, or to create more agents than a free trial has. */
async function refuseUnknown(change: Change, { caller, db }: ReadContext): Promise<void> {
  if (change.agentId !== undefined) await requireAgent(db, caller.teamId, change.agentId)
  if (change.create === true && caller.status === 'trial' && (await findAgent(db, caller.teamId)))
    refuse('trial_agent_limit')
}

/** Locks the agent to change; creates it when it is the first, or one more is asked for (G95). */
async function lockOrMake(
  tx: Tx,
  { change, trial, teamId }: { change: Change; trial: boolean; teamId: string },
): Promise<Agent> {
  await lockAccount(tx, teamId)
  if (change.agentId !== undefined) return (await lockAgent(tx, teamId, change.agentId)) ?? refuse('agent_not_found')
  const oldest = await lockAgent(tx, teamId)
  if (change.create === true && oldest && trial) return refuse('trial_agent_limit')
  return oldest && change.create !== true ? oldest : await insertAgent(tx, teamId)
}

async function changeOutreach(
  tx: Tx,
  { agent, requested, campaign }: { agent: Agent; requested: Change['outreach']; campaign: Campaign | null },
): Promise<Historic | undefined> {
  if (requested === undefined) return undefined
  const { teamId, id } = agent
  if (requested === null || campaign === null) {
    await removeRule(tx, teamId, id)
    return undefined
  }
  const { autoSend = true, filters } = requested
  const [rule] = await saveRules(tx, {
    teamId,
    owners: { kind: 'agent', ids: [id] },
    rule: { campaignId: campaign.id, campaignName: campaign.name, autoSend, filters: filters ?? [] },
  })
  return requested.pushHistoric === true ? pushHistoric(tx, { teamId, rule: rule!, scores: agentScores }) : undefined
}

/** Makes the handlers; all answer 503 while the agent is switched off (C26). */
export function agentOperations(deps: AgentOperationDeps) {
  const { faultPoint } = deps
  const requireEnabled = () => {
    if (!deps.enabled) refuse('agent_unavailable')
  }
  return {
    getAgent: async ({ agentId }, { caller: { teamId }, db }) => {
      requireEnabled()
      const agent = agentId === undefined ? await findAgent(db, teamId) : await requireAgent(db, teamId, agentId)
      return { agent: agent ? await presentAgent(db, agent) : null, agents: await listAgents(db, teamId) }
    },
    updateAgent: async (input, context) => {
      requireEnabled()
      const { caller } = context
      refuseUndeliverable(input, deps.allowPrivate)
      await refuseUnknown(input, context)
      // The platform is asked before anything is written, outside the unit of work (AGT-17).
      const campaign = input.outreach
        ? await checkCampaign(deps.outreach, caller.teamId, input.outreach.campaignId)
        : null
      return context.unitOfWork(async (tx) => {
        const trial = caller.status === 'trial'
        const before = await lockOrMake(tx, { change: input, trial, teamId: caller.teamId })
        const { website = before.website, dailyCredits, webhook } = input
        const agent: Agent = {
          ...before,
          website,
          profile: changeProfile(before.profile, input),
          dailyCredits: dailyCredits === undefined || trial ? before.dailyCredits : clampDaily(dailyCredits),
          webhook: webhook === undefined ? before.webhook : replaceWebhook(before.webhook, webhook, tx.now),
        }
        await saveAgent(tx, agent)
        if (webhook !== undefined) await copyWebhookToAll(tx, agent)
        const historic = await changeOutreach(tx, { agent, requested: input.outreach, campaign })
        return {
          agent: await presentAgent(tx.db, agent),
          ...(input.countries === undefined ? {} : warnedOfCountries(agent.profile.countries)),
          ...(historic ? { outreachHistoric: { matched: historic.matched, queued: historic.queued } } : {}),
        }
      })
    },
    startAgent: async (input, { caller, unitOfWork }) => {
      requireEnabled()
      const prepared = await deps.unitOfWork((tx) => prepare(tx, { caller, request: input, faultPoint }))
      await faultPoint('agent.set-up')
      return unitOfWork(async (tx) => {
        const agent = await saveLaunch(tx, { faultPoint, caller, prepared })
        const { agentId: _id, token: _token, notStopped, failed, ...launch } = prepared
        return {
          agent: await presentAgent(tx.db, agent),
          launch: { ...launch, notStopped: [...notStopped], failed: [...failed] },
        }
      })
    },
    stopAgent: async ({ agentId }, { caller, unitOfWork }) => {
      requireEnabled()
      return unitOfWork(async (tx) => {
        await requireAgent(tx.db, caller.teamId, agentId)
        await lockAccount(tx, caller.teamId)
        const before = (await lockAgent(tx, caller.teamId, agentId)) ?? refuse('agent_not_found')
        const sources = await listAgentSources(tx.db, before)
        const { stopped, notStopped } = await stopSources(tx, before, { caller, sources })
        const agent: Agent = { ...before, status: 'draft', pending: null }
        await saveAgent(tx, agent)
        return { agent: await presentAgent(tx.db, agent), stop: { stopped, notStopped: [...notStopped] } }
      })
    },
    listAgentLeads: async ({ agentId, filters = [], limit, offset, excluded }, { caller: { teamId }, db, now }) => {
      requireEnabled()
      const page = await listLeads(db, { teamId, agentId, asked: { filters, limit, offset, excluded }, now })
      return page ?? refuse('agent_not_found')
    },
    pushAgent: async ({ agentId, leadIds }, { caller, unitOfWork }) => {
      requireEnabled()
      return unitOfWork(async (tx) => {
        const agent = await requireAgent(tx.db, caller.teamId, agentId)
        return { agentId: agent.id, ...(await pushAgentLeads(tx, agent, leadIds)) }
      })
    },
  } satisfies Partial<Handlers>
}
