/**
 * People and posts that nothing names any more. Candidates are locked by a first statement; what names them is asked by
 * later ones, which see every unit of work that had them locked before.
 */
import { listWatchedPosts } from '../../modules/capture/index.ts'
import { deletePeople, deletePosts, lockOldPeople, lockOldPosts } from '../../modules/network/index.ts'
import { listKeptPosts } from '../../modules/keywords/index.ts'
import { listPeopleWithLeads, listPostsWithLeads } from '../../modules/leads/index.ts'
import { listSentPeople } from '../../modules/outreach/index.ts'
import { listTrackedUrns } from '../../modules/sources/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Purged, PurgeAsked, PurgeTeam } from '../../platform/retention.ts'

type Naming = (db: Reader, teamId: string, urns: readonly string[]) => Promise<ReadonlySet<string>>

const purgeUnnamed =
  (parts: {
    readonly lock: (tx: Tx, asked: PurgeAsked) => Promise<{ urns: readonly string[]; next: string | null }>
    readonly named: readonly Naming[]
    readonly remove: (tx: Tx, teamId: string, urns: readonly string[]) => Promise<void>
  }): PurgeTeam =>
  async (tx, asked): Promise<Purged> => {
    const { urns, next } = await parts.lock(tx, asked)
    let left = urns
    for (const listNamed of parts.named) {
      if (left.length === 0) break
      const named = await listNamed(tx.db, asked.teamId, left)
      left = left.filter((urn) => !named.has(urn))
    }
    await parts.remove(tx, asked.teamId, left)
    return { removed: left.length, more: next !== null, ...(next === null ? {} : { place: next }) }
  }

/** Deletes people not looked up since whom no lead, no source and no campaign names. */
export const purgePeople: PurgeTeam = purgeUnnamed({
  lock: lockOldPeople,
  named: [listPeopleWithLeads, listTrackedUrns, listSentPeople],
  remove: deletePeople,
})

/** Deletes posts first seen before that no lead and no source names, no watch lists and no search has kept. */
export const purgePosts: PurgeTeam = purgeUnnamed({
  lock: lockOldPosts,
  named: [listWatchedPosts, listKeptPosts, listTrackedUrns, listPostsWithLeads],
  remove: deletePosts,
})
