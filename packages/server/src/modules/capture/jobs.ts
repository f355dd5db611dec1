/**
 * Capture: sweeping the posts of a source. One unit is one vendor page of the run whose team was served longest ago, or a page of each
 * of a few posts while no other team waits and no bound is near (`rules/together.ts`).
 *
 *   queued --claim--> capturing: listing posts --> per post: reactions --> comments --> replies --> done
 *        each page: claim (lease, fence) -> vendor, outside any transaction -> one unit: rows, charges, cursor, counts
 *   capturing --no post left--> captured   stopped by exhausted | provider_limit | capture_empty
 *             --cap or balance reached and a further row exists--> captured   stopped by credits
 *   capturing --the vendors' accounts are held--> put off until they are free, as often as it takes: no try is counted
 *             --vendor fails, again and again--> failed   provider_error; what it fails of one post alone is left out: provider_limit
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
import { defineWork } from '../../platform/work/index.ts'
import { ProviderFailure } from '../../providers/ports.ts'
import { AccountOvertaken } from '../credits/index.ts'
import { runRows, type Run } from '../runs/index.ts'
import type { Source } from '../sources/index.ts'
import { claim, type ClaimDeps, type Claimed } from './claim.ts'
import { endRun } from './ending.ts'
import { failOrPostpone } from './failure.ts'
import { writeBeside } from './beside.ts'
import { fetchPages, type Fetched, type FetchDeps, type Write } from './fetch.ts'
import { lockForPage } from './lock.ts'
import { writeEngagement } from './page.ts'
import { recordUnexpectedOfRun } from './unexpected.ts'
import { endingOf, nextStep } from './rules/next-step.ts'
import { inUnits, pagesFree } from './rules/together.ts'

/** What capture works with. */
export type CaptureDeps = FetchDeps & ClaimDeps

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

/** Writes what was asked for: several pages in units beside each other, or whatever it is in one. */
async function writeFetched(deps: CaptureDeps, claimed: Claimed, { write, pages }: Fetched): Promise<void> {
  const units = inUnits(pages)
  if (units.length === 1) return writePage(deps, claimed, write)
  const left = await writeBeside(deps, claimed, units)
  const { faultPoint } = deps
  if (left.length > 0)
    await writePage(deps, claimed, async (tx, locked) => void (await writeEngagement(tx, { locked, faultPoint }, left)))
}

/** What this process asks the network for now, and how many runs it works on. */
type InHand = { asked: number; runs: number }

/** Works on a run that was taken: a page of it, or of each of a few posts, or its end. */
async function workOn(deps: CaptureDeps, claimed: Claimed, inHand: InHand): Promise<void> {
  const { run, source, posts } = claimed
  await deps.faultPoint('capture.leased')
  // Ended without asking the network for a page that nobody would write (G129).
  if (!claimed.served) return void (await deps.unitOfWork((tx) => lockForPage(tx, run, source)))
  const step = nextStep(run, posts[0])
  if (step.kind === 'end') return finish(deps, run, source)
  try {
    inHand.asked += posts.length
    const fetched = await fetchPages(deps, claimed, [
      step,
      ...posts.slice(1).map((post) => nextStep(run, post)),
    ]).finally(() => (inHand.asked -= posts.length))
    await deps.faultPoint('capture.page-fetched')
    await writeFetched(deps, claimed, fetched)
    await deps.faultPoint('capture.after-commit')
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const failed = { failure: error, posts: step.kind === 'posts' ? [] : posts }
    await deps.unitOfWork((tx) => failOrPostpone(tx, run, failed))
  }
}

/** One unit of capture; `idle` when no run can be worked on. */
export function captureStep(deps: CaptureDeps): () => Promise<'worked' | 'idle'> {
  // An account that takes few calls at once is not made to queue them.
  const inHand: InHand = { asked: 0, runs: 0 }
  return async () => {
    const pages = pagesFree({ takes: deps.network.callsAtOnce(), asked: inHand.asked, others: inHand.runs })
    const claimed = await claim(deps, pages)
    if (!claimed) return 'idle'
    inHand.runs += 1
    await workOn(deps, claimed, inHand).finally(() => (inHand.runs -= 1))
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
