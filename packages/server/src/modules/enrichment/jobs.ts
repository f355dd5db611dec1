/**
 * Enrichment of captured people: one unit of work is several people of one team, looked up at the same time and written together.
 *
 *   wanted --claim--> leased --profile, company--> filled: leads `completed`, offered to delivery, task gone
 *                       |-- no lead waits any more (untracked) --> task gone, nothing asked
 *                       |-- the network has no such person --> leads `failed`, task gone
 *                       |-- the vendors' accounts are held --> wanted again when they are free, which does not count as a try
 *                       |-- the network does not answer --> wanted again at a later due date; after the last try leads `failed`
 *                       |-- it fails unexpectedly --> wanted again after 1, 5, 30 min and 2 h; after the fifth time leads `failed`
 *                       |-- not begun when the turn is over --> wanted again at once, behind other teams
 *                       `-- worker dies --> lease runs out, wanted again
 *
 * A person is looked up once a month per team, a company once in six months for all. Nothing here is charged: capture was. What
 * fails for one person of several is undone for all of them, done again one by one, and recorded on that person alone.
 */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { taskContextOf, isOfTheWork, putDown, type Recorded, type Work } from '../../platform/task-context.ts'
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
  yieldTasks,
  type ClaimedTask,
} from '../network/index.ts'
import { fill, giveUp, lockAll, saveFound, withoutErased } from './fill.ts'
import { lookUpMany, type Asked, type EnrichmentDeps, type LookedUpPerson } from './lookup.ts'
import { retryAt } from './rules/retry.ts'

/** People taken in one turn of a team. */
const maxPeople = 50
const busyMs = 500

/**
 * Takes people that leads wait for; those that none waits for any more are dropped: a look-up costs money. Undefined
 * when nobody is due.
 */
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

/** Writes what was found out about people; when that fails unexpectedly, about each alone. */
async function fillTogether(deps: EnrichmentDeps, teamId: string, ready: readonly Found[]): Promise<void> {
  if (ready.length === 0) return
  try {
    const one = ready.length === 1 ? ready[0] : undefined
    const { faultPoint, blockList, holdResults } = deps
    const of = { faultPoint, blockList, holdResults, nowMs: deps.system.nowMs(), teamId, found: ready }
    const write = () => deps.unitOfWork((tx) => fill(tx, of))
    await (one ? one.row.run(write) : write())
    for (const { row } of ready) await row.done()
  } catch (error) {
    if (!isOfTheWork(error)) throw error
    if (ready.length === 1) return ready[0]!.row.failed(error)
    for (const each of ready) await fillTogether(deps, teamId, [each])
  }
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
    // The company never answered, but the person did: that is worth more than nothing.
    if (person) return fillTogether(deps, task.teamId, [{ ...asked, person }])
  }
  await deps.unitOfWork(async (tx) => {
    if ((await lockAll(tx, task.teamId, [task])).size > 0) await giveUp(tx, task)
  })
}

/** Releases people whose company another process is looking up for a moment; their profiles are kept. */
async function waitForCompanies(deps: EnrichmentDeps, teamId: string, busy: readonly Found[]): Promise<void> {
  if (busy.length === 0) return
  const asked = busy.map(({ task }) => task)
  await deps.unitOfWork(async (tx) => {
    await shareAccount(tx, teamId, 'team')
    const ours = await lockTasks(tx, asked)
    const { blockList, system } = deps
    const held = await withoutErased(
      tx,
      { teamId, blockList, nowMs: system.nowMs() },
      busy.filter(({ task }) => ours.has(task.personUrn)),
    )
    const profiles = held.flatMap(({ person: { known, profile } }) => (profile ? [{ ...profile, urn: known.urn }] : []))
    await saveFound(tx, { ...deps, teamId }, profiles)
    const tasks = held.map(({ task }) => task)
    await yieldTasks(tx, tasks, deps.system.nowMs() + busyMs)
  })
}

/** Records an unexpected failure under the fence: the person is rescheduled to `dueAt`, or their leads are `failed`. */
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

/** One unit of enrichment; `idle` when nobody waits. */
export function enrichmentStep(deps: EnrichmentDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const tasks = await deps.unitOfWork((tx) => claimWanted(tx, deps))
    if (!tasks) return 'idle'
    if (tasks.length === 0) return 'worked'
    const { teamId } = tasks[0]!
    // From here on each person's failures are recorded alone.
    putDown()
    await deps.faultPoint('enrichment.leased')
    const people = tasks.map((task) => ({
      task,
      row: taskContextOf({
        taskName: 'person',
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

/** What becomes of a person whose look-up failed. */
async function settleFailed(deps: EnrichmentDeps, one: Asked): Promise<void> {
  const { row, error } = one
  if (!(error instanceof ProviderFailure)) return row.failed(error)
  try {
    await row.run(() => giveUpOrPostpone(deps, one, error))
  } catch (unexpected) {
    await row.failed(unexpected)
  }
}

/** Enrichment of captured people, as work. */
export const enrichmentWork = defineWork({
  kind: 'enrichment',
  rows: [taskRows],
  step: enrichmentStep,
  unexpected: { person: recordUnexpectedOfPerson },
})
