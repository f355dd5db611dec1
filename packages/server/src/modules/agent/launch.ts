/**
 * Starting an agent, in two units of work, so that what was set up outlives a save that fails (AGT-41):
 *
 *   1. prepare: refuse (nothing written), or stop what was set up before, set up topics and the search for people, note it as pending
 *   2. save:    the agent is active with the new plan, and nothing is pending
 *
 * Between the two the searches run already; whoever starts next finds them pending and takes them up. Both units lock the
 * account first, so two starts, a start and a stop, a start and the worker come one after the other.
 */
import { type UnitOfWork, type Tx, mayBeTriedAgain } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Caller } from '../accounts/index.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import {
  confirmPeople,
  grantAgentSearch,
  lockAccount,
  lockAgentTrial,
  mustConfirm,
  quote,
  settleAgentSearch,
} from '../credits/index.ts'
import { readDiscoverRun } from '../discover/index.ts'
import { attempt, peopleSearch, setUpPeopleSearch, setUpTopic, type RefusedPart } from './parts.ts'
import { clampDaily, splitPlan, splitTrialPlan, type Plan } from './rules/plan.ts'
import { topicsToSearch } from './rules/profile.ts'
import { stopSources, type Stopped } from './stopping.ts'
import { listAgentSources } from './source-store.ts'
import { lockAgent, saveAgent, type Agent } from './store.ts'

/** What a start asks for. */
export type StartRequest = {
  readonly agentId?: string | undefined
  readonly dailyCredits?: number | undefined
  readonly confirmSpend?: boolean | undefined
}

/** What a start has done, before the agent is saved. */
export type Prepared = Stopped & {
  readonly agentId: string
  readonly token: string
  readonly plan: Plan
  readonly dailyCredits: number | null
  readonly created: number
  readonly reused: number
  readonly discoverRun: string | null
  readonly failed: readonly RefusedPart[]
}

/** The daily limit and its split; refuses an agent without topics or without a limit, and a charge nobody has agreed to. */
function decidePlan({
  agent,
  caller,
  request,
  balance,
}: {
  readonly agent: Agent
  readonly caller: Caller
  readonly request: StartRequest
  readonly balance: number
}): { plan: Plan; dailyCredits: number | null; topics: string[] } {
  const topics = topicsToSearch(agent.profile)
  if (topics.length === 0) return refuse('agent_no_topics')
  const trial = caller.status === 'trial'
  const daily = request.dailyCredits ?? agent.dailyCredits
  if (!trial && daily === null) return refuse('agent_daily_credits_required')
  const dailyCredits = trial || daily === null ? null : clampDaily(daily)
  const plan = dailyCredits === null ? splitTrialPlan(topics.length) : splitPlan(dailyCredits, topics.length)
  if (mustConfirm({ raises: true, confirmSpend: request.confirmSpend }))
    return refuse(
      'spend_confirmation_required',
      {
        plan,
        dailyCredits,
        discoverCost: plan.people,
        ...quote({ per: 'day', credits: plan.total }, balance),
      },
      confirmPeople,
    )
  return { plan, dailyCredits, topics }
}

/** What the team can spend on the agent: its balance, or, on a free trial, what is left of the agent's allowance. */
async function lockPayer(tx: Tx, caller: Caller): Promise<number> {
  const { balance } = await lockAccount(tx, caller.teamId)
  return caller.status === 'trial' ? (await lockAgentTrial(tx, caller.teamId)).balance : balance
}

/** Gives back what the search of the start before has not spent, once it is over. */
async function settleEarlier(tx: Tx, agent: Agent): Promise<void> {
  const run = agent.discoverRun === null ? undefined : await readDiscoverRun(tx.db, agent.teamId, agent.discoverRun)
  if (run && run.state !== 'running') await settleAgentSearch(tx, agent.teamId, { id: run.id, found: run.found })
}

/** The first unit: everything that a start sets up. A refusal undoes it all. */
export async function prepare(
  tx: Tx,
  {
    faultPoint,
    caller,
    request,
  }: { readonly faultPoint: FaultPointHook; readonly caller: Caller; readonly request: StartRequest },
): Promise<Prepared> {
  const balance = await lockPayer(tx, caller)
  const agent = (await lockAgent(tx, caller.teamId, request.agentId)) ?? refuse('agent_not_found')
  const { plan, dailyCredits, topics } = decidePlan({ agent, caller, request, balance })
  const launch = agent.launch + 1
  const before = await listAgentSources(tx.db, agent)
  const unsaved = before.filter(
    (source) => source.launch === launch && source.topic !== null && topics.includes(source.topic),
  )
  const stopping = await stopSources(tx, {
    caller,
    agent,
    sources: before.filter((source) => !unsaved.includes(source)),
    keeps: ({ topic }) => topic !== null && topics.includes(topic),
  })
  const setup = { tx, caller, agent, plan, launch, earlier: await listAgentSources(tx.db, agent) }
  const count = { created: 0, reused: 0 }
  const failed: RefusedPart[] = []
  for (const topic of topics) {
    const part = await attempt(tx, topic, () => setUpTopic(setup, topic))
    if ('done' in part) count[part.done] += 1
    else failed.push(part.refused)
  }
  if (caller.status === 'trial') await settleEarlier(tx, agent)
  const people = await attempt(tx, peopleSearch, () => setUpPeopleSearch(setup, topics, balance))
  const discoverRun = 'done' in people ? people.done : null
  if ('refused' in people) failed.push(people.refused)
  if (count.created + count.reused === 0 && discoverRun === null)
    return refuse('agent_not_started', { status: failed[0]!.status, failed: [...failed] })
  if (caller.status === 'trial' && discoverRun !== null)
    await grantAgentSearch(tx, agent.teamId, { id: discoverRun, most: plan.people })
  const token = tx.newId()
  await saveAgent(tx, { ...agent, pending: { token, launch, discoverRun, plan, dailyCredits } })
  await faultPoint('agent.prepared')
  return { agentId: agent.id, token, plan, dailyCredits, ...count, discoverRun, failed, ...stopping }
}

/** The second unit: the agent is active. A start or a stop that came between has the last word; a save that fails is 502. */
export async function saveLaunch(
  tx: Tx,
  {
    faultPoint,
    caller,
    prepared,
  }: { readonly faultPoint: FaultPointHook; readonly caller: Caller; readonly prepared: Prepared },
): Promise<Agent> {
  try {
    await lockAccount(tx, caller.teamId)
    const agent = (await lockAgent(tx, caller.teamId, prepared.agentId)) ?? refuse('agent_not_found')
    const { pending } = agent
    if (pending?.token !== prepared.token) return agent
    const saved: Agent = {
      ...agent,
      status: 'active',
      launch: pending.launch,
      launchedAt: tx.now,
      plan: pending.plan,
      dailyCredits: pending.dailyCredits,
      discoverRun: pending.discoverRun,
      peopleAdded: false,
      pending: null,
    }
    await saveAgent(tx, saved)
    await faultPoint('agent_save')
    tx.enqueue('agent', agent.teamId)
    return saved
  } catch (error) {
    if (error instanceof Refusal || mayBeTriedAgain(error)) throw error
    return refuse('agent_save_failed')
  }
}

/** Makes the first unit of a start. */
export const prepareLaunch = (
  deps: { unitOfWork: UnitOfWork; faultPoint: FaultPointHook },
  caller: Caller,
  request: StartRequest,
): Promise<Prepared> => deps.unitOfWork((tx) => prepare(tx, { faultPoint: deps.faultPoint, caller, request }))
