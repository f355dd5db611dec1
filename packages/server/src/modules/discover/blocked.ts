/** People whom a search met and left out, since the team has had them erased: each is free once a run (PRV-06). */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import { idOfHash, insertFreeLines, listCountedOutsideRuns } from '../credits/index.ts'
import type { BlockList } from '../network/index.ts'
import { countedPost } from './rules/run.ts'
import type { DiscoverRun } from './store.ts'

/** Counts the authors of posts that would have counted, and who are blocked; `shown` are the same posts as they may be kept. */
export async function countBlocked(
  tx: Tx,
  run: DiscoverRun,
  { blockList, posts, shown }: { blockList: BlockList; posts: readonly Post[]; shown: readonly Post[] },
): Promise<void> {
  const { teamId, id, createdAt } = run
  const kept = new Set(shown.flatMap((post) => (post.author.kind === 'erased' ? [] : [post.urn])))
  const urns = new Set(
    posts.flatMap((post) => (kept.has(post.urn) ? [] : (countedPost(post, tx.now)?.author.person.urn ?? []))),
  )
  const ids: string[] = []
  // By a keyed hash, of this run alone.
  for (const urn of urns) ids.push(idOfHash(await blockList.hashOf(tx.db, teamId, { urn: `${id}:${urn}` })))
  const counted = await listCountedOutsideRuns(tx.db, { teamId, since: createdAt, ids })
  await insertFreeLines(
    tx,
    { teamId, sourceId: null, syncId: null },
    ids.filter((each) => !counted.has(each)).map((each) => ({ reason: 'blocked', id: each })),
  )
}
