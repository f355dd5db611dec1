/**
 * Enrichment of captured people: one unit of work is several people of one team, looked up side by side and written together.
 *
 *   wanted --claim--> leased --profile, company--> filled: leads `completed`, offered to delivery, task gone
 *                       |-- nobody waits any more (untracked) --> task gone, nothing asked
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
import { isOfTheWork, inHandOf, putDown, type Recorded, type Work } from '../../platform/work-in-hand.ts'
import { ProviderFailure } from '../../providers/ports.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { defineWork, leaseOf } from '../../platform/work/index.ts'
import {
  saveProfiles,
  claimTasks,
  deleteTasks,
  giveBackTasks,
  lockTasks,
  postponeTask,
  postponeUnexpected,
  taskRows,
  yieldTasks,
  type ClaimedTask,
} from '../network/index.ts'
import { listWanted } from '../leads/index.ts'
import { fill, giveUp, lockAll } from './fill.ts'
import type { EnrichmentDeps, LookedUpPerson } from './lookup.ts'
import { lookUpMany, type Asked, type InHand } from './lookup-many.ts'
import { retryAt } from './rules/retry.ts'

/** People taken in one turn of a team. */
const atOnce = 50
const busyMs = 500

/**
 * Takes people that leads wait for; those that none waits for any more are dropped: a look-up costs money. Undefined
 * when nobody is due.
 */
async function claimWanted(tx: Tx, deps: EnrichmentDeps): Promise<readonly ClaimedTask[] | undefined> {
  const tasks = await claimTasks(tx, leaseOf(deps.owner, deps.system.nowMs()), deps.atMost ?? atOnce)
  if (tasks.length === 0) return undefined
  const { teamId } = tasks[0]!
  const wanted = await listWanted(
    tx.db,
    teamId,
    tasks.map((task) => task.personUrn),
  )
  await deleteTasks(
    tx,
    teamId,
    tasks.filter((task) => !wanted.has(task.personUrn)),
  )
  return tasks.filter((task) => wanted.has(task.personUrn))
}

/** Writes what was found out about people; when that fails unexpectedly, about each alone. */
async function fillTogether(deps: EnrichmentDeps, teamId: string, ready: readonly Found[]): Promise<void> {
  if (ready.length === 0) return
  try {
    const one = ready.length === 1 ? ready[0] : undefined
    const write = () => deps.unitOfWork((tx) => fill(tx, { faultPoint: deps.faultPoint, teamId, found: ready }))
    await (one ? one.row.run(write) : write())
    for (const { row } of ready) await row.done()
  } catch (error) {
    if (!isOfTheWork(error)) throw error
    if (ready.length === 1) return ready[0]!.row.failed(error)
    for (const each of ready) await fillTogether(deps, teamId, [each])
  }
}

type Found = InHand & { readonly person: LookedUpPerson }

async function giveUpOrPostpone(deps: EnrichmentDeps, asked: InHand & Asked, failure: ProviderFailure): Promise<void> {
  const { task, person } = asked
  if (failure.kind !== 'not_found') {
    const postponed = await deps.unitOfWork(async (tx) => {
      const dueAt = failure.held?.until ?? retryAt(task.attempts, tx.now, failure.retryAfterMs)
      if (!dueAt) return false
      if ((await lockTasks(tx, [task])).size === 0) return true
      if (person?.profile) await saveProfiles(tx, task.teamId, [person.profile])
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

/** Gives people whose company another process is looking up back for a moment; their profiles are kept. */
async function waitForCompanies(deps: EnrichmentDeps, teamId: string, busy: readonly Found[]): Promise<void> {
  if (busy.length === 0) return
  await deps.unitOfWork(async (tx) => {
    const ours = await lockTasks(
      tx,
      busy.map(({ task }) => task),
    )
    const held = busy.filter(({ task }) => ours.has(task.personUrn))
    await saveProfiles(
      tx,
      teamId,
      held.flatMap(({ person: { known, profile } }) => (profile ? [{ ...profile, urn: known.urn }] : [])),
    )
    await yieldTasks(tx, { teamId, tasks: held.map(({ task }) => task), untilMs: deps.system.nowMs() + busyMs })
  })
}

/** Records an unexpected failure under the fence: the person is put off until `dueAt`, or their leads are `failed`. */
export async function recordUnexpectedOfPerson(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
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
    // From here on each person is in hand alone.
    putDown()
    await deps.faultPoint('enrichment.leased')
    const people = tasks.map((task) => ({
      task,
      row: inHandOf({ sort: 'person', teamId, id: task.personUrn, fence: task.fence, failures: task.failures }),
    }))
    const { asked, left } = await lookUpMany(deps, { teamId, people })
    await giveBackTasks(deps.unitOfWork, left)
    const found = asked.filter((one): one is Found & Asked => one.person !== undefined && one.error === undefined)
    await fillTogether(
      deps,
      teamId,
      found.filter((one) => !one.busy),
    )
    await waitForCompanies(
      deps,
      teamId,
      found.filter((one) => one.busy),
    )
    for (const one of asked.filter(({ error }) => error !== undefined)) await settleFailed(deps, one)
    return 'worked'
  }
}

/** What becomes of somebody whose look-up failed. */
async function settleFailed(deps: EnrichmentDeps, one: InHand & Asked): Promise<void> {
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
