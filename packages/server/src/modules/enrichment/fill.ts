/** Writes enrichment results of people of one team, or gives up on one, always under the fences of their tasks. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Profile } from '../../providers/ports.ts'
import { shareAccount } from '../credits/index.ts'
import { completeSyncs, offerLeads } from '../delivery/index.ts'
import { scoreLeads } from '../fit/index.ts'
import { failLeads, fillWaiting, rekeyById, holdSharedHandles, type MovedLead } from '../leads/index.ts'
import {
  deleteTasks,
  findCompaniesToFill,
  lockTasks,
  listReplacedHandles,
  saveProfiles,
  releaseTasksUntil,
  type BlockList,
  type ClaimedTask,
  type TaskKey,
} from '../network/index.ts'
import { offerToOutreach } from '../outreach/index.ts'
import { lockSources, moveCounts } from '../sources/index.ts'
import { namesOf, type HoldResults, type LookedUpPerson } from './lookup.ts'
import { factsOf } from './rules/facts.ts'
import { listWaitingSources } from './store.ts'

/** Updates source counters after leads changed their enrichment state. */
export async function countMoved(
  tx: Tx,
  { teamId, moved, to }: { teamId: string; moved: readonly MovedLead[]; to: 'completed' | 'failed' },
): Promise<void> {
  const ofSources = moved.filter((lead) => lead.sourceId !== null && lead.from !== to)
  const bySource = Map.groupBy(ofSources, (lead) => lead.sourceId!)
  for (const [id, leads] of [...bySource].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const count = (state: string): number =>
      (state === to ? leads.length : 0) -
      leads.filter(({ from }) => (from === 'processing' ? 'pending' : from) === state).length
    await moveCounts(
      tx,
      { teamId, id },
      { pending: count('pending'), completed: count('completed'), failed: count('failed'), skipped: count('skipped') },
    )
  }
}

/** The sources of these leads. */
export const sourcesOf = (moved: readonly MovedLead[]): string[] => [
  ...new Set(moved.flatMap((lead) => lead.sourceId ?? [])),
]

type Fenced = TaskKey & { readonly fence: number }

/** Locks people's sources, then their tasks, each in a fixed order; returns the people whose lease is still ours. */
export async function lockAll(tx: Tx, teamId: string, tasks: readonly Fenced[]): Promise<Set<string>> {
  const urns = tasks.map((task) => task.personUrn)
  await lockSources(tx, teamId, await listWaitingSources(tx.db, teamId, urns))
  return lockTasks(tx, tasks)
}

type Found = { readonly task: ClaimedTask; readonly person: LookedUpPerson }

type ErasedFrom = { readonly teamId: string; readonly blockList: BlockList; readonly nowMs: number }

/**
 * Leaves out people who were erased during the look-up. Their tasks must be locked and the account shared, so that an erasure
 * under way has ended. The blocked ones are released to be looked up again, and are then recognised by all their names.
 */
export async function withoutErased<T extends Found>(
  tx: Tx,
  { teamId, blockList, nowMs }: ErasedFrom,
  found: readonly T[],
): Promise<T[]> {
  const names = found.map(({ task, person }) => namesOf(person, task.personUrn))
  const blocked = await blockList.findBlocked(tx.db, teamId, names)
  const isErased = names.map(blocked.has)
  await blockList.blockAliases(tx, teamId, names.filter(blocked.has))
  const erased = found.filter((_one, place) => isErased[place]).map(({ task }) => task)
  await releaseTasksUntil(tx, erased, nowMs)
  return found.filter((_one, place) => !isErased[place])
}

/** Stores profiles; entries and results under a handle that they replace are first linked to the person's member id. */
export async function saveFound(
  tx: Tx,
  { teamId, holdResults }: { readonly teamId: string; readonly holdResults?: HoldResults | undefined },
  profiles: readonly Profile[],
): Promise<void> {
  const people = await listReplacedHandles(tx.db, teamId, profiles)
  if (people.length > 0) {
    await holdSharedHandles(tx, teamId, people)
    await rekeyById(tx, teamId, { people, companyUrns: [] })
    await holdResults?.(tx, teamId, people)
  }
  await saveProfiles(tx, teamId, profiles)
}

type Filling = ErasedFrom & {
  readonly faultPoint: FaultPointHook
  readonly holdResults: HoldResults | undefined
  readonly found: readonly Found[]
}

/** Fills, judges and offers people's waiting leads and deletes their tasks; skips people that another worker has taken over. */
export async function fill(tx: Tx, { faultPoint, holdResults, found, ...of }: Filling): Promise<void> {
  const { teamId } = of
  const asked = found.map(({ task }) => task)
  await shareAccount(tx, teamId, 'team')
  const ours = await lockAll(tx, teamId, asked)
  const held = found.filter(({ task }) => ours.has(task.personUrn))
  const people = await withoutErased(tx, of, held)
  if (people.length === 0) return
  const profiles = people.flatMap(({ person }) => person.profile ?? [])
  await saveFound(tx, { teamId, holdResults }, profiles)
  const companyUrns = people.flatMap(({ person }) => person.known.companyUrn ?? [])
  const companies = await findCompaniesToFill(tx, teamId, companyUrns)
  const facts = people.map(({ task: { personUrn }, person: { known } }) => ({
    personUrn,
    facts: factsOf(known, companies.get(known.companyUrn ?? '')),
  }))
  const named = facts.map(({ personUrn, facts: { handle } }) => ({ urn: personUrn, handle }))
  await holdResults?.(tx, teamId, named)
  const moved = await fillWaiting(tx, teamId, facts)
  await countMoved(tx, { teamId, moved, to: 'completed' })
  await faultPoint('enrichment.written')
  const ids = moved.map((lead) => lead.id)
  await scoreLeads(tx, teamId, { ids })
  await offerLeads(tx, teamId, ids)
  await offerToOutreach(tx, teamId, ids)
  await completeSyncs(tx, teamId, sourcesOf(moved))
  const done = people.map(({ task }) => task)
  await deleteTasks(tx, teamId, done)
  await faultPoint('enrichment.before-commit')
}

/** Gives up on a person whose sources and task are locked. */
export async function giveUp(tx: Tx, task: TaskKey): Promise<void> {
  const failed = await failLeads(tx, task.teamId, task.personUrn)
  await countMoved(tx, { teamId: task.teamId, moved: failed, to: 'failed' })
  // Nothing more will be learnt: judge by what is known, and let waiting pushes go.
  const ids = failed.map((lead) => lead.id)
  await scoreLeads(tx, task.teamId, { ids })
  await offerLeads(tx, task.teamId, ids)
  await completeSyncs(tx, task.teamId, sourcesOf(failed))
  await deleteTasks(tx, task.teamId, [task])
}
