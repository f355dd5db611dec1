/**
 * Watching the people an agent's search has found (specification «Agent» states; AGT-36, AGT-43, AGT-47).
 *
 *   active, search running          nothing to do
 *   active, search over             -> its people are watched, at most ten in one unit of work, the best first --> people added
 *   stopped meanwhile (draft)       -> the search goes on, nobody is added
 *   started again meanwhile         -> another search is the agent's; of this one nobody is added, nor before that start is saved
 *   subscribed since a trial's start -> its people are watched on the allowance, which is closed: nobody is swept until the next start
 *
 * A person the team watches already is taken as they are, under whatever name; who has no public handle is watched by member id. Who
 * cannot be watched (their identifier names another source) is left out. Nothing is leased: a unit locks account and agent and does
 * all it does in the database; one that dies has done nothing.
 */
import { initialSettings, normalizeHandle } from '@les/contract'
import { type WorkDeps, defineWork } from '../../platform/work/index.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { enterTaskContext } from '../../platform/task-context.ts'
import { readTeam, type Caller } from '../accounts/index.ts'
import { isAgentSearch, lockAccount, settleAgentSearch } from '../credits/index.ts'
import { listFoundPeople, findDiscoverRun } from '../discover/index.ts'
import { findSource, trackSource, type Source } from '../sources/index.ts'
import { adoptSource, attempt } from './launch.ts'
import { planLimits } from './rules/plan.ts'
import {
  agentRows,
  claimSearchedAgent,
  clearUnexpected,
  listAgentSources,
  lockAgent,
  recordUnexpectedOfAgent,
  saveAgent,
  saveAgentSource,
  type Agent,
  type AgentSourceRow,
} from './store.ts'

type AgentDeps = Pick<WorkDeps, 'unitOfWork' | 'faultPoint' | 'system'>

/** People watched in one unit of work. */
const batch = 10

/** What a watched person is set to; named whole, so that nothing of a source untracked before lives on. */
const settings = { ...initialSettings, creditCapPerSync: planLimits.perPerson, firstSyncPosts: 5 }

/**
 * The team as a caller, for which the worker acts: as it was when it agreed to the start. What a free trial has agreed to is paid by the
 * allowance, also where the team has subscribed since: nothing of it is the team's to pay (G126).
 */
async function callerOf(tx: Tx, teamId: string, search: string): Promise<Caller> {
  const team = await readTeam(tx.db, teamId)
  if (!team) throw new Error(`agent of team ${teamId}, which does not exist`)
  const status = (await isAgentSearch(tx.db, teamId, search)) ? 'trial' : team.status
  return { teamId, keyId: '', plan: team.plan, status, captureAllowed: team.captureAllowed }
}

/** A person whom the search has found. */
type Found = { readonly personUrn: string; readonly handle: string | null }

/** An agent whose account and row are locked, with the people whom its search has found. */
type Following = { readonly caller: Caller; readonly agent: Agent; readonly found: readonly Found[] }

/** Watches a person whose source, if any, is `existing`, the agent's `own` or the team's; answers the id of the source. */
async function watch(
  tx: Tx,
  { caller, agent, own }: Pick<Following, 'caller' | 'agent'> & { readonly own: boolean },
  { found, existing }: { found: Found; existing: Source | undefined },
): Promise<string> {
  if (existing?.status === 'active' && !own) {
    await saveAgentSource(tx, agent, { id: existing.id, made: false, topic: null, launch: agent.launch })
    return existing.id
  }
  const { sourceId } = await trackSource(tx, caller, {
    type: 'person',
    username: found.handle === null ? found.personUrn : normalizeHandle(found.handle),
    networkUrn: found.personUrn,
    named: settings,
    confirmSpend: true,
  })
  await adoptSource({ tx, caller, agent }, sourceId, { topic: null, launch: agent.launch })
  return sourceId
}

/**
 * How many people an agent may watch. On a free trial those of an earlier start, who cannot be untracked, count towards the limit,
 * unless they were found again.
 */
function maxWatched({ caller, agent, found }: Following, sources: readonly AgentSourceRow[]): number {
  const planned = agent.plan?.people ?? 0
  if (caller.status !== 'trial') return Math.min(planned, planLimits.people)
  const again = new Set(found.flatMap(({ personUrn, handle }) => [personUrn, ...(handle === null ? [] : [handle])]))
  const kept = sources.filter(
    (source) =>
      source.active &&
      !source.stopped &&
      source.launch !== agent.launch &&
      !again.has(source.networkUrn ?? source.label),
  )
  return Math.min(planned, planLimits.trialPeople - kept.length)
}

/** Watches the next people of an agent; `done` when nobody is left. */
async function watchNext(tx: Tx, following: Following): Promise<'more' | 'done'> {
  const { agent, found } = following
  const sources = (await listAgentSources(tx.db, agent)).filter((source) => source.type === 'person')
  const launched = sources.filter((source) => source.launch === agent.launch)
  const watched = new Set(launched.map((source) => source.sourceId))
  const met = new Set(launched.map((source) => source.networkUrn))
  const most = maxWatched(following, sources)
  let added = 0
  for (const one of found) {
    if (met.has(one.personUrn)) continue
    // By member id: a handle may change between two units, and since the source was made.
    const existing = await findSource(tx.db, agent.teamId, { type: 'person', username: one.personUrn })
    if (existing && watched.has(existing.id)) continue
    if (watched.size >= most) return 'done'
    if (added === batch) return 'more'
    const own = sources.some((source) => source.sourceId === existing?.id && source.made && !source.stopped)
    const part = await attempt(tx, one.personUrn, () => watch(tx, { ...following, own }, { found: one, existing }))
    if ('refused' in part) continue
    watched.add(part.done)
    added += 1
  }
  return 'done'
}

async function follow(deps: AgentDeps, tx: Tx): Promise<'worked' | 'idle'> {
  const named = await claimSearchedAgent(tx, deps.system.nowMs())
  if (!named) return 'idle'
  enterTaskContext(tx, { taskName: 'agent', teamId: named.teamId, id: named.id, fence: 0, failures: named.failures }, 0)
  await lockAccount(tx, named.teamId)
  const agent = await lockAgent(tx, named.teamId, named.id)
  if (agent?.status !== 'active' || agent.peopleAdded || agent.discoverRun === null) return 'idle'
  // A start has stopped what this search belongs to, and is about to be saved.
  if (agent.pending !== null) return 'idle'
  const run = await findDiscoverRun(tx.db, agent.teamId, agent.discoverRun)
  if (!run || run.state === 'running') return 'idle'
  const caller = await callerOf(tx, agent.teamId, run.id)
  await settleAgentSearch(tx, agent.teamId, { id: run.id, found: run.found })
  const found = await listFoundPeople(tx.db, run)
  const progress = await watchNext(tx, { caller, agent, found })
  if (progress === 'done') await saveAgent(tx, { ...agent, peopleAdded: true })
  if (progress === 'more' && named.failures > 0) await clearUnexpected(tx, agent)
  await deps.faultPoint('agent.person-watched')
  tx.enqueue('agent', agent.teamId)
  return 'worked'
}

/** One unit of following up people searches; `idle` when none is to be followed up. */
function agentStep(deps: AgentDeps): () => Promise<'worked' | 'idle'> {
  return () => deps.unitOfWork((tx) => follow(deps, tx))
}

/** Following up the searches of agents, as work. */
export const agentWork = defineWork({
  kind: 'agent',
  rows: [agentRows],
  step: agentStep,
  unexpected: { agent: recordUnexpectedOfAgent },
})
