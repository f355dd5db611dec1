/** SQL of `keyword_search` and `keyword_post`, which only this module writes. A search has the id of its source. */
import { sql } from 'kysely'
import { queryAll, queryColumn, queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { batchOf, type PurgeTeam } from '../../platform/retention.ts'
import { postFactColumns, type PostFacts } from '../network/index.ts'
import type { PostVerdict } from './rules/judge-post.ts'
import type { SearchSettings } from './rules/settings.ts'

export type KeywordSearch = SearchSettings & { readonly teamId: string; readonly sourceId: string }

/** Searches by source id; sources of other kinds have none. */
export async function listSearches(
  db: Reader,
  teamId: string,
  sourceIds: readonly string[],
): Promise<Map<string, KeywordSearch>> {
  if (sourceIds.length === 0) return new Map()
  const { rows } = await sql<KeywordSearch>`
    select team_id as "teamId", source_id as "sourceId", name, terms, expression, sort, date_posted as "datePosted",
      content_type as "contentType", filters, credit_cap as "creditCap", capture_engagers as "captureEngagers",
      capture_post_authors as "capturePostAuthors", capture_mode as "captureMode",
      max_engagements_per_post as "maxEngagementsPerPost",
      case when ai_provider is not null
        then jsonb_build_object('provider', ai_provider, 'model', ai_model, 'prompt', ai_prompt) end as ai
    from keyword_search where team_id = ${teamId} and source_id = any(${[...sourceIds]}::uuid[])`.execute(db)
  return new Map(rows.map((search) => [search.sourceId, search]))
}

/** The search of a source; undefined for other kinds. */
export const findSearch = async (db: Reader, teamId: string, sourceId: string): Promise<KeywordSearch | undefined> =>
  (await listSearches(db, teamId, [sourceId])).get(sourceId)

/** Inserts or updates a search; the terms and expression of an existing one never change. */
export async function saveSearch(tx: Tx, search: KeywordSearch): Promise<void> {
  const { ai } = search
  await sql`
    insert into keyword_search (team_id, source_id, terms, expression, name, sort, date_posted, content_type, filters,
      ai_provider, ai_model, ai_prompt, credit_cap, capture_engagers, capture_post_authors, capture_mode,
      max_engagements_per_post, saved_at)
    values (${search.teamId}, ${search.sourceId}, ${JSON.stringify(search.terms)}, ${search.expression},
      ${search.name}, ${search.sort}, ${search.datePosted}, ${search.contentType}, ${JSON.stringify(search.filters)},
      ${ai?.provider ?? null}, ${ai?.model ?? null}, ${ai?.prompt ?? null}, ${search.creditCap},
      ${search.captureEngagers}, ${search.capturePostAuthors}, ${search.captureMode},
      ${search.maxEngagementsPerPost}, ${tx.now})
    on conflict (team_id, source_id) do update set name = excluded.name, sort = excluded.sort,
      date_posted = excluded.date_posted, content_type = excluded.content_type, filters = excluded.filters,
      ai_provider = excluded.ai_provider, ai_model = excluded.ai_model, ai_prompt = excluded.ai_prompt,
      credit_cap = excluded.credit_cap, capture_engagers = excluded.capture_engagers,
      capture_post_authors = excluded.capture_post_authors, capture_mode = excluded.capture_mode,
      max_engagements_per_post = excluded.max_engagements_per_post, saved_at = excluded.saved_at`.execute(tx.db)
}

/** Writes the cap of one run to searches whose sources are locked. */
export async function saveSearchCaps(
  tx: Tx,
  { teamId, ids, cap }: { teamId: string; ids: readonly string[]; cap: number },
): Promise<void> {
  await sql`update keyword_search set credit_cap = ${cap}, saved_at = ${tx.now}
    where team_id = ${teamId} and source_id = any(${[...ids]}::uuid[])`.execute(tx.db)
}

type OfRun = { readonly teamId: string; readonly sourceId: string; readonly id: string }

/** What this run and earlier ones know of posts, by URN. */
export async function listSeen(
  db: Reader,
  run: OfRun,
  urns: readonly string[],
): Promise<Map<string, PostVerdict & { readonly syncId: string }>> {
  if (urns.length === 0) return new Map()
  const { rows } = await sql<PostVerdict & { urn: string; syncId: string }>`
    select k.post_urn as urn, k.sync_id as "syncId", k.outcome, k.reason, encode(k.filter, 'hex') as filter
    from unnest(${urns}::text[]) as asked(urn)
    cross join lateral (select * from keyword_post
      where team_id = ${run.teamId} and source_id = ${run.sourceId} and post_urn = asked.urn limit 1) k`.execute(db)
  return new Map(rows.map(({ urn, ...seen }) => [urn, seen]))
}

/** Writes verdicts; a post that waits for the AI keeps its earlier decision meanwhile, an unchanged decision keeps its time. */
export async function saveJudgedPosts(
  tx: Tx,
  run: OfRun,
  posts: readonly (PostVerdict & { readonly urn: string; readonly position: number })[],
): Promise<void> {
  if (posts.length === 0) return
  const rows = [...posts].sort((a, b) => (a.urn < b.urn ? -1 : 1))
  await sql`
    insert into keyword_post (team_id, source_id, post_urn, sync_id, position, awaits_ai, outcome, reason, filter,
        decided_at)
    select ${run.teamId}, ${run.sourceId}, r.urn, ${run.id}, r.position, r.outcome is null, r.outcome, r.reason,
      decode(r.filter, 'hex'), case when r.outcome is not null then ${tx.now}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(urn text, position integer, outcome text, reason text,
        filter text)
    on conflict (team_id, source_id, post_urn)
    do update set sync_id = excluded.sync_id, position = excluded.position, awaits_ai = excluded.awaits_ai,
      outcome = coalesce(excluded.outcome, keyword_post.outcome),
      reason = case when excluded.outcome is null then keyword_post.reason else excluded.reason end,
      filter = case when excluded.outcome is null then keyword_post.filter else excluded.filter end,
      decided_at = case when excluded.outcome is null or (excluded.outcome, excluded.reason,
          excluded.filter) is not distinct from (keyword_post.outcome, keyword_post.reason, keyword_post.filter)
        then keyword_post.decided_at else excluded.decided_at end`.execute(tx.db)
}

/** At most `limit` posts of a run that wait for the AI, in the order they were found. */
export const listWaiting = (db: Reader, run: OfRun, limit: number) =>
  queryColumn<string>(db)`
    select post_urn as urn from keyword_post where team_id = ${run.teamId} and sync_id = ${run.id} and awaits_ai
    order by position limit ${limit}`

/** Writes the AI's verdicts on posts that waited for it. */
export async function saveVerdicts(
  tx: Tx,
  run: OfRun,
  verdicts: readonly (PostVerdict & { readonly urn: string })[],
): Promise<void> {
  await sql`
    update keyword_post
    set awaits_ai = false, outcome = r.outcome, reason = r.reason, filter = decode(r.filter, 'hex'),
      decided_at = ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) as r(urn text, outcome text, reason text, filter text)
    where keyword_post.team_id = ${run.teamId} and keyword_post.source_id = ${run.sourceId}
      and keyword_post.post_urn = r.urn and keyword_post.sync_id = ${run.id}`.execute(tx.db)
}

/** How many posts a search has judged. */
export const countSeenPosts = async (db: Reader, teamId: string, sourceId: string): Promise<number> =>
  (await queryValue<number>(db)`
    select count(*)::integer as count from keyword_post
    where team_id = ${teamId} and source_id = ${sourceId} and outcome is not null`)!

export type FoundPostRow = PostFacts & {
  readonly outcome: 'kept' | 'discarded'
  readonly reason: string | null
  readonly decided_at: Date
}

/** A page of the posts a search has kept (`includeSwept`: also discarded ones), newest decision first, and their total. */
export async function listFoundPosts(
  db: Reader,
  { teamId, sourceId }: { teamId: string; sourceId: string },
  page: { readonly includeSwept: boolean; readonly limit: number; readonly offset: number },
): Promise<{ rows: FoundPostRow[]; total: number }> {
  const chosen = page.includeSwept ? sql`k.outcome is not null` : sql`k.outcome = 'kept'`
  const { rows } = await sql<FoundPostRow>`
    select k.post_urn, k.outcome, k.reason, k.decided_at, ${postFactColumns}
    from keyword_post k left join post p on p.team_id = k.team_id and p.urn = k.post_urn
    where k.team_id = ${teamId} and k.source_id = ${sourceId} and ${chosen}
    order by k.decided_at desc, k.post_urn desc limit ${page.limit} offset ${page.offset}`.execute(db)
  const total = (await queryValue<number>(db)`
    select count(*)::bigint as total from keyword_post k
    where k.team_id = ${teamId} and k.source_id = ${sourceId} and ${chosen}`)!
  return { rows, total }
}

/** A stored post; `before`: how the named search has judged it; `engagement`: declared reactions and comments. */
export type StoredPost = {
  readonly urn: string
  readonly url: string
  readonly text: string | null
  readonly author: string | null
  readonly headline: string | null
  readonly postedAt: Date | null
  readonly engagement: number
  readonly before: 'kept' | 'discarded' | null
}

const storedPostColumns = sql`p.urn, p.url, p.text, p.author_name as author, p.author_headline as headline,
  p.posted_at as "postedAt", coalesce(p.total_reaction_count, 0) + coalesce(p.comments_count, 0) as engagement,
  k.outcome as before`

/** The team's newest posts, however found; with a search, also how it has judged them. */
export const listNewestPosts = (
  db: Reader,
  { teamId, sourceId, limit }: { teamId: string; sourceId: string | null; limit: number },
) =>
  queryAll<StoredPost>(db)`
    select ${storedPostColumns}
    from (select * from post where team_id = ${teamId} order by first_seen_at desc, urn desc limit ${limit}) p
    left join keyword_post k on k.team_id = p.team_id and k.post_urn = p.urn and k.source_id = ${sourceId}::uuid
    order by p.first_seen_at desc, p.urn desc`

/** The posts a search has judged, last decision first. */
export const listJudgedPosts = (
  db: Reader,
  { teamId, sourceId, limit }: { teamId: string; sourceId: string; limit: number },
) =>
  queryAll<StoredPost>(db)`
    select ${storedPostColumns}
    from (select post_urn, outcome, decided_at from keyword_post
      where team_id = ${teamId} and source_id = ${sourceId} and outcome is not null
      order by decided_at desc, post_urn desc limit ${limit}) k
    join post p on p.team_id = ${teamId} and p.urn = k.post_urn order by k.decided_at desc, k.post_urn desc`

/** Which of these posts a search has kept or not decided on yet; its list shows their text. */
export async function listKeptPosts(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ urn: string }>`
    select asked.urn from unnest(${[...urns]}::text[]) as asked (urn)
    where exists (select 1 from keyword_post
      where team_id = ${teamId} and post_urn = asked.urn and outcome is distinct from 'discarded')`.execute(db)
  return new Set(rows.map((row) => row.urn))
}

/** Empties the reasons of old decisions (index `keyword_post_reason_age`); the decisions stay, and no AI is asked again. */
export const purgeVerdicts: PurgeTeam = async (tx, { teamId, before, limit }) => {
  const { numAffectedRows } = await sql`
    update keyword_post k set reason = null from (
      select source_id, post_urn from keyword_post
      where team_id = ${teamId} and decided_at < ${before} and reason is not null and not awaits_ai
      order by decided_at limit ${limit} for update skip locked) old
    where k.team_id = ${teamId} and k.source_id = old.source_id and k.post_urn = old.post_urn`.execute(tx.db)
  return batchOf(Number(numAffectedRows ?? 0), limit)
}
