/**
 * Enrichment of captured people: one unit of work is one person of one team.
 *
 *   wanted --claim--> leased --profile, company--> filled: leads `completed`, offered to delivery, task gone
 *                       |-- nobody waits any more (untracked) --> task gone, nothing asked
 *                       |-- the network has no such person --> leads `failed`, task gone
 *                       |-- the network does not answer --> wanted again at a later due date; after the last try leads `failed`
 *                       |-- it fails unexpectedly --> wanted again after 1, 5, 30 min and 2 h; after the fifth time leads `failed`
 *                       `-- worker dies --> lease runs out, wanted again
 *
 * A person is looked up once a month per team, a company once in six months for all. Nothing here is charged: capture was.
 */
import { ProviderFailure } from '../../providers/ports.ts'
import { findCompany, saveProfile } from '../directory/index.ts'
import { failLeads, fillLeads, listFillable } from '../leads/index.ts'
import { lockSources } from '../sources/index.ts'
import { offerLeads } from '../delivery/index.ts'
import { offerToOutreach } from '../outreach/index.ts'
import { scoreLeads } from '../fit/index.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Recorded, Work } from '../../platform/work-in-hand.ts'
import { countMoved } from './apply.ts'
import { companyResolver, lookUpPerson, type EnrichmentDeps, type LookedUpPerson } from './lookup.ts'
import { factsOf } from './rules/facts.ts'
import { retryAt } from './rules/retry.ts'
import {
  claimTask,
  deleteTask,
  listWaitingSources,
  lockTask,
  postponeTask,
  postponeUnexpected,
  yieldTask,
  type ClaimedTask,
  type TaskName,
} from './store.ts'

const busyMs = 500

/** Takes a person that leads wait for; one that none waits for any more is dropped: a look-up costs money. */
async function claimWanted(
  tx: Tx,
  lease: Parameters<typeof claimTask>[1],
): Promise<ClaimedTask | 'unwanted' | undefined> {
  const task = await claimTask(tx, lease)
  if (!task || (await listFillable(tx.db, task.teamId, task.personUrn, 'waiting')).length > 0) return task
  await deleteTask(tx, task)
  return 'unwanted'
}

/** Locks what a person's leads depend on, in lock order (account, sources, task); false when somebody else has taken the person over. */
async function lockAll(tx: Tx, task: TaskName & { readonly fence: number }): Promise<boolean> {
  await lockSources(tx, task.teamId, await listWaitingSources(tx.db, task.teamId, task.personUrn))
  return lockTask(tx, task)
}

async function fill(deps: EnrichmentDeps, task: ClaimedTask, person: LookedUpPerson): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    if (!(await lockAll(tx, task))) return
    if (person.profile) await saveProfile(tx, task.teamId, person.profile)
    const company = person.known.companyUrn === null ? undefined : await findCompany(tx.db, person.known.companyUrn)
    const waiting = await listFillable(tx.db, task.teamId, task.personUrn, 'waiting')
    const moved = await fillLeads(
      tx,
      task.teamId,
      waiting.map((lead) => lead.id),
      factsOf(person.known, company),
    )
    await countMoved(tx, task.teamId, moved, 'completed')
    await deps.faultPoint('enrichment.written')
    await scoreLeads(tx, task.teamId, { ids: moved.map((lead) => lead.id) })
    await offerLeads(
      tx,
      task.teamId,
      moved.map((lead) => lead.id),
    )
    await offerToOutreach(
      tx,
      task.teamId,
      moved.map((lead) => lead.id),
    )
    await deleteTask(tx, task)
    await deps.faultPoint('enrichment.before-commit')
  })
}

async function giveUpOrPostpone(
  deps: EnrichmentDeps,
  task: ClaimedTask,
  failure: ProviderFailure,
  person: LookedUpPerson | undefined,
): Promise<void> {
  if (failure.kind !== 'not_found') {
    const postponed = await deps.unitOfWork(async (tx) => {
      const dueAt = retryAt(task.attempts, tx.now, failure.retryAfterMs)
      if (!dueAt) return false
      if (!(await lockTask(tx, task))) return true
      if (person?.profile) await saveProfile(tx, task.teamId, person.profile)
      await postponeTask(tx, task, dueAt)
      return true
    })
    if (postponed) return
    // The company never answered, but the person did: that is worth more than nothing.
    if (person) return fill(deps, task, person)
  }
  await deps.unitOfWork(async (tx) => {
    if (await lockAll(tx, task)) await giveUp(tx, task)
  })
}

async function giveUp(tx: Tx, task: TaskName): Promise<void> {
  const failed = await failLeads(tx, task.teamId, task.personUrn)
  await countMoved(tx, task.teamId, failed, 'failed')
  // Nothing more will be found out: judged by what is known, and a push that waits for it goes.
  await scoreLeads(tx, task.teamId, { ids: failed.map((lead) => lead.id) })
  await offerLeads(
    tx,
    task.teamId,
    failed.map((lead) => lead.id),
  )
  await deleteTask(tx, task)
}

/** Records an unexpected failure under the fence: the person is put off until `dueAt`, or their leads are `failed`. */
export async function recordUnexpectedOfPerson(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const task = { teamId: work.teamId, personUrn: work.id, fence: work.fence }
  if (dueAt) {
    if (!(await lockTask(tx, task))) return 'lost'
    await postponeUnexpected(tx, task, dueAt)
    return 'put_off'
  }
  if (!(await lockAll(tx, task))) return 'lost'
  await giveUp(tx, task)
  return 'ended'
}

/** One unit of enrichment; `idle` when nobody waits. */
export function enrichmentStep(deps: EnrichmentDeps): () => Promise<'worked' | 'idle'> {
  const resolve = companyResolver(deps)
  return async () => {
    const task = await deps.unitOfWork((tx) => claimWanted(tx, { owner: deps.owner, systemNowMs: deps.system.nowMs() }))
    if (!task) return 'idle'
    if (task === 'unwanted') return 'worked'
    await deps.faultPoint('enrichment.leased')
    let person: LookedUpPerson | undefined
    try {
      person = await lookUpPerson(deps, task.teamId, { urn: task.personUrn })
      await deps.faultPoint('enrichment.profile-fetched')
      if (person.known.companyUrn !== null && (await resolve(person.known.companyUrn)) === 'busy') {
        const { known, profile } = person
        await deps.unitOfWork(async (tx) => {
          if (profile && (await lockTask(tx, task))) await saveProfile(tx, task.teamId, { ...profile, urn: known.urn })
          await yieldTask(tx, task, deps.system.nowMs() + busyMs)
        })
        return 'worked'
      }
      await fill(deps, task, person)
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      await giveUpOrPostpone(deps, task, error, person)
    }
    return 'worked'
  }
}
