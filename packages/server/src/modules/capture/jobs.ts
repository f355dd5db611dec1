/**
 * Capture: sweeping the posts of a source. One unit is one vendor page of the run whose team was served longest ago.
 *
 *   queued --claim--> capturing: listing posts --> per post: reactions --> comments --> replies --> done
 *        each page: claim (lease, fence) -> vendor, outside any transaction -> one unit: rows, charges, cursor, counts
 *   capturing --no post left--> captured   stopped by exhausted | provider_limit | capture_empty
 *             --cap or balance reached and a further row exists--> captured   stopped by credits
 *   capturing --the vendors' accounts are held--> put off until they are free, as often as it takes: no try is counted
 *             --vendor fails, again and again--> failed   provider_error
 *             --it fails unexpectedly, five times in a row--> failed   internal_error
 *             --source untracked (by the request itself)--> untracked      --team lapsed--> failed   subscription_inactive
 *
 * What binds a run, and in which order its posts are worked on, says its policy (`runs/rules/policy.ts`), whoever it belongs to.
 * A run of a keyword search comes here when its search is over (header of `keywords/jobs.ts`), with its posts, perhaps their authors
 * first; it ends as its bounds say: exhausted | post_limit | credits | team_cap | lead_cap | budget, or error.
 *
 * A worker that dies leaves its lease to run out; the page is asked for again and what it had written stands or not as a whole.
 * Whoever was overtaken finds its fence moved and writes nothing.
 */
import type { SystemClock } from '../../platform/clock.ts'
import type { UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { defineWork, leaseOf } from '../../platform/work/index.ts'
import { ProviderFailure, describeFailure } from '../../providers/ports.ts'
import { AccountOvertaken } from '../credits/index.ts'
import { findSource, goneText, lockSource, startSourceRun, type Source } from '../sources/index.ts'
import { claimRun, findCurrentPost, lockRun, runRows, savePostponed, type Run, type RunPost } from '../runs/index.ts'
import { endRun } from './ending.ts'
import { fetchPage, type FetchDeps, type Write } from './fetch.ts'
import { lockForPage } from './lock.ts'
import { teamIsServed } from './served.ts'
import { recordUnexpectedOfRun } from './unexpected.ts'
import { endingOf, nextStep } from './rules/next-step.ts'
import { retryAt } from './rules/retry.ts'

/** What capture works with. */
export type CaptureDeps = FetchDeps & {
  readonly unitOfWork: UnitOfWork
  readonly system: SystemClock
  /** Id of this process, for leases. */
  readonly owner: string
}

type Claimed = {
  readonly run: Run
  readonly source: Source
  readonly post: RunPost | undefined
  readonly served: boolean
}

/** Takes a run, starts it when it is new, and reads where it stands. */
async function claim(deps: CaptureDeps): Promise<Claimed | undefined> {
  return deps.unitOfWork(async (tx) => {
    const picked = await claimRun(tx, 'capture', leaseOf(deps.owner, deps.system.nowMs()))
    if (!picked) return undefined
    const source = await findSource(tx.db, picked.teamId, { id: picked.sourceId })
    if (!source) throw new Error(`run ${picked.id} has no source`)
    const run = picked.state === 'queued' ? await startSourceRun(tx, picked, source) : picked
    return { run, source, post: await findCurrentPost(tx.db, run), served: await teamIsServed(tx, run.teamId) }
  })
}

async function finish(deps: CaptureDeps, claimed: Run, source: Source): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    // Nothing is charged any more: pages of other sources need not wait for it.
    const locked = await lockForPage(tx, claimed, { paysFrom: source.paysFrom, sharing: true })
    if (!locked) return
    await deps.faultPoint('capture.before-close')
    const ending = endingOf(locked.run)
    const errorText = ending.errorCode === null ? null : 'The posts declare engagement, but nobody could be read'
    await endRun(tx, locked.run, { state: 'captured', ...ending, errorText })
    await deps.faultPoint('capture.closed')
  })
}

async function failOrPostpone(deps: CaptureDeps, claimed: Run, failure: ProviderFailure): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    const source = await lockSource(tx, claimed.teamId, { id: claimed.sourceId })
    const run = await lockRun(tx, claimed)
    if (!source || !run) return
    const dueAt =
      failure.held?.until ?? (failure.kind === 'not_found' ? null : retryAt(run.attempts, tx.now, failure.retryAfterMs))
    if (dueAt) return savePostponed(tx, run, { dueAt, waitsFor: failure.held?.reason ?? null })
    const errorText = failure.kind === 'not_found' ? goneText(source) : describeFailure(failure)
    await endRun(tx, run, { state: 'failed', stoppedBy: null, errorCode: 'provider_error', errorText })
  })
}

/** Writes a page, beside pages of other sources of the team; alone when those have left too little to share. */
async function writePage({ unitOfWork }: CaptureDeps, { run, source }: Claimed, write: Write): Promise<void> {
  const unit = (sharing: boolean) =>
    unitOfWork(async (tx) => {
      const locked = await lockForPage(tx, run, { paysFrom: source.paysFrom, sharing })
      if (locked) await write(tx, locked)
    })
  try {
    await unit(true)
  } catch (error) {
    if (!(error instanceof AccountOvertaken)) throw error
    await unit(false)
  }
}

/** One unit of capture; `idle` when no run can be worked on. */
export function captureStep(deps: CaptureDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const claimed = await claim(deps)
    if (!claimed) return 'idle'
    const { run, source, post } = claimed
    await deps.faultPoint('capture.leased')
    if (!claimed.served) {
      // Ended without asking the network for a page that nobody would write (G129).
      await deps.unitOfWork((tx) => lockForPage(tx, run, source))
      return 'worked'
    }
    const step = nextStep(run, post)
    if (step.kind === 'end') {
      await finish(deps, run, source)
      return 'worked'
    }
    try {
      const write = await fetchPage(deps, claimed, step)
      await deps.faultPoint('capture.page-fetched')
      await writePage(deps, claimed, write)
      await deps.faultPoint('capture.after-commit')
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      await failOrPostpone(deps, run, error)
    }
    return 'worked'
  }
}

/** Capture, as work. */
export const captureWork = defineWork({
  kind: 'capture',
  rows: [runRows.capture],
  step: captureStep,
  unexpected: { run: recordUnexpectedOfRun },
})
