/**
 * Keeping an agent's people judged (docs/decisions/0011), a batch a unit of work.
 *
 *   people noted (their leads, posts or companies changed) --a lane, those noted--> judged
 *   asked (profile, sources or rules changed)  --a lane, everybody in the order of their URNs, a batch a turn--> all judged
 *     `-- asked again meanwhile, or seen to look for something else --> from the beginning
 *
 * Readers wait for nobody: while somebody is noted, or not everybody is judged by what the agent looks for now, the list is computed.
 * A batch is one unit: one that dies has done nothing, and its notes are there again.
 */
import type { SystemClock } from '../../../platform/clock.ts'
import type { Tx, UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import { defineWork, leaseOf } from '../../../platform/work/index.ts'
import { noteAgentPeople, takeNotes } from '../../accounts/index.ts'
import { scorePeople } from './people.ts'
import { findAgentView, listPeople, type AgentOf, type AgentView } from './people-store.ts'
import { forgetPosts, savePosts } from './post-store.ts'
import { topicsDigest } from './posts.ts'
import {
  claimRanking,
  forgetUnmet,
  listEngagedWith,
  listNextPeople,
  rankingRows,
  recordUnexpectedOfRanking,
  savePeople,
  saveRanking,
  shareCompaniesOf,
  type Ranking,
} from './store.ts'
import { rulesVersion } from '../rules/version.ts'
import { viewDigest } from './view-digest.ts'

/** What it works with. `batch` replaces the number of people of one unit of work, in tests. */
export type RankingDeps = {
  readonly unitOfWork: UnitOfWork
  readonly system: SystemClock
  /** Id of this process, for leases. */
  readonly owner: string
  readonly batch?: number
}

const defaultBatch = 500

async function judge(
  tx: Tx,
  {
    agent,
    view,
    urns,
    round,
  }: { readonly agent: AgentOf; readonly view: AgentView; readonly urns: readonly string[]; readonly round: number },
): Promise<void> {
  if (urns.length === 0) return
  const sourceIds = view.sources.map((source) => source.id)
  await shareCompaniesOf(tx, agent.teamId, urns)
  const rows = await listPeople(tx.db, { teamId: agent.teamId, sourceIds, people: { urns } })
  const { people, fresh } = await scorePeople(tx.db, { agent, view, rows })
  await savePosts(tx, agent, { posts: fresh, topics: topicsDigest(view.profile.topics) })
  await savePeople(tx, agent, { asked: urns, people, round })
}

/** A unit of ranking: whose people, as the agent sees them, how far it has come, and how many people it may judge. */
type Judging = {
  readonly agent: AgentOf
  readonly view: AgentView
  readonly ranking: Ranking
  readonly batch: number
}

/**
 * Those of an agent who were noted, and who engaged with posts that were: as many people as a unit judges; who engaged with much read
 * posts is noted for the next ones.
 */
async function judgeNoted(tx: Tx, { agent, view, ranking, batch }: Judging): Promise<void> {
  const { people, posts } = await takeNotes(tx, agent, batch)
  const sourceIds = view.sources.map((source) => source.id)
  await forgetPosts(tx, agent, posts)
  const engaged =
    posts.length === 0 ? [] : await listEngagedWith(tx, { teamId: agent.teamId, sourceIds, postUrns: posts })
  const urns = [...new Set([...people, ...engaged])]
  await noteAgentPeople(
    tx,
    urns.slice(batch).map((urn) => ({ ...agent, urn })),
  )
  await judge(tx, { agent, view, urns: urns.slice(0, batch), round: ranking.round })
}

/** The next of everybody; the ranking as it stands then. */
async function judgeNext(tx: Tx, { agent, view, ranking, batch }: Judging): Promise<Ranking> {
  const sourceIds = view.sources.map((source) => source.id)
  const urns = await listNextPeople(tx, { teamId: agent.teamId, sourceIds, after: ranking.cursor, most: batch })
  await judge(tx, { agent, view, urns, round: ranking.round })
  const next = { ...ranking, cursor: urns.at(-1) ?? ranking.cursor, judged: ranking.judged + urns.length }
  if (urns.length === batch || (await forgetUnmet(tx, agent, { round: ranking.round, most: batch })) === batch)
    return next
  return { ...next, judgedBy: ranking.wantedBy, rules: String(rulesVersion) }
}

async function step(deps: RankingDeps, tx: Tx): Promise<'worked' | 'idle'> {
  const claimed = await claimRanking(tx, leaseOf(deps.owner, deps.system.nowMs()))
  if (!claimed) return 'idle'
  const { agent, ranking } = claimed
  const batch = deps.batch ?? defaultBatch
  const view = await findAgentView(tx.db, agent)
  if (!view) throw new Error('the people of an agent that does not exist')
  const wanted = viewDigest(view)
  const stands = ranking.judgedBy === wanted
  const begun = ranking.judgedBy === null && ranking.wantedBy === wanted
  if (stands) await judgeNoted(tx, { agent, view, ranking, batch })
  const before = begun || stands ? ranking : { ...ranking, round: ranking.round + 1, cursor: null, judged: 0 }
  const open = { ...before, judgedBy: null, wantedBy: wanted }
  const after = stands
    ? { ...ranking, rules: String(rulesVersion) }
    : await judgeNext(tx, { agent, view, ranking: open, batch })
  await saveRanking(tx, agent, { ...after, asked: false })
  return 'worked'
}

/** Judges some people of an agent; `idle` when nobody is to be judged. */
export const rankingStep = (deps: RankingDeps) => (): Promise<'worked' | 'idle'> =>
  deps.unitOfWork((tx) => step(deps, tx))

/** Keeping the people of agents judged, as work. */
export const rankingWork = defineWork({
  kind: 'ranking',
  rows: [rankingRows],
  step: rankingStep,
  unexpected: { ranking: recordUnexpectedOfRanking },
})
