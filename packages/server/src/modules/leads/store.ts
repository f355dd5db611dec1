/**
 * SQL that stores captured leads, counts them, and writes their webhook state. Findings of enrichment are written in
 * `enrichment-store.ts`, `is_icp` in `scoring.ts`, texts in `texts.ts`.
 */
import { sql } from 'kysely'
import { someTeam } from '../../platform/db/planning.ts'
import { queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { notePeople } from '../accounts/index.ts'
import type { Engagement } from './rules/engagement.ts'
import { goneHash } from './retention.ts'
import { storeTextsSql } from './texts.ts'
import { discoverLeads } from './list.ts'
import type { LeadResource } from './present.ts'
import type { LeadsOf } from './scoring.ts'

export type LeadOrigin = {
  readonly teamId: string
  /** The source or Discover run that the rows belong to. */
  readonly ownerId: string
  readonly sourceId: string | null
  readonly sourceKind: 'keyword' | 'post' | 'profile' | 'company' | 'discover'
  readonly syncId: string | null
  readonly enrichment: 'pending' | 'raw'
  readonly webhookStatus: 'pending' | 'no_webhook'
  /** The generation of the owner's webhook at capture. */
  readonly webhookGeneration?: number | null
}

type OfPost = {
  readonly post: { readonly urn: string; readonly url: string; readonly postedAt: string | null }
  readonly engagements: readonly Engagement[]
}

/** An engagement the owner already has; `leadId` is null when its lead was deleted by age. */
export type KnownEngagement = {
  readonly leadId: string | null
  readonly syncId: string | null
  readonly reaction: string | null
}

/** The engagements the owner already has, by key, including those whose lead was deleted by age. */
export async function listKnownEngagements(
  db: Reader,
  { teamId, ownerId, keys }: { teamId: string; ownerId: string; keys: readonly string[] },
): Promise<Map<string, KnownEngagement>> {
  if (keys.length === 0) return new Map()
  // One index look-up per key: with `any` the planner, knowing little of a young table, may read the whole team.
  const { rows } = await sql<KnownEngagement & { key: string }>`
    select asked.key, l.id as "leadId", l.sync_id as "syncId", l.reaction from ${someTeam(teamId)} cross join unnest(${keys}::text[]) as asked (key)
    cross join lateral (
      select id, sync_id, reaction from lead
      where team_id = given.team_id and owner_id = ${ownerId} and engagement_key = asked.key
      union all
      select null, null, null from lead_gone
      where team_id = given.team_id and owner_id = ${ownerId} and key_hash = ${goneHash(sql`asked.key`)}
      limit 1) l`.execute(db)
  return new Map(rows.map(({ key, ...known }) => [key, known]))
}

/**
 * Stores leads of any number of posts in one statement, and notes their people for ranking. Every engagement must be new to the
 * owner; the caller moves the source's counters in the same unit of work. Answers lead ids by engagement key.
 */
export async function insertLeads(
  tx: Tx,
  origin: LeadOrigin,
  taken: readonly OfPost[],
): Promise<ReadonlyMap<string, string>> {
  const rows = taken.flatMap(({ engagements }, place) =>
    engagements.map(({ person, ...engagement }) => ({ ...person, ...engagement, place, id: tx.newId() })),
  )
  const ids = new Map(rows.map(({ key, id }) => [key, id]))
  if (rows.length === 0) return ids
  const posts = taken.map(({ post }, place) => ({ place, ...post }))
  // Raw leads are in no list that filters by text, and stay raw.
  const texts = origin.enrichment === 'raw' ? [] : rows.map(({ name }) => ({ name }))
  const kept = storeTextsSql(origin.teamId, texts)
  await sql`
    ${kept === null ? sql`` : sql`with texts as (${kept})`}
      insert into lead (team_id, id, owner_id, source_id, source_kind, sync_id,
        person_urn, engagement_key, engagement_type, reaction, is_reply, comment_text, comment_posted_at,
        post_urn, post_url, post_posted_at,
        name, handle, headline, linkedin_url, avatar_url,
        enrichment, webhook_status, webhook_generation, created_at)
      select ${origin.teamId}, r.id, ${origin.ownerId}, ${origin.sourceId}::uuid, ${origin.sourceKind},
        ${origin.syncId}::uuid,
        r.urn, r.key, r.type, r.reaction, r."isReply", r."commentText", r."commentPostedAt",
        p.urn, p.url, p."postedAt",
        r.name, r.handle, r.headline, r."linkedinUrl", r."avatarUrl",
        ${origin.enrichment}, ${origin.webhookStatus}, ${origin.webhookGeneration ?? null}::integer, ${tx.now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(place integer, id uuid,
        urn text, key text, type text, reaction text, "isReply" boolean, "commentText" text,
        "commentPostedAt" timestamptz, name text, handle text, headline text, "linkedinUrl" text, "avatarUrl" text)
      join jsonb_to_recordset(${JSON.stringify(posts)}::jsonb)
        as p(place integer, urn text, url text, "postedAt" timestamptz) on p.place = r.place`.execute(tx.db)
  const { teamId, sourceId } = origin
  if (sourceId === null || origin.enrichment === 'raw') return ids
  const people = rows.map(({ urn }) => ({ sourceId, personUrn: urn }))
  await notePeople(tx, teamId, people)
  return ids
}

/** How many leads a source has, without raw ones. */
export const countLeadsOf = async (db: Reader, { teamId, ownerId }: LeadsOf): Promise<number> =>
  (await queryValue<number>(db)`
    select lead_rows as leads from source where team_id = ${teamId} and id = ${ownerId}`) ?? 0

/** How many leads a team has stored from sources and Discover runs, raw ones included. */
export const countStoredLeads = async (db: Reader, teamId: string): Promise<number> =>
  (await queryValue<number>(db)`
    select (coalesce(sum(lead_rows + raw_rows), 0) + (${discoverLeads(teamId)}))::bigint as leads from source
    where team_id = ${teamId}`)!

/** Writes reactions that people have changed. */
export async function updateReactions(
  tx: Tx,
  { teamId, ownerId }: LeadsOf,
  changed: readonly { readonly key: string; readonly reaction: string | null }[],
): Promise<void> {
  if (changed.length === 0) return
  await sql`
    update lead set reaction = r.reaction
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as r(key text, reaction text)
    where lead.team_id = ${teamId} and lead.owner_id = ${ownerId} and lead.engagement_key = r.key`.execute(tx.db)
}

/** Writes the webhook state of leads. */
export async function setWebhookStatus(
  tx: Tx,
  { teamId, leadIds, status }: { teamId: string; leadIds: readonly string[]; status: LeadResource['webhookStatus'] },
): Promise<void> {
  if (leadIds.length > 0)
    await sql`
      update lead set webhook_status = ${status} from unnest(${leadIds}::uuid[]) as named (id)
      where lead.team_id = ${teamId} and lead.id = named.id and lead.webhook_status <> ${status}`.execute(tx.db)
}
