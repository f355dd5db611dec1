/** Writing what enrichment found out about several people of one team, and giving up on one: always under the fences of their tasks. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import {
  findCompaniesToFill,
  saveProfiles,
  deleteTasks,
  lockTasks,
  type ClaimedTask,
  type TaskName,
} from '../network/index.ts'
import { failLeads, fillWaiting } from '../leads/index.ts'
import { completeSyncs, offerLeads } from '../delivery/index.ts'
import { offerToOutreach } from '../outreach/index.ts'
import { scoreLeads } from '../fit/index.ts'
import { lockSources } from '../sources/index.ts'
import { countMoved, sourcesOf } from './apply.ts'
import type { LookedUpPerson } from './lookup.ts'
import { factsOf } from './rules/facts.ts'
import { listWaitingSources } from './store.ts'

type Fenced = TaskName & { readonly fence: number }

/** Locks what people's leads hang on: their sources, then their tasks, each in one order; answers whose task is still ours. */
export async function lockAll(tx: Tx, teamId: string, tasks: readonly Fenced[]): Promise<Set<string>> {
  const urns = tasks.map((task) => task.personUrn)
  await lockSources(tx, teamId, await listWaitingSources(tx.db, teamId, urns))
  return lockTasks(tx, tasks)
}

/** Somebody about whom something was found out. */
export type Found = { readonly task: ClaimedTask; readonly person: LookedUpPerson }

/** Fills the waiting leads of people, judges and offers them, and ends their tasks; who was taken over by another is left out. */
export async function fill(
  tx: Tx,
  {
    faultPoint,
    teamId,
    found,
  }: { readonly faultPoint: FaultPointHook; readonly teamId: string; readonly found: readonly Found[] },
): Promise<void> {
  const ours = await lockAll(
    tx,
    teamId,
    found.map(({ task }) => task),
  )
  const people = found.filter(({ task }) => ours.has(task.personUrn))
  if (people.length === 0) return
  await saveProfiles(
    tx,
    teamId,
    people.flatMap(({ person }) => person.profile ?? []),
  )
  const companies = await findCompaniesToFill(
    tx,
    teamId,
    people.flatMap(({ person }) => person.known.companyUrn ?? []),
  )
  const moved = await fillWaiting(
    tx,
    teamId,
    people.map(({ task, person: { known } }) => ({
      personUrn: task.personUrn,
      facts: factsOf(known, known.companyUrn === null ? undefined : companies.get(known.companyUrn)),
    })),
  )
  await countMoved(tx, { teamId, moved, to: 'completed' })
  await faultPoint('enrichment.written')
  const ids = moved.map((lead) => lead.id)
  await scoreLeads(tx, teamId, { ids })
  await offerLeads(tx, teamId, ids)
  await offerToOutreach(tx, teamId, ids)
  await completeSyncs(tx, teamId, sourcesOf(moved))
  await deleteTasks(
    tx,
    teamId,
    people.map(({ task }) => task),
  )
  await faultPoint('enrichment.before-commit')
}

/** Gives up on a person whose sources and task are locked. */
export async function giveUp(tx: Tx, task: TaskName): Promise<void> {
  const failed = await failLeads(tx, task.teamId, task.personUrn)
  await countMoved(tx, { teamId: task.teamId, moved: failed, to: 'failed' })
  // Nothing more will be found out: judged by what is known, and a push that waits for it goes.
  const ids = failed.map((lead) => lead.id)
  await scoreLeads(tx, task.teamId, { ids })
  await offerLeads(tx, task.teamId, ids)
  await completeSyncs(tx, task.teamId, sourcesOf(failed))
  await deleteTasks(tx, task.teamId, [task])
}
