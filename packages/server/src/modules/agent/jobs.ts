/**
 * Watches the people that an agent's search found (specification «Agent» states; AGT-36, AGT-43, AGT-47).
 *
 *   active, search running          -> nothing to do
 *   active, search over             -> up to ten people per unit of work are watched, best first; then `people_added`
 *   stopped meanwhile (draft)       -> the search goes on, nobody is watched
 *   started again meanwhile         -> only the new search's people are watched, and not before that start is saved
 *   subscribed since a trial start  -> people are watched on the closed allowance, so nobody is swept until the next start
 *
 * A person the team already watches, under any name, is used as they are; one without a public handle is watched by member id;
 * one who cannot be watched (the identifier names another source) is skipped. No lease: a unit locks account and agent, and does
 * all its work in the database, so one that dies has done nothing.
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

const batch = 10

/** Settings of a watched person; all are named, so that a source that was untracked before keeps none of its own. */
const settings = { ...initialSettings, creditCapPerSync: planLimits.perPerson, firstSyncPosts: 5 }

/**
 * The team as the caller that agreed to the start. A start on a free trial stays a trial even if the team has subscribed since:
 * the allowance pays, not the team (G126).
 */
async function callerOf(tx: Tx, teamId: string, search: string): Promise<Caller> {
  const team = await readTeam(tx.db, teamId)
  if (!team) throw new Error(`agent of team ${teamId}, which does not exist`)
  const status = (await isAgentSearch(tx.db, teamId, search)) ? 'trial' : team.status
  return { teamId, keyId: '', plan: team.plan, status, captureAllowed: team.captureAllowed }
}

type FoundPerson = { readonly personUrn: string; readonly handle: string | null }

/** An agent, locked with its account, and the people its search found. */
type PeopleSearchResult = { readonly caller: Caller; readonly agent: Agent; readonly found: readonly FoundPerson[] }

/** Watches a person; `existing` is their source, if any, `own` whether it is this agent's. Answers the source's id. */
async function watch(
  tx: Tx,
  { caller, agent, own }: Pick<PeopleSearchResult, 'caller' | 'agent'> & { readonly own: boolean },
  { found, existing }: { found: FoundPerson; existing: Source | undefined },
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

/** How many people an agent may watch. On a trial, earlier starts' people, who cannot be untracked, count unless found again. */
function maxWatched({ caller, agent, found }: PeopleSearchResult, sources: readonly AgentSourceRow[]): number {
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

async function watchNext(tx: Tx, result: PeopleSearchResult): Promise<'more' | 'done'> {
  const { agent, found } = result
  const sources = (await listAgentSources(tx.db, agent)).filter((source) => source.type === 'person')
  const launched = sources.filter((source) => source.launch === agent.launch)
  const watched = new Set(launched.map((source) => source.sourceId))
  const met = new Set(launched.map((source) => source.networkUrn))
  const most = maxWatched(result, sources)
  let added = 0
  for (const one of found) {
    if (met.has(one.personUrn)) continue
    // By member id: the handle may have changed since the source was made, or between two units.
    const existing = await findSource(tx.db, agent.teamId, { type: 'person', username: one.personUrn })
    if (existing && watched.has(existing.id)) continue
    if (watched.size >= most) return 'done'
    if (added === batch) return 'more'
    const own = sources.some((source) => source.sourceId === existing?.id && source.made && !source.stopped)
    const part = await attempt(tx, one.personUrn, () => watch(tx, { ...result, own }, { found: one, existing }))
    if ('refused' in part) continue
    watched.add(part.done)
    added += 1
  }
  return 'done'
}

async function watchFoundPeople(deps: AgentDeps, tx: Tx): Promise<'worked' | 'idle'> {
  const claimed = await claimSearchedAgent(tx, deps.system.nowMs())
  if (!claimed) return 'idle'
  enterTaskContext(
    tx,
    { rowKind: 'agent', teamId: claimed.teamId, id: claimed.id, fence: 0, failures: claimed.failures },
    0,
  )
  await lockAccount(tx, claimed.teamId)
  const agent = await lockAgent(tx, claimed.teamId, claimed.id)
  if (agent?.status !== 'active' || agent.peopleAdded || agent.discoverRun === null) return 'idle'
  // A start has stopped this search's sources and is about to be saved.
  if (agent.pending !== null) return 'idle'
  const run = await findDiscoverRun(tx.db, agent.teamId, agent.discoverRun)
  if (!run || run.state === 'running') return 'idle'
  const caller = await callerOf(tx, agent.teamId, run.id)
  await settleAgentSearch(tx, agent.teamId, { id: run.id, found: run.found })
  const found = await listFoundPeople(tx.db, run)
  const progress = await watchNext(tx, { caller, agent, found })
  if (progress === 'done') await saveAgent(tx, { ...agent, peopleAdded: true })
  if (progress === 'more' && claimed.failures > 0) await clearUnexpected(tx, agent)
  await deps.faultPoint('agent.person-watched')
  tx.enqueue('agent', agent.teamId)
  return 'worked'
}

function agentStep(deps: AgentDeps): () => Promise<'worked' | 'idle'> {
  return () => deps.unitOfWork((tx) => watchFoundPeople(deps, tx))
}

export const agentWork = defineWork({
  kind: 'agent',
  rows: [agentRows],
  step: agentStep,
  unexpected: { agent: recordUnexpectedOfAgent },
})
