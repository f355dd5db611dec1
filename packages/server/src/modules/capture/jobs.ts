/**
 * The step of capture: claims the run that is due longest, of the team served longest ago; asks its vendor for a page, or for
 * one page of each of a few posts (`postsAtOnce`); writes the answer in one unit of work (page.ts, listing.ts).
 *
 *   queued     --claimed--> capturing
 *   capturing  --a page is written, or will be asked for again--> capturing
 *              --no page is left, or a bound, the balance or the vendor stops it--> captured
 *              --its vendor fails too often, or no longer has what it is asked for--> failed
 *   either     --its source is untracked by a request--> untracked
 *
 * `nextStep` chooses the next page, `endingOf` how a run ends that has read everything, ending.ts all other endings. Between two
 * pages a run is only its row: the next worker goes on from its cursor. A keyword run comes with its posts already found.
 */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { type WorkDeps, defineWork, isAlone, leaseOf } from '../../platform/work/index.ts'
import { ProviderFailure } from '../../providers/ports.ts'
import { readTeam } from '../accounts/index.ts'
import { AccountOvertaken, readBalance } from '../credits/index.ts'
import type { EraseRecognised } from '../network/index.ts'
import {
  claimRun,
  findSource,
  listCurrentPosts,
  runRows,
  startSourceRun,
  type Run,
  type RunPost,
  type Source,
} from '../sources/index.ts'
import { roomOf } from './bounds.ts'
import { endRun, failOrPostpone, recordUnexpectedOfRun } from './ending.ts'
import { fetchPages, type FetchDeps, type Write } from './fetch.ts'
import { lockForPage, teamIsServed } from './lock.ts'
import { endingOf, nextStep } from './rules/next-step.ts'
import { pagesFree, postsAtOnce, readsAhead } from './rules/read-ahead.ts'

type CaptureDeps = FetchDeps & WorkDeps & { readonly eraseRecognised: EraseRecognised }

/** A claimed run; `posts` are to be read now, none when it has no post left or still lists them. */
type Claimed = {
  readonly run: Run
  readonly source: Source
  readonly posts: readonly RunPost[]
  readonly served: boolean
}

function claim(deps: CaptureDeps, pages: number): Promise<Claimed | undefined> {
  return deps.unitOfWork(async (tx) => {
    const picked = await claimRun(tx, 'capture', leaseOf(deps.processId, deps.system.nowMs()))
    if (!picked) return undefined
    const source = await findSource(tx.db, picked.teamId, { id: picked.sourceId })
    if (!source) throw new Error(`run ${picked.id} has no source`)
    const run = picked.state === 'queued' ? await startSourceRun(tx, picked, source) : picked
    const posts = await listCurrentPosts(tx.db, run, readsAhead(run) ? pages : 1)
    const served = await teamIsServed(tx, run.teamId)
    return { run, source, posts: served ? await chosen(tx, { run, source, posts }) : posts, served }
  })
}

/** One post, or several while no other team waits and all that they may show fits within every bound. */
async function chosen(tx: Tx, { run, source, posts }: Omit<Claimed, 'served'>): Promise<readonly RunPost[]> {
  if (posts.length < 2) return posts
  if (source.paysFrom !== 'team' || !(await isAlone(tx.db, 'capture', run.teamId))) return posts.slice(0, 1)
  const team = await readTeam(tx.db, run.teamId)
  if (!team) return posts.slice(0, 1)
  const { balance } = await readBalance(tx.db, run.teamId, tx.now)
  return postsAtOnce(posts, await roomOf(tx.db, { run, team, account: { name: 'team', balance } }, tx.now))
}

async function finish(deps: CaptureDeps, claimed: Run, source: Source): Promise<void> {
  await deps.unitOfWork(async (tx) => {
    // Nothing more is charged, so pages of other sources need not wait for this unit.
    const locked = await lockForPage(tx, claimed, { paysFrom: source.paysFrom, sharing: true })
    if (!locked) return
    await deps.faultPoint('capture.before-close')
    const ending = endingOf(locked.run)
    const errorText = ending.errorCode === null ? null : 'The posts declare engagement, but nobody could be read'
    await endRun(tx, locked.run, { state: 'captured', ...ending, errorText })
    await deps.faultPoint('capture.closed')
  })
}

/** Writes pages while other sources of the team write theirs; locks the account when they have left too little to share. */
async function writePages({ unitOfWork }: CaptureDeps, { run, source }: Claimed, write: Write) {
  const unit = (sharing: boolean) =>
    unitOfWork(async (tx) => {
      const locked = await lockForPage(tx, run, { paysFrom: source.paysFrom, sharing })
      return locked ? write(tx, locked) : []
    })
  try {
    return await unit(true)
  } catch (error) {
    if (!(error instanceof AccountOvertaken)) throw error
    return unit(false)
  }
}

async function workOn(deps: CaptureDeps, claimed: Claimed, askFor: typeof fetchPages): Promise<void> {
  const { run, source, posts } = claimed
  await deps.faultPoint('capture.leased')
  // Ends the run without asking for a page that could not be written (G129).
  if (!claimed.served) return void (await deps.unitOfWork((tx) => lockForPage(tx, run, source)))
  const step = nextStep(run, posts[0])
  if (step.kind === 'end') return finish(deps, run, source)
  try {
    const write = await askFor(deps, claimed, [step, ...posts.slice(1).map((post) => nextStep(run, post))])
    await deps.faultPoint('capture.page-fetched')
    const recognised = await writePages(deps, claimed, write)
    await deps.faultPoint('capture.after-commit')
    // If the process dies here, the next page that shows these people does it.
    for (const person of recognised) await deps.unitOfWork((tx) => deps.eraseRecognised(tx, run.teamId, person))
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const failed = { failure: error, posts: step.kind === 'posts' ? [] : posts }
    await deps.unitOfWork((tx) => failOrPostpone(tx, run, failed))
  }
}

/** One unit of capture; `idle` when no run can be worked on. */
export function captureStep(deps: CaptureDeps): () => Promise<'worked' | 'idle'> {
  // Pages that this process is asking for now, so that an account with few concurrent calls does not have to queue them.
  let asked = 0
  const askFor: typeof fetchPages = (fetchDeps, of, steps) => {
    asked += steps.length
    return fetchPages(fetchDeps, of, steps).finally(() => (asked -= steps.length))
  }
  return async () => {
    const claimed = await claim(deps, pagesFree({ takes: deps.network.callsAtOnce(), asked }))
    if (!claimed) return 'idle'
    await workOn(deps, claimed, askFor)
    return 'worked'
  }
}

export const captureWork = defineWork({
  kind: 'capture',
  rows: [runRows.capture],
  step: captureStep,
  unexpected: { run: recordUnexpectedOfRun },
})
