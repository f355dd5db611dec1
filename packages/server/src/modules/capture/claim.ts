/** Taking a run, and the posts whose pages come next. */
import type { SystemClock } from '../../platform/clock.ts'
import type { Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { isAlone, leaseOf } from '../../platform/work/index.ts'
import { readTeam, teamIsServed, type Team } from '../accounts/index.ts'
import { readBalance } from '../credits/index.ts'
import {
  claimRun,
  listCurrentPosts,
  type Run,
  type RunPost,
  findSource,
  startSourceRun,
  type Source,
} from '../sources/index.ts'
import { roomOf } from './bounds.ts'
import { postsAtOnce, readsAhead } from './rules/read-ahead.ts'

/** What claims are made with; `owner` is the id of this process. */
export type ClaimDeps = { readonly unitOfWork: UnitOfWork; readonly system: SystemClock; readonly owner: string }

/** A run that was taken; `posts` are those to be asked for now, none when it has no post left or lists them still. */
export type Claimed = {
  readonly run: Run
  readonly source: Source
  readonly posts: readonly RunPost[]
  readonly served: boolean
}

/** Takes a run, starts it when it is new, and reads where it stands; `pages` are those that may be asked for at once. */
export function claim(deps: ClaimDeps, pages: number): Promise<Claimed | undefined> {
  return deps.unitOfWork(async (tx) => {
    const picked = await claimRun(tx, 'capture', leaseOf(deps.owner, deps.system.nowMs()))
    if (!picked) return undefined
    const source = await findSource(tx.db, picked.teamId, { id: picked.sourceId })
    if (!source) throw new Error(`run ${picked.id} has no source`)
    const run = picked.state === 'queued' ? await startSourceRun(tx, picked, source) : picked
    const team = await readTeam(tx.db, run.teamId)
    const posts = await listCurrentPosts(tx.db, run, readsAhead(run) ? pages : 1)
    const served = team !== null && teamIsServed(team, tx.now)
    return { run, source, posts: served ? await chosen(tx, { run, source, team, posts }) : posts, served }
  })
}

/** One post, or several while no other team waits for a turn and all that they may show is within every bound. */
async function chosen(
  tx: Tx,
  {
    run,
    source,
    team,
    posts,
  }: { readonly run: Run; readonly source: Source; readonly team: Team; readonly posts: readonly RunPost[] },
): Promise<readonly RunPost[]> {
  if (posts.length < 2) return posts
  if (source.paysFrom !== 'team' || !(await isAlone(tx.db, 'capture', run.teamId))) return posts.slice(0, 1)
  const { balance } = await readBalance(tx.db, run.teamId, tx.now)
  return postsAtOnce(posts, await roomOf(tx.db, { run, team, account: { name: 'team', balance } }, tx.now))
}
