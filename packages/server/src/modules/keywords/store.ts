/** SQL of keyword searches: `keyword_search` is written here and nowhere else. */
import type { aiProvider, captureMode, datePosted, searchContentType, searchSort, TargetingFilters } from '@les/contract'
import type { z } from 'zod'
import type { KeywordSearchTable } from '../../platform/db/schema.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Selectable } from 'kysely'

/** The AI filter of a search; `model` null is the provider's default. */
export type AiFilter = { readonly provider: z.output<typeof aiProvider>; readonly model: string | null; readonly prompt: string }

/** What a search looks for, and what bounds its runs; mode, posts per run, replies and raw mode stand on its source, which has the same id. */
export type SearchSettings = {
  /** A label only (KEY-03). */
  readonly name: string | null
  /** One provider call each; a quoted phrase keeps its quotes. */
  readonly terms: readonly string[]
  /** In canonical form; null for a plain list of terms. */
  readonly expression: string | null
  readonly sort: z.output<typeof searchSort>
  readonly datePosted: z.output<typeof datePosted>
  readonly contentType: z.output<typeof searchContentType> | null
  /** Bare ids; only filters that are set. */
  readonly filters: TargetingFilters
  readonly ai: AiFilter | null
  /** Credits one run may spend. */
  readonly creditCap: number
  readonly captureEngagers: boolean
  readonly capturePostAuthors: boolean
  readonly captureMode: z.output<typeof captureMode>
  /** Breadth only; null = no limit. */
  readonly maxEngagementsPerPost: number | null
}

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
  const row = await db.selectFrom('keyword_search').selectAll().where('team_id', '=', teamId).where('source_id', '=', sourceId).executeTakeFirst()
  return row && toSearch(row)
}

/** The searches of sources, by source id. */
export async function listSearches(db: Reader, teamId: string, sourceIds: readonly string[]): Promise<Map<string, KeywordSearch>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await db.selectFrom('keyword_search').selectAll().where('team_id', '=', teamId).where('source_id', 'in', [...sourceIds]).execute()
  return new Map(rows.map((row) => [row.source_id, toSearch(row)]))
}

/** Stores a new search; its terms and expression never change. */
export async function insertSearch(tx: Tx, search: KeywordSearch): Promise<void> {
  await tx.db
    .insertInto('keyword_search')
    .values({ team_id: search.teamId, source_id: search.sourceId, terms: JSON.stringify(search.terms), expression: search.expression, ...columns(search), saved_at: tx.now })
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
