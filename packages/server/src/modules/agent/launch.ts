/**
 * Starts an agent in two units of work, so that what was set up survives a failing save (AGT-41):
 *
 *   1. prepare: refuses (nothing written), or stops earlier sources, sets up topics and the people search, notes them as pending
 *   2. save:    makes the agent active with the new plan, and clears pending
 *
 * In the first unit, each topic's search and the people search succeed or are refused on their own (AGT-33..AGT-37). Between the
 * units the searches already run, and a next start takes over what is pending. Both units lock the account first, which puts
 * starts, stops and the worker in sequence.
 */
import {
  errorTable,
  initialEnd,
  initialSearch,
  initialSettings,
  initialTargeting,
  pickSettings,
  settingsOf,
  withoutSettings,
  type Input,
  type OperationOf,
} from '@les/contract'
import { sql } from 'kysely'
import { mayBeTriedAgain, type Reader, type Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import type { Caller } from '../accounts/index.ts'
import {
  confirmPeople,
  grantAgentSearch,
  lockAccount,
  lockAgentTrial,
  mustConfirm,
  quote,
  settleAgentSearch,
} from '../credits/index.ts'
import { findDiscoverRun, startDiscover } from '../discover/index.ts'
import { findActiveSearchByTerms, trackSearch, withoutOperators } from '../keywords/index.ts'
import { findSource, savePayer } from '../sources/index.ts'
import { clampDaily, planLimits, splitPlan, splitTrialPlan, type Plan } from './rules/plan.ts'
import { topicsToSearch } from './rules/profile.ts'
import { copyWebhook, stopSources, type Stopped } from './sources.ts'
import { listAgentSources, lockAgent, saveAgent, saveAgentSource, type Agent, type AgentSourceRow } from './store.ts'

type RefusedPart = {
  readonly part: string
  readonly error: string
  readonly code: string | null
  readonly status: number
}

const peopleSearch = 'people_search'

/** Runs a part in a savepoint: a refusal undoes only that part. */
export async function attempt<T>(
  tx: Tx,
  part: string,
  work: () => Promise<T>,
): Promise<{ readonly done: T } | { readonly refused: RefusedPart }> {
  await sql`savepoint agent_part`.execute(tx.db)
  try {
    const done = await work()
    await sql`release savepoint agent_part`.execute(tx.db)
    return { done }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await sql`rollback to savepoint agent_part`.execute(tx.db)
    const { status, code } = errorTable[error.key]
    return { refused: { part, error: error.message, code, status } }
  }
}

type Setup = {
  readonly tx: Tx
  readonly caller: Caller
  readonly agent: Agent
  readonly plan: Plan
  readonly launch: number
  readonly earlier: readonly AgentSourceRow[]
}

/** Settings of a topic's search; all are named, so that a search that was untracked before keeps none of its own. */
const topicSettings = (topic: string, creditCap: number) =>
  ({
    ...initialSearch,
    ...pickSettings(initialSettings, withoutSettings(settingsOf('search'), ['postsPerSync'])),
    ...initialTargeting,
    ...initialEnd,
    ai: null,
    name: `Agent: ${topic}`,
    creditCap,
  }) as const

/** The team's active search for a topic, unless its schedule has ended. */
async function findLive(db: Reader, teamId: string, topic: string): Promise<string | undefined> {
  const search = await findActiveSearchByTerms(db, teamId, [withoutOperators(topic)])
  const source = search && (await findSource(db, teamId, { id: search.sourceId }))
  return source && source.schedule.stoppedAt === null ? source.id : undefined
}

/** Sets up a topic's search: the team's live one unchanged, or the agent's own, where one kept from before gets the new cap. */
async function setUpTopic(
  { tx, caller, agent, plan, launch, earlier }: Setup,
  topic: string,
): Promise<'created' | 'reused'> {
  const live = await findLive(tx.db, agent.teamId, topic)
  const own = earlier.some((source) => source.sourceId === live && source.made && !source.stopped)
  if (live !== undefined && !own) {
    await saveAgentSource(tx, agent, { id: live, made: false, topic, launch })
    return 'reused'
  }
  const { sourceId } = await trackSearch(tx, caller, {
    keywords: [withoutOperators(topic)],
    named: topicSettings(topic, plan.perTopic),
    contract: 'spend',
    confirmSpend: true,
    confirmChanges: true,
  })
  await adoptSource({ tx, caller, agent }, sourceId, { topic, launch })
  return own ? 'reused' : 'created'
}

/** Makes a source the agent's own: sets its payer and its webhook. */
export async function adoptSource(
  { tx, caller, agent }: Pick<Setup, 'tx' | 'caller' | 'agent'>,
  sourceId: string,
  of: { topic: string | null; launch: number },
): Promise<void> {
  await saveAgentSource(tx, agent, { id: sourceId, made: true, ...of })
  await savePayer(tx, { teamId: agent.teamId, id: sourceId }, caller.status === 'trial' ? 'agent_trial' : 'team')
  await copyWebhook(tx, agent, sourceId)
}

/** Starts the people search, or takes over an equal one that an unsaved start has begun. */
async function setUpPeopleSearch(
  { tx, caller, agent, plan }: Setup,
  topics: readonly string[],
  balance: number,
): Promise<string> {
  const wanted = {
    keywords: topics.slice(0, planLimits.searchedTopics),
    countries: [],
    minEngagement: 0,
    maxInfluencers: plan.people,
  }
  const before = agent.pending?.discoverRun
  const begun = before == null ? undefined : await findDiscoverRun(tx.db, agent.teamId, before)
  if (
    begun &&
    begun.state !== 'failed' &&
    begun.maxInfluencers === wanted.maxInfluencers &&
    begun.keywords.join('\n') === wanted.keywords.join('\n')
  )
    return begun.id
  if (balance <= 0)
    refuse(
      'insufficient_enriching_credits',
      { estimatedCredits: wanted.maxInfluencers, remainingBalance: balance },
      'No enriching credits are left: nobody could be added',
    )
  return (await startDiscover(tx, caller.teamId, { ...wanted, agentId: agent.id })).id
}

type StartRequest = Input<OperationOf<'startAgent'>>

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

/** Decides the daily limit and its split; refuses without topics, limit or consent to the charge. */
function decidePlan(
  agent: Agent,
  { status }: Caller,
  { request, balance }: { request: StartRequest; balance: number },
): { plan: Plan; dailyCredits: number | null; topics: string[] } {
  const topics = topicsToSearch(agent.profile)
  if (topics.length === 0) return refuse('agent_no_topics')
  const trial = status === 'trial'
  const daily = request.dailyCredits ?? agent.dailyCredits
  if (!trial && daily === null) return refuse('agent_daily_credits_required')
  const dailyCredits = trial || daily === null ? null : clampDaily(daily)
  const plan = dailyCredits === null ? splitTrialPlan(topics.length) : splitPlan(dailyCredits, topics.length)
  if (mustConfirm({ raises: true, confirmSpend: request.confirmSpend }))
    return refuse(
      'spend_confirmation_required',
      { plan, dailyCredits, discoverCost: plan.people, ...quote({ per: 'day', credits: plan.total }, balance) },
      confirmPeople,
    )
  return { plan, dailyCredits, topics }
}

/** The first unit: sets everything up, or refuses and undoes it all. */
export async function prepare(
  tx: Tx,
  { caller, request, faultPoint }: { caller: Caller; request: StartRequest; faultPoint: FaultPointHook },
): Promise<Prepared> {
  const trial = caller.status === 'trial'
  const account = await lockAccount(tx, caller.teamId)
  // On a free trial the agent's allowance pays.
  const { balance } = trial ? await lockAgentTrial(tx, caller.teamId) : account
  const agent = (await lockAgent(tx, caller.teamId, request.agentId)) ?? refuse('agent_not_found')
  const { plan, dailyCredits, topics } = decidePlan(agent, caller, { request, balance })
  const launch = agent.launch + 1
  const before = await listAgentSources(tx.db, agent)
  const unsaved = before.filter(
    (source) => source.launch === launch && source.topic !== null && topics.includes(source.topic),
  )
  const stopping = await stopSources(tx, agent, {
    caller,
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
  if (trial && agent.discoverRun !== null) {
    // Releases what the previous start's search has not spent, if that search is over.
    const run = await findDiscoverRun(tx.db, agent.teamId, agent.discoverRun)
    if (run && run.state !== 'running') await settleAgentSearch(tx, agent.teamId, run)
  }
  const people = await attempt(tx, peopleSearch, () => setUpPeopleSearch(setup, topics, balance))
  const discoverRun = 'done' in people ? people.done : null
  if ('refused' in people) failed.push(people.refused)
  if (count.created + count.reused === 0 && discoverRun === null)
    return refuse('agent_not_started', { status: failed[0]!.status, failed: [...failed] })
  if (trial && discoverRun !== null) await grantAgentSearch(tx, agent.teamId, { id: discoverRun, most: plan.people })
  const token = tx.newId()
  await saveAgent(tx, { ...agent, pending: { token, launch, discoverRun, plan, dailyCredits } })
  await faultPoint('agent.prepared')
  return { agentId: agent.id, token, plan, dailyCredits, ...count, discoverRun, failed, ...stopping }
}

/** The second unit: activates the agent, unless another start or stop came between. A save that fails is 502. */
export async function saveLaunch(
  tx: Tx,
  { faultPoint, caller, prepared }: { faultPoint: FaultPointHook; caller: Caller; prepared: Prepared },
): Promise<Agent> {
  try {
    await lockAccount(tx, caller.teamId)
    const agent = (await lockAgent(tx, caller.teamId, prepared.agentId)) ?? refuse('agent_not_found')
    if (agent.pending?.token !== prepared.token) return agent
    const { token: _token, ...planned } = agent.pending
    const launched = { launchedAt: tx.now, peopleAdded: false, pending: null } as const
    const saved: Agent = { ...agent, ...planned, ...launched, status: 'active' }
    await saveAgent(tx, saved)
    await faultPoint('agent_save')
    tx.enqueue('agent', agent.teamId)
    return saved
  } catch (error) {
    if (error instanceof Refusal || mayBeTriedAgain(error)) throw error
    return refuse('agent_save_failed')
  }
}
