/** The parts a start sets up: a search of each topic, and the search for people. Each stands or falls by itself (AGT-33..AGT-37). */
import {
  errorTable,
  initialEnd,
  initialSearch,
  initialSettings,
  initialTargeting,
  pickSettings,
  settingsOf,
  withoutSettings,
} from '@les/contract'
import { sql } from 'kysely'
import type { Caller } from '../accounts/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import { readDiscoverRun, startDiscover } from '../discover/index.ts'
import { findActiveSearchByTerms, trackSearch, withoutOperators } from '../keywords/index.ts'
import { findSource, savePayer } from '../sources/index.ts'
import { planLimits, type Plan } from './rules/plan.ts'
import { saveAgentSource, type AgentSourceRow } from './source-store.ts'
import type { Agent } from './store.ts'
import { copyWebhook } from './webhook.ts'

/** A part that was refused. */
export type RefusedPart = {
  readonly part: string
  readonly error: string
  readonly code: string | null
  readonly status: number
}

/** The name under which the search for people is told. */
export const peopleSearch = 'people_search'

/** Runs a part; what it refuses undoes only what it wrote. */
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

/** What every start needs. */
export type Setup = {
  readonly tx: Tx
  readonly caller: Caller
  readonly agent: Agent
  readonly plan: Plan
  readonly launch: number
  readonly earlier: readonly AgentSourceRow[]
}

/** All that a search of an agent is set to; named whole, so that nothing of a search untracked before lives on. */
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

/** A search of the team that would sweep by itself; one at its end is none. */
async function findLive(db: Reader, teamId: string, topic: string): Promise<string | undefined> {
  const search = await findActiveSearchByTerms(db, teamId, [withoutOperators(topic)])
  const source = search && (await findSource(db, teamId, { id: search.sourceId }))
  return source && source.schedule.stoppedAt === null ? source.id : undefined
}

/**
 * Sets up the search of a topic: the live one of the team as it is, or one of the agent's own; what the agent has kept
 * from before gets the new cap.
 */
export async function setUpTopic(
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

/** Makes a source the agent's own: who pays for it, and where its leads go. */
export async function adoptSource(
  { tx, caller, agent }: Pick<Setup, 'tx' | 'caller' | 'agent'>,
  sourceId: string,
  of: { topic: string | null; launch: number },
): Promise<void> {
  await saveAgentSource(tx, agent, { id: sourceId, made: true, ...of })
  await savePayer(tx, { teamId: agent.teamId, id: sourceId }, caller.status === 'trial' ? 'agent_trial' : 'team')
  await copyWebhook(tx, agent, sourceId)
}

/** Starts the search for people; one that a start before has begun and not saved is taken up when it is the same. */
export async function setUpPeopleSearch(
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
  const begun = before == null ? undefined : await readDiscoverRun(tx.db, agent.teamId, before)
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
  return (await startDiscover(tx, caller, { ...wanted, agentId: agent.id })).runId
}
