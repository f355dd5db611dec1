/** SQL of posts that the team holds, and of kept vendor pages (`vendor_page`). */
import { sql } from 'kysely'
import { countAffected, queryOne, queryValue } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { PageCursor, VendorId, RepliesRef } from '../../../providers/ports.ts'
import { postFactColumns, type PostFacts } from '../../network/index.ts'

/** A post by its activity URN, with an address every vendor understands; `commentsCount` includes replies, null when unknown. */
export type HeldPost = { readonly urn: string; readonly url: string; readonly commentsCount: number | null }

/** Finds a post the team holds: tracked under any URN, or found by a watch or search, also if discarded (PJB-06, SRC-13). */
export async function findHeldPost(db: Reader, teamId: string, urn: string): Promise<HeldPost | undefined> {
  const { rows } = await sql<{ urn: string; url: string | null; commentsCount: number | null }>`
    select held.urn, p.url, p.comments_count as "commentsCount" from (
      select s.username as urn from source s
      where s.team_id = ${teamId} and s.type = 'post' and s.status = 'active' and s.username = ${urn}
      union all
      select s.username from source_alias a
      join source s on s.team_id = a.team_id and s.id = a.source_id and s.status = 'active'
      where a.team_id = ${teamId} and a.urn = ${urn}
      union all
      select sp.post_urn from source_post sp where sp.team_id = ${teamId} and sp.post_urn = ${urn}
      union all
      select kp.post_urn from keyword_post kp where kp.team_id = ${teamId} and kp.post_urn = ${urn}
    ) held left join post p on p.team_id = ${teamId} and p.urn = held.urn limit 1`.execute(db)
  return rows[0] && { ...rows[0], url: rows[0].url ?? `https://www.linkedin.com/feed/update/${rows[0].urn}` }
}

export type SourcePostRow = PostFacts & { readonly created_at: Date }

/** A page of the posts a source has seen, newest first, and their total. */
export async function listSourcePosts(
  db: Reader,
  { teamId, sourceId, page }: { teamId: string; sourceId: string; page: { limit: number; offset: number } },
): Promise<{ rows: SourcePostRow[]; total: number }> {
  const { rows } = await sql<SourcePostRow>`
    select sp.post_urn, sp.created_at, ${postFactColumns}
    from source_post sp left join post p on p.team_id = sp.team_id and p.urn = sp.post_urn
    where sp.team_id = ${teamId} and sp.source_id = ${sourceId}
    order by coalesce(p.posted_at, sp.created_at) desc, sp.post_urn desc
    limit ${page.limit} offset ${page.offset}`.execute(db)
  const total = (await queryValue<number>(db)`
    select count(*)::bigint as total from source_post
    where team_id = ${teamId} and source_id = ${sourceId}`)!
  return { rows, total }
}

export type VendorRead = {
  readonly teamId: string
  readonly kind: 'posts' | 'reactions' | 'comments'
  readonly subject: string
}

type Walk = VendorRead & { readonly provider: VendorId }

/** A kept page; `replies` are still to be read. */
export type KeptPage<T> = {
  readonly number: number
  readonly items: readonly T[]
  readonly replies: readonly RepliesRef[]
  readonly next: PageCursor | null
  readonly total: number | null
}

/** How long a page is kept, in service time. */
const keptMs = 3_600_000

const cutoff = (now: Date): Date => new Date(now.getTime() - keptMs)

const ofRead = ({ teamId, kind, subject }: VendorRead) =>
  sql`team_id = ${teamId} and kind = ${kind} and subject = ${subject}`
const ofWalk = (walk: Walk) => sql`${ofRead(walk)} and provider = ${walk.provider}`

/** The vendor that served page 0 of a read within the last hour (PJB-10). */
export const findWhoServed = (db: Reader, read: VendorRead, now: Date) =>
  queryValue<VendorId>(db)`
    select provider from vendor_page where ${ofRead(read)} and number = 0 and fetched_at > ${cutoff(now)}
    order by fetched_at desc limit 1`

/** The pages of a walk begun within the last hour, from page 0 on, without gaps. */
export async function listKeptPages<T>(db: Reader, walk: Walk, now: Date): Promise<KeptPage<T>[]> {
  const { rows } = await sql<KeptPage<T>>`
    select number, items, replies, next, total from vendor_page
    where ${ofWalk(walk)} and exists (
      select 1 from vendor_page where ${ofWalk(walk)} and number = 0 and fetched_at > ${cutoff(now)})
    order by number`.execute(db)
  return rows.filter((row, index) => row.number === index)
}

/** One page of a walk, while it is kept. */
export const findKeptPage = <T>(
  db: Reader,
  { number, now, ...walk }: Walk & { readonly number: number; readonly now: Date },
) =>
  queryOne<KeptPage<T>>(db)`
    select number, items, replies, next, total from vendor_page
    where ${ofWalk(walk)} and number = ${number} and fetched_at > ${cutoff(now)}`

/** Keeps a page; page 0 restarts the walk. */
export async function savePage(tx: Tx, walk: Walk, page: KeptPage<unknown>): Promise<void> {
  if (page.number === 0) await sql`delete from vendor_page where ${ofWalk(walk)} and number > 0`.execute(tx.db)
  const next = page.next === null ? null : JSON.stringify(page.next)
  await sql`
    insert into vendor_page (team_id, kind, subject, provider, number, items, replies, next, total, fetched_at)
    values (${walk.teamId}, ${walk.kind}, ${walk.subject}, ${walk.provider}, ${page.number},
        ${JSON.stringify(page.items)}::jsonb, ${JSON.stringify(page.replies)}::jsonb, ${next}::jsonb, ${page.total},
        ${tx.now})
    on conflict (team_id, kind, subject, provider, number)
    do update set items = excluded.items, replies = excluded.replies, next = excluded.next, total = excluded.total,
      fetched_at = excluded.fetched_at`.execute(tx.db)
}

/** Saves more of a page's replies without extending its hour. */
export async function saveReplies(tx: Tx, walk: Walk, page: KeptPage<unknown>): Promise<void> {
  await sql`
    update vendor_page
    set items = ${JSON.stringify(page.items)}::jsonb, replies = ${JSON.stringify(page.replies)}::jsonb
    where ${ofWalk(walk)} and number = ${page.number}`.execute(tx.db)
}

/** Deletes at most `limit` expired pages, the oldest first; returns how many. */
export const purgePages = (tx: Tx, limit: number) =>
  countAffected(tx.db)`
    delete from vendor_page v using (
      select team_id, kind, subject, provider, number from vendor_page where fetched_at <= ${cutoff(tx.now)}
      order by fetched_at limit ${limit}) old
    where v.team_id = old.team_id and v.kind = old.kind and v.subject = old.subject and v.provider = old.provider
      and v.number = old.number`

/** Deletes the kept pages of a team; they live for an hour, and can be read again. */
export async function erasePages(tx: Tx, teamId: string): Promise<void> {
  await sql`delete from vendor_page where team_id = ${teamId}`.execute(tx.db)
}
