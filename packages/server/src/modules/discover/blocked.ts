import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import { idOfHash, insertFreeLines, listCountedOutsideRuns } from '../credits/index.ts'
import type { BlockList } from '../network/index.ts'
import { countedPost } from './rules/run.ts'
import type { DiscoverRun } from './store.ts'

/**
 * Counts, once per run, blocked authors (people the team had erased) of posts that would have counted (PRV-06); `shown` are those
 * of `posts` that may be stored.
 */
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
  // Hashed with a key, and with the run's id, so that hashes of two runs cannot be compared.
  for (const urn of urns) ids.push(idOfHash(await blockList.hashOf(tx.db, teamId, { urn: `${id}:${urn}` })))
  const counted = await listCountedOutsideRuns(tx.db, { teamId, since: createdAt, ids })
  await insertFreeLines(
    tx,
    { teamId, sourceId: null, syncId: null },
    ids.filter((each) => !counted.has(each)).map((each) => ({ reason: 'blocked', id: each })),
  )
}
