/**
 * Enrichment of captured people. One step handles several people of one team: looked up concurrently, written together.
 *
 *   wanted --claim--> leased --profile, company--> filled: leads `completed`, offered to delivery, task deleted
 *                       |-- no lead waits any more (untracked) --> task deleted, no call made
 *                       |-- no such person on the network --> leads `failed`, task deleted
 *                       |-- vendor accounts held --> wanted again when they are free; not counted as a try
 *                       |-- no answer --> wanted again at a later due date; after the last try leads `failed`
 *                       |-- unexpected failure --> wanted again after 1, 5, 30 min and 2 h; after the fifth leads `failed`
 *                       |-- turn over before it began --> wanted again at once, behind other teams
 *                       `-- worker dies --> lease expires, wanted again
 *
 * Nothing is charged here; capture was. A failure for one person undoes the joint write, which is repeated one by one, so that
 * the failure is recorded on that person alone.
 */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { taskContextOf, oneByOne, clearClaimedRow, type Recorded, type Work } from '../../platform/task-context.ts'
import { defineWork, leaseOf } from '../../platform/work/index.ts'
import { ProviderFailure } from '../../providers/ports.ts'
import { shareAccount } from '../credits/index.ts'
import { listWanted } from '../leads/index.ts'
import {
  claimTasks,
  deleteTasks,
  lockTasks,
  postponeTask,
  postponeUnexpected,
  releaseTasks,
  taskRows,
  releaseTasksUntil,
  type ClaimedTask,
} from '../network/index.ts'
import { fill, giveUp, lockAll, saveFound, withoutErased } from './fill.ts'
import { lookUpMany, type Asked, type EnrichmentDeps, type LookedUpPerson } from './lookup.ts'
import { retryAt } from './rules/retry.ts'

const maxPeople = 50
const busyMs = 500

/** Claims people that leads wait for; drops tasks without a waiting lead, since look-ups cost money. Undefined: nobody is due. */
async function claimWanted(tx: Tx, deps: EnrichmentDeps): Promise<readonly ClaimedTask[] | undefined> {
  const tasks = await claimTasks(tx, leaseOf(deps.processId, deps.system.nowMs()), deps.atMost ?? maxPeople)
  if (tasks.length === 0) return undefined
  const { teamId } = tasks[0]!
  const urns = tasks.map((task) => task.personUrn)
  const wanted = await listWanted(tx.db, teamId, urns)
  const unwanted = tasks.filter((task) => !wanted.has(task.personUrn))
  await deleteTasks(tx, teamId, unwanted)
  return tasks.filter((task) => wanted.has(task.personUrn))
}

/** Writes results of several people; if that fails unexpectedly, writes each alone. */
async function fillTogether(deps: EnrichmentDeps, teamId: string, ready: readonly Found[]): Promise<void> {
  if (ready.length === 0) return
  const together = async (found: readonly Found[]) => {
    const { faultPoint, blockList, holdResults } = deps
    const of = { faultPoint, blockList, holdResults, nowMs: deps.system.nowMs(), teamId, found }
    const write = () => deps.unitOfWork((tx) => fill(tx, of))
    await (found.length === 1 ? found[0]!.row.run(write) : write())
    for (const { row } of found) await row.done()
  }
  await oneByOne(ready, together, ({ row }, error) => row.failed(error))
}

type Found = Asked & { readonly person: LookedUpPerson }

async function giveUpOrPostpone(deps: EnrichmentDeps, asked: Asked, failure: ProviderFailure): Promise<void> {
  const { task, person } = asked
  if (failure.kind !== 'not_found') {
    const postponed = await deps.unitOfWork(async (tx) => {
      const dueAt = failure.held?.until ?? retryAt(task.attempts, tx.now, failure.retryAfterMs)
      if (!dueAt) return false
      if (person) await shareAccount(tx, task.teamId, 'team')
      if ((await lockTasks(tx, [task])).size === 0) return true
      if (person) {
        const of = { teamId: task.teamId, blockList: deps.blockList, nowMs: deps.system.nowMs() }
        if ((await withoutErased(tx, of, [{ task, person }])).length === 0) return true
        if (person.profile) await saveFound(tx, { ...deps, teamId: task.teamId }, [person.profile])
      }
      await postponeTask(tx, { task, dueAt, how: failure.held ? 'held' : 'tried' })
      return true
    })
    if (postponed) return
    // The company never answered, but the person's own facts are still worth writing.
    if (person) return fillTogether(deps, task.teamId, [{ ...asked, person }])
  }
  await deps.unitOfWork(async (tx) => {
    if ((await lockAll(tx, task.teamId, [task])).size > 0) await giveUp(tx, task)
  })
}

async function waitForCompanies(deps: EnrichmentDeps, teamId: string, busy: readonly Found[]): Promise<void> {
  if (busy.length === 0) return
  const asked = busy.map(({ task }) => task)
  await deps.unitOfWork(async (tx) => {
    await shareAccount(tx, teamId, 'team')
    const ours = await lockTasks(tx, asked)
    const { blockList, system } = deps
    const claimed = busy.filter(({ task }) => ours.has(task.personUrn))
    const held = await withoutErased(tx, { teamId, blockList, nowMs: system.nowMs() }, claimed)
    const profiles = held.flatMap(({ person: { known, profile } }) => (profile ? [{ ...profile, urn: known.urn }] : []))
    await saveFound(tx, { ...deps, teamId }, profiles)
    const tasks = held.map(({ task }) => task)
    await releaseTasksUntil(tx, tasks, deps.system.nowMs() + busyMs)
  })
}

/** Records an unexpected failure under the fence: reschedules to `dueAt`, or fails the person's leads if `dueAt` is null. */
async function recordUnexpectedOfPerson(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const task = { teamId: work.teamId, personUrn: work.id, fence: work.fence }
  if (dueAt) {
    if ((await lockTasks(tx, [task])).size === 0) return 'lost'
    await postponeUnexpected(tx, task, dueAt)
    return 'put_off'
  }
  if ((await lockAll(tx, task.teamId, [task])).size === 0) return 'lost'
  await giveUp(tx, task)
  return 'ended'
}

/** One step of enrichment; `idle` when nobody waits. */
export function enrichmentStep(deps: EnrichmentDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const tasks = await deps.unitOfWork((tx) => claimWanted(tx, deps))
    if (!tasks) return 'idle'
    if (tasks.length === 0) return 'worked'
    const { teamId } = tasks[0]!
    // From here on, failures are recorded per person.
    clearClaimedRow()
    await deps.faultPoint('enrichment.leased')
    const people = tasks.map((task) => ({
      task,
      row: taskContextOf({
        rowKind: 'person',
        teamId,
        id: task.personUrn,
        fence: task.fence,
        failures: task.failures,
      }),
    }))
    const { asked, left } = await lookUpMany(deps, teamId, people)
    await releaseTasks(deps.unitOfWork, left)
    const found = asked.filter((one): one is Found => one.person !== undefined && one.error === undefined)
    const [busy, ready] = [found.filter((one) => one.busy), found.filter((one) => !one.busy)]
    await fillTogether(deps, teamId, ready)
    await waitForCompanies(deps, teamId, busy)
    for (const one of asked.filter(({ error }) => error !== undefined)) await settleFailed(deps, one)
    return 'worked'
  }
}

async function settleFailed(deps: EnrichmentDeps, one: Asked): Promise<void> {
  const { row, error } = one
  if (!(error instanceof ProviderFailure)) return row.failed(error)
  try {
    await row.run(() => giveUpOrPostpone(deps, one, error))
  } catch (unexpected) {
    await row.failed(unexpected)
  }
}

export const enrichmentWork = defineWork({
  kind: 'enrichment',
  rows: [taskRows],
  step: enrichmentStep,
  unexpected: { person: recordUnexpectedOfPerson },
})
