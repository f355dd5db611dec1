/** SQL of keyword searches: `keyword_search` is written here and nowhere else. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { SearchSettings } from './rules/settings.ts'
import type { KeywordSearchTable } from './schema.ts'

/** A keyword search: the settings that belong to the source of that id. */
export type KeywordSearch = SearchSettings & { readonly teamId: string; readonly sourceId: string }

const toSearch = (row: Selectable<KeywordSearchTable>): KeywordSearch => ({
  teamId: row.team_id,
  sourceId: row.source_id,
  name: row.name,
  terms: row.terms,
  expression: row.expression,
  sort: row.sort,
  datePosted: row.date_posted,
  contentType: row.content_type as KeywordSearch['contentType'],
  filters: row.filters,
  ai: row.ai_provider === null ? null : { provider: row.ai_provider, model: row.ai_model, prompt: row.ai_prompt! },
  creditCap: row.credit_cap,
  captureEngagers: row.capture_engagers,
  capturePostAuthors: row.capture_post_authors,
  captureMode: row.capture_mode,
  maxEngagementsPerPost: row.max_engagements_per_post,
})

const columns = (search: SearchSettings) => ({
  name: search.name,
  sort: search.sort,
  date_posted: search.datePosted,
  content_type: search.contentType,
  filters: JSON.stringify(search.filters),
  ai_provider: search.ai?.provider ?? null,
  ai_model: search.ai?.model ?? null,
  ai_prompt: search.ai?.prompt ?? null,
  credit_cap: search.creditCap,
  capture_engagers: search.captureEngagers,
  capture_post_authors: search.capturePostAuthors,
  capture_mode: search.captureMode,
  max_engagements_per_post: search.maxEngagementsPerPost,
})

/** The search of a source; undefined when the source is not a keyword search. */
export async function findSearch(db: Reader, teamId: string, sourceId: string): Promise<KeywordSearch | undefined> {
  const row = await db
    .selectFrom('keyword_search')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('source_id', '=', sourceId)
    .executeTakeFirst()
  return row && toSearch(row)
}

/** The searches of sources, by source id. */
export async function listSearches(
  db: Reader,
  teamId: string,
  sourceIds: readonly string[],
): Promise<Map<string, KeywordSearch>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('keyword_search')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('source_id', 'in', [...sourceIds])
    .execute()
  return new Map(rows.map((row) => [row.source_id, toSearch(row)]))
}

/** Stores a new search; its terms and expression never change. */
export async function insertSearch(tx: Tx, search: KeywordSearch): Promise<void> {
  await tx.db
    .insertInto('keyword_search')
    .values({
      team_id: search.teamId,
      source_id: search.sourceId,
      terms: JSON.stringify(search.terms),
      expression: search.expression,
      ...columns(search),
      saved_at: tx.now,
    })
    .execute()
}

/** Writes the settings of a search, all but its terms and expression. */
export async function saveSearch(tx: Tx, search: KeywordSearch): Promise<void> {
  await tx.db
    .updateTable('keyword_search')
    .set({ ...columns(search), saved_at: tx.now })
    .where('team_id', '=', search.teamId)
    .where('source_id', '=', search.sourceId)
    .execute()
}

/** Writes the cap of one run to searches whose sources are locked. */
export async function saveSearchCaps(
  tx: Tx,
  { teamId, ids, cap }: { readonly teamId: string; readonly ids: readonly string[]; readonly cap: number },
): Promise<void> {
  await sql`update keyword_search set credit_cap = ${cap}, saved_at = ${tx.now}
    where team_id = ${teamId} and source_id = any(${[...ids]}::uuid[])`.execute(tx.db)
}

/** How many posts the runs of a search have looked at and judged. */
export async function countSeenPosts(db: Reader, teamId: string, sourceId: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from keyword_post
    where team_id = ${teamId} and source_id = ${sourceId} and outcome is not null`.execute(db)
  return rows[0]!.count
}
