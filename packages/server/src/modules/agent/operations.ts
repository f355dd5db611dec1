/**
 * Handlers of the agent (specification «Engagement Agent»). An agent's states:
 *
 *   (none)  --first PUT-->  draft
 *   draft   --start, confirmed, something could be set up-->  active      (what was set up before is stopped first)
 *   draft   --start, nothing could be set up-->  draft                    403 agent_not_started, nothing written
 *   active  --start-->  active                                            with another plan; --stop-->  draft, leads kept
 *   either  --PUT-->  the same                                            sources and caps follow at the next start
 */
import type { Input, OperationOf } from '@les/contract'
import { checkDestination } from '../../platform/egress/index.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Handlers, ReadContext } from '../accounts/index.ts'
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { lockAccount } from '../credits/index.ts'
import { warnedOfCountries } from '../network/index.ts'
import {
  checkCampaign,
  pushHistoric,
  removeRule,
  saveRule,
  type Historic,
  type OutreachDeps,
} from '../outreach/index.ts'
import { prepareLaunch, saveLaunch } from './launch.ts'
import { listLeads } from './leads.ts'
import { agentScores } from './outreach.ts'
import { presentAgent } from './present.ts'
import { pushAgentLeads } from './push.ts'
import { clampDaily } from './rules/plan.ts'
import { changeProfile } from './rules/profile.ts'
import { stopSources } from './stopping.ts'
import { listAgentSources } from './source-store.ts'
import { findAgent, insertAgent, listAgents, lockAgent, saveAgent, type Agent } from './store.ts'
import { copyWebhookToAll, replaceWebhook } from './webhook.ts'

/** The operations this module serves. */
export type AgentOperationId = 'getAgent' | 'updateAgent' | 'startAgent' | 'stopAgent' | 'listAgentLeads' | 'pushAgent'

/** What the handlers need. `enabled`: the operator's switch; `allowPrivate`: permits private destinations (G54). */
export type AgentOperationDeps = {
  readonly enabled: boolean
  readonly unitOfWork: UnitOfWork
  readonly faultPoint: FaultPointHook
  readonly allowPrivate: boolean
  readonly outreach: OutreachDeps
}

type Change = Input<OperationOf<'updateAgent'>>
type Campaign = Awaited<ReturnType<typeof checkCampaign>>

async function requireAgent(db: Reader, teamId: string, id: string | undefined): Promise<Agent> {
  return (await findAgent(db, teamId, id)) ?? refuse('agent_not_found')
}

/** What the request alone shows to be wrong with a webhook; comes before the 404 (G3). */
function refuseUndeliverable(change: Change, allowPrivate: boolean): void {
  if (!change.webhook) return
  const check = checkDestination(change.webhook.url, { schemes: ['https', 'http'], allowPrivate })
  if (!check.ok) refuse('invalid_request', {}, `\`webhook.url\` must be a public http or https URL. ${check.reason}`)
}

/** Refuses a change of an agent that is not there, or of one more than a free trial has. */
async function refuseUnknown(change: Change, { caller, db }: ReadContext): Promise<void> {
  if (change.agentId !== undefined) await requireAgent(db, caller.teamId, change.agentId)
  if (change.create === true && caller.status === 'trial' && (await findAgent(db, caller.teamId)))
    refuse('trial_agent_limit')
}

/** The agent that a change is about, locked; made when it is the first or one more is wanted (G95). */
async function lockOrMake(
  tx: Tx,
  { change, trial, teamId }: { readonly change: Change; readonly trial: boolean; readonly teamId: string },
): Promise<Agent> {
  await lockAccount(tx, teamId)
  if (change.agentId !== undefined) return (await lockAgent(tx, teamId, change.agentId)) ?? refuse('agent_not_found')
  const oldest = await lockAgent(tx, teamId)
  if (change.create === true && oldest && trial) return refuse('trial_agent_limit')
  return oldest && change.create !== true ? oldest : await insertAgent(tx, teamId)
}

async function changeOutreach(
  tx: Tx,
  {
    agent,
    requested,
    campaign,
  }: { readonly agent: Agent; readonly requested: Change['outreach']; readonly campaign: Campaign | null },
): Promise<Historic | undefined> {
  if (requested === undefined) return undefined
  if (requested === null || campaign === null) {
    await removeRule(tx, agent.teamId, agent.id)
    return undefined
  }
  const rule = await saveRule(tx, {
    teamId: agent.teamId,
    owner: { kind: 'agent', id: agent.id },
    requested: { campaign, autoSend: requested.autoSend ?? true, filters: requested.filters ?? [] },
  })
  return requested.pushHistoric === true
    ? pushHistoric(tx, { teamId: agent.teamId, rule, scores: agentScores })
    : undefined
}

type Handle<Id extends AgentOperationId> = Handlers<AgentOperationId>[Id]

/** Refuses every operation while the agent is switched off (C26). */
function requireEnabled({ enabled }: AgentOperationDeps): void {
  if (!enabled) refuse('agent_unavailable')
}

/** Changes an agent, or makes one more; the destination is checked before anything is written. */
const updateAgentOf =
  (deps: AgentOperationDeps): Handle<'updateAgent'> =>
  async (input, context) => {
    requireEnabled(deps)
    const { caller } = context
    refuseUndeliverable(input, deps.allowPrivate)
    await refuseUnknown(input, context)
    // The platform is asked before anything is written, and outside the unit (AGT-17).
    const campaign = input.outreach
      ? await checkCampaign(deps.outreach, caller.teamId, input.outreach.campaignId)
      : null
    return context.unitOfWork(async (tx) => {
      const trial = caller.status === 'trial'
      const before = await lockOrMake(tx, { change: input, trial, teamId: caller.teamId })
      const agent: Agent = {
        ...before,
        website: input.website === undefined ? before.website : input.website,
        profile: changeProfile(before.profile, input),
        dailyCredits: input.dailyCredits === undefined || trial ? before.dailyCredits : clampDaily(input.dailyCredits),
        webhook: input.webhook === undefined ? before.webhook : replaceWebhook(before.webhook, input.webhook, tx.now),
      }
      await saveAgent(tx, agent)
      if (input.webhook !== undefined) await copyWebhookToAll(tx, agent)
      const historic = await changeOutreach(tx, { agent, requested: input.outreach, campaign })
      const warned = input.countries === undefined ? {} : warnedOfCountries(agent.profile.countries)
      return {
        agent: await presentAgent(tx.db, agent),
        ...warned,
        ...(historic ? { outreachHistoric: { matched: historic.matched, queued: historic.queued } } : {}),
      }
    })
  }

/** Starts an agent: sets its sources up, then saves it with them. */
const startAgentOf =
  (deps: AgentOperationDeps): Handle<'startAgent'> =>
  async (input, { caller, unitOfWork }) => {
    requireEnabled(deps)
    const prepared = await prepareLaunch(deps, caller, input)
    await deps.faultPoint('agent.set-up')
    return unitOfWork(async (tx) => {
      const agent = await saveLaunch(tx, { faultPoint: deps.faultPoint, caller, prepared })
      const { plan, dailyCredits, created, reused, discoverRun, stopped, notStopped, failed } = prepared
      return {
        agent: await presentAgent(tx.db, agent),
        launch: {
          plan,
          dailyCredits,
          created,
          reused,
          discoverRun,
          stopped,
          notStopped: [...notStopped],
          failed: [...failed],
        },
      }
    })
  }

/** Stops an agent: its own sources are untracked, and it is a draft again. */
const stopAgentOf =
  (deps: AgentOperationDeps): Handle<'stopAgent'> =>
  async (input, { caller, unitOfWork }) => {
    requireEnabled(deps)
    return unitOfWork(async (tx) => {
      if (!(await findAgent(tx.db, caller.teamId, input.agentId))) refuse('agent_not_found')
      await lockAccount(tx, caller.teamId)
      const before = (await lockAgent(tx, caller.teamId, input.agentId)) ?? refuse('agent_not_found')
      const { stopped, notStopped } = await stopSources(tx, {
        caller,
        agent: before,
        sources: await listAgentSources(tx.db, before),
      })
      const agent: Agent = { ...before, status: 'draft', pending: null }
      await saveAgent(tx, agent)
      return { agent: await presentAgent(tx.db, agent), stop: { stopped, notStopped: [...notStopped] } }
    })
  }

/** Makes the handlers; every one of them is 503 while the agent is switched off (C26). */
export function agentOperations(deps: AgentOperationDeps): Handlers<AgentOperationId> {
  const available = () => requireEnabled(deps)
  return {
    getAgent: async (input, { caller, db }) => {
      available()
      const agent =
        input.agentId === undefined
          ? await findAgent(db, caller.teamId)
          : await requireAgent(db, caller.teamId, input.agentId)
      return { agent: agent ? await presentAgent(db, agent) : null, agents: await listAgents(db, caller.teamId) }
    },
    updateAgent: updateAgentOf(deps),
    startAgent: startAgentOf(deps),
    stopAgent: stopAgentOf(deps),
    listAgentLeads: async (input, { caller, db, now }) => {
      available()
      const asked = { filters: input.filters ?? [], limit: input.limit, offset: input.offset }
      const page = await listLeads(db, { teamId: caller.teamId, agentId: input.agentId, asked, now })
      return page ?? refuse('agent_not_found')
    },
    pushAgent: async (input, { caller, unitOfWork }) => {
      available()
      return unitOfWork(async (tx) => {
        const agent = await requireAgent(tx.db, caller.teamId, input.agentId)
        return { agentId: agent.id, ...(await pushAgentLeads(tx, agent, input.leadIds)) }
      })
    },
  }
}
