import { sql } from 'kysely'
import { likeText } from '../../platform/db/like-text.ts'
import { countAffected } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { withoutPerson, type ErasedPerson } from '../accounts/index.ts'

/** A search that targets a person. `filters`: without the person; `isAlone`: removing them would empty a filter. */
type SearchAbout = {
  readonly sourceId: string
  readonly filters: Readonly<Record<string, unknown>>
  readonly isAlone: boolean
}

/** The searches whose targeting names one of the person's member ids. The words in it (`authorKeyword`) stay. */
export async function listSearchesAbout(db: Reader, teamId: string, { urns }: ErasedPerson): Promise<SearchAbout[]> {
  const { rows } = await sql<{ sourceId: string; filters: Record<string, unknown> }>`
    select source_id as "sourceId", filters from keyword_search
    where team_id = ${teamId} and filters::text like any(${urns.map(likeText)}::text[])
    order by source_id`.execute(db)
  return rows.map(({ sourceId, filters }) => {
    const left = Object.entries(withoutPerson(filters, { urns, handles: [], names: [] }) as object)
    return {
      sourceId,
      filters: Object.fromEntries(left.filter(([, ids]) => !Array.isArray(ids) || ids.length > 0)),
      isAlone: left.some(([, ids]) => Array.isArray(ids) && ids.length === 0),
    }
  })
}

/**
 * Erases a person from the targeting of searches, whose sources are locked, and an AI filter's reasons about their posts. A
 * search with an emptied filter would find everybody's posts, so the caller has untracked it.
 */
export async function erasePersonFromSearches(
  tx: Tx,
  teamId: string,
  { searches, postUrns }: { searches: readonly SearchAbout[]; postUrns: readonly string[] },
): Promise<number> {
  for (const { sourceId, filters } of searches)
    await sql`update keyword_search set filters = ${JSON.stringify(filters)}::jsonb
      where team_id = ${teamId} and source_id = ${sourceId}`.execute(tx.db)
  return countAffected(tx.db)`update keyword_post set reason = null
    where team_id = ${teamId} and post_urn = any(${[...postUrns]}::text[]) and reason is not null`
}
