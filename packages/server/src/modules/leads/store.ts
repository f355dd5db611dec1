/**
 * SQL that writes leads: the `lead` table is written here and nowhere else (`is_icp` in `scoring.ts`); their texts go
 * through `texts.ts`.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Engagement } from './rules/engagement.ts'
import { goneHash } from './retention.ts'
import { keepingTexts, keepTexts } from './texts.ts'

/** What the rows of one page of one post have in common. */
export type LeadOrigin = {
  readonly teamId: string
  /** The source, or the Discover run, that the rows belong to. */
  readonly ownerId: string
  readonly sourceId: string | null
  readonly sourceKind: 'keyword' | 'post' | 'profile' | 'company' | 'discover'
  readonly syncId: string | null
  readonly enrichment: 'pending' | 'raw'
  readonly webhookStatus: 'pending' | 'no_webhook'
}

/** Engagements with one post, its author's among them. */
export type OfPost = {
  readonly post: { readonly urn: string; readonly url: string; readonly postedAt: string | null }
  readonly engagements: readonly Engagement[]
}

/** Which of these engagements the owner already has, with the reaction that is stored; also those whose raw lead was deleted by age. */
export async function listKnownEngagements(
  db: Reader,
  teamId: string,
  ownerId: string,
  keys: readonly string[],
): Promise<Map<string, string | null>> {
  if (keys.length === 0) return new Map()
  // One index look-up a key: with `any` the planner, knowing little of a young table, may read the whole team instead.
  const { rows } = await sql<{ key: string; reaction: string | null }>`
    select asked.key, l.reaction from unnest(${keys}::text[]) as asked(key)
    cross join lateral (select reaction from lead where team_id = ${teamId} and owner_id = ${ownerId} and engagement_key = asked.key
      union all select null from lead_gone where team_id = ${teamId} and owner_id = ${ownerId} and key_hash = ${goneHash(sql`asked.key`)} limit 1) l`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.key, row.reaction]))
}

/** SQL: an agent reads the leads of an owner, so that its people are to be judged (the triggers of migration 0045 note who). */
const readByAgent = (teamId: RawBuilder<unknown>, ownerId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select 1 from agent_source x where x.team_id = ${teamId} and x.source_id = ${ownerId})`

/**
 * Stores new rows of any number of posts and counts them, in one statement; every engagement must be new to the owner,
 * whose row the caller has locked.
 */
export async function insertLeads(tx: Tx, origin: LeadOrigin, taken: readonly OfPost[]): Promise<void> {
  const rows = taken.flatMap(({ engagements }, place) =>
    engagements.map((engagement) => ({
      place,
      id: tx.newId(),
      person_urn: engagement.person.urn,
      name: engagement.person.name,
      handle: engagement.person.handle,
      headline: engagement.person.headline,
      linkedin_url: engagement.person.linkedinUrl,
      avatar_url: engagement.person.avatarUrl,
      engagement_key: engagement.key,
      engagement_type: engagement.type,
      reaction: engagement.reaction,
      is_reply: engagement.isReply,
      comment_text: engagement.commentText,
      comment_posted_at: engagement.commentPostedAt,
    })),
  )
  if (rows.length === 0) return
  const posts = taken.map(({ post }, place) => ({ place, ...post }))
  // Raw leads are in no list that filters by text, and stay raw.
  const texts = origin.enrichment === 'raw' ? [] : rows.map((row) => ({ column: 'name' as const, text: row.name }))
  const kept = keepingTexts(origin.teamId, texts)
  const { rows: counted } = await sql<{ byAgent: boolean }>`
    with stored as (
    insert into lead (team_id, id, owner_id, source_id, source_kind, sync_id, person_urn, engagement_key, engagement_type, reaction, is_reply,
      comment_text, comment_posted_at, post_urn, post_url, post_posted_at, name, handle, headline, linkedin_url, avatar_url, enrichment, webhook_status, created_at)
    select ${origin.teamId}, r.id, ${origin.ownerId}, ${origin.sourceId}::uuid, ${origin.sourceKind}, ${origin.syncId}::uuid, r.person_urn, r.engagement_key, r.engagement_type, r.reaction, r.is_reply,
      r.comment_text, r.comment_posted_at, p.urn, p.url, p."postedAt", r.name, r.handle, r.headline, r.linkedin_url, r.avatar_url,
      ${origin.enrichment}, ${origin.webhookStatus}, ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(place integer, id uuid, person_urn text, engagement_key text, engagement_type text, reaction text, is_reply boolean,
      comment_text text, comment_posted_at timestamptz, name text, handle text, headline text, linkedin_url text, avatar_url text)
    join jsonb_to_recordset(${JSON.stringify(posts)}::jsonb) as p(place integer, urn text, url text, "postedAt" timestamptz) on p.place = r.place
    returning enrichment
    ) ${kept === null ? sql`` : sql`, texts as (${kept})`}
    insert into lead_count (team_id, owner_id, lead_rows, raw_rows)
    select ${origin.teamId}, ${origin.ownerId}, count(*) filter (where enrichment <> 'raw'), count(*) filter (where enrichment = 'raw') from stored
    on conflict (team_id, owner_id) do update set lead_rows = lead_count.lead_rows + excluded.lead_rows, raw_rows = lead_count.raw_rows + excluded.raw_rows
    returning ${readByAgent(sql`team_id`, sql`owner_id`)} as "byAgent"`.execute(tx.db)
  if (origin.enrichment !== 'raw' && counted.some((row) => row.byAgent)) tx.enqueue('ranking', origin.teamId)
}

/** How many leads an owner has, raw ones apart. */
export async function countLeadsOf(
  db: Reader,
  { teamId, ownerId }: { readonly teamId: string; readonly ownerId: string },
): Promise<number> {
  const { rows } = await sql<{
    leads: number
  }>`select coalesce(sum(lead_rows), 0)::bigint as leads from lead_count where team_id = ${teamId} and owner_id = ${ownerId}`.execute(
    db,
  )
  return rows[0]!.leads
}

/** How many leads a team has stored, raw ones too, of sources and Discover runs. */
export async function countStoredLeads(db: Reader, teamId: string): Promise<number> {
  const { rows } = await sql<{
    leads: number
  }>`select coalesce(sum(lead_rows + raw_rows), 0)::bigint as leads from lead_count where team_id = ${teamId}`.execute(
    db,
  )
  return rows[0]!.leads
}

/** Writes the reactions that people have changed since they were stored. */
export async function updateReactions(
  tx: Tx,
  teamId: string,
  ownerId: string,
  changed: readonly { key: string; reaction: string | null }[],
): Promise<void> {
  if (changed.length === 0) return
  await sql`
    update lead set reaction = r.reaction from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as r(key text, reaction text)
    where lead.team_id = ${teamId} and lead.owner_id = ${ownerId} and lead.engagement_key = r.key`.execute(tx.db)
}

/** What enrichment found out about a person and their employer. */
export type PersonFacts = {
  readonly name: string | null
  readonly handle: string | null
  readonly headline: string | null
  readonly linkedinUrl: string
  readonly avatarUrl: string | null
  readonly jobTitle: string | null
  readonly country: string | null
  /** ISO 3166-1 alpha-2; null when the country is not known by one. */
  readonly countryCode: string | null
  readonly companyUrn: string | null
  readonly companyName: string | null
  readonly companyDomain: string | null
  readonly companyIndustry: string | null
  readonly companyEnrichedAt: Date | null
}

/** A lead that changed its state of enrichment. */
export type MovedLead = {
  readonly id: string
  readonly ownerId: string
  readonly sourceId: string | null
  readonly from: string
}

/** Leads of an untracked source that a write-off has not reached yet are not waiting any more. */
const ofTracked = sql`not exists (select 1 from source s where s.team_id = lead.team_id and s.id = lead.source_id and s.status = 'inactive')`

/** SQL: a lead that waits for enrichment. */
const waits = sql`lead.enrichment in ('pending', 'processing') and ${ofTracked}`

/** Those of these people for whom some lead waits; raw ones and those of untracked sources never do. */
export async function listWanted(db: Reader, teamId: string, personUrns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ urn: string }>`
    select distinct person_urn as urn from lead where team_id = ${teamId} and person_urn = any(${[...personUrns]}::text[]) and ${waits}`.execute(
    db,
  )
  return new Set(rows.map((row) => row.urn))
}

/** Fills leads of one person with facts and marks them enriched; answers those that changed their state. */
export async function fillLeads(
  tx: Tx,
  teamId: string,
  leadIds: readonly string[],
  facts: PersonFacts,
): Promise<MovedLead[]> {
  if (leadIds.length === 0) return []
  return fill(
    tx,
    teamId,
    [{ personUrn: null, facts }],
    sql`lead.id = any(${[...leadIds]}::uuid[]) and lead.enrichment <> 'raw'`,
  )
}

/** Fills the waiting leads of several people with what was found out about each; answers those that changed their state. */
export async function fillWaiting(
  tx: Tx,
  teamId: string,
  people: readonly { readonly personUrn: string; readonly facts: PersonFacts }[],
): Promise<MovedLead[]> {
  if (people.length === 0) return []
  return fill(
    tx,
    teamId,
    people,
    sql`lead.person_urn = any(${people.map(({ personUrn }) => personUrn)}::text[]) and ${waits}`,
  )
}

async function fill(
  tx: Tx,
  teamId: string,
  people: readonly { readonly personUrn: string | null; readonly facts: PersonFacts }[],
  which: ReturnType<typeof sql>,
): Promise<MovedLead[]> {
  const facts = JSON.stringify(people.map((one) => ({ urn: one.personUrn, ...one.facts })))
  const { rows } = await sql<MovedLead & { byAgent: boolean }>`
    with facts as materialized (
      select * from jsonb_to_recordset(${facts}::jsonb) as f(urn text, name text, handle text, headline text, "linkedinUrl" text, "avatarUrl" text, "jobTitle" text, country text, "countryCode" text,
        "companyUrn" text, "companyName" text, "companyDomain" text, "companyIndustry" text, "companyEnrichedAt" timestamptz)),
    waiting as materialized (
      select lead.id, lead.person_urn, lead.enrichment as was from lead where lead.team_id = ${teamId} and ${which} order by lead.id for update of lead)
    update lead set name = coalesce(f.name, lead.name), handle = coalesce(f.handle, lead.handle), headline = coalesce(f.headline, lead.headline),
      linkedin_url = f."linkedinUrl", avatar_url = coalesce(f."avatarUrl", lead.avatar_url), job_title = f."jobTitle", country = f.country, country_code = f."countryCode",
      company_urn = f."companyUrn", company_name = f."companyName", company_domain = f."companyDomain", company_industry = f."companyIndustry",
      company_enriched_at = f."companyEnrichedAt", enrichment = 'completed', skip_reason = null
    from waiting join facts f on f.urn is null or f.urn = waiting.person_urn
    where lead.team_id = ${teamId} and lead.id = waiting.id
    returning lead.id, lead.owner_id as "ownerId", lead.source_id as "sourceId", waiting.was as from, ${readByAgent(sql`lead.team_id`, sql`lead.owner_id`)} as "byAgent"`.execute(
    tx.db,
  )
  if (rows.some((row) => row.byAgent)) tx.enqueue('ranking', teamId)
  await keepTexts(
    tx,
    teamId,
    people.flatMap(({ facts: { name, jobTitle, companyName, companyDomain, country, companyIndustry } }) => [
      { column: 'name' as const, text: name },
      { column: 'job_title' as const, text: jobTitle },
      { column: 'company_name' as const, text: companyName },
      { column: 'company_domain' as const, text: companyDomain },
      { column: 'country' as const, text: country },
      { column: 'company_industry' as const, text: companyIndustry },
    ]),
  )
  return rows
}

/** Gives up on a person's waiting leads. */
export async function failLeads(tx: Tx, teamId: string, personUrn: string): Promise<MovedLead[]> {
  const { rows } = await sql<MovedLead & { byAgent: boolean }>`
    update lead set enrichment = 'failed' where team_id = ${teamId} and person_urn = ${personUrn} and enrichment in ('pending', 'processing') and ${ofTracked}
    returning id, owner_id as "ownerId", source_id as "sourceId", 'pending' as from, ${readByAgent(sql`lead.team_id`, sql`lead.owner_id`)} as "byAgent"`.execute(
    tx.db,
  )
  if (rows.some((row) => row.byAgent)) tx.enqueue('ranking', teamId)
  return rows
}

/** Writes off waiting leads of a source that is untracked, `limit` at most (TRK-33); answers how many. */
export async function skipWaiting(tx: Tx, teamId: string, ownerId: string, limit: number): Promise<number> {
  const result = await sql`
    update lead set enrichment = 'skipped', skip_reason = 'source_untracked' where team_id = ${teamId} and id = any(array(
      select id from lead where team_id = ${teamId} and owner_id = ${ownerId} and enrichment in ('pending', 'processing') limit ${limit}))`.execute(
    tx.db,
  )
  return Number(result.numAffectedRows ?? 0)
}

/** Brings a revived source's skipped leads back into waiting (TRK-39); answers how many, and everybody whose leads wait now. */
export async function resumeSkipped(
  tx: Tx,
  teamId: string,
  ownerId: string,
): Promise<{ count: number; people: string[] }> {
  const resumed =
    await sql`update lead set enrichment = 'pending', skip_reason = null where team_id = ${teamId} and owner_id = ${ownerId} and enrichment = 'skipped'`.execute(
      tx.db,
    )
  // Leads that a long write-off had not reached wait as they did, but nobody may be asked for them any more.
  const { rows } = await sql<{
    urn: string
  }>`select distinct person_urn as urn from lead where team_id = ${teamId} and owner_id = ${ownerId} and enrichment in ('pending', 'processing')`.execute(
    tx.db,
  )
  return { count: Number(resumed.numAffectedRows ?? 0), people: rows.map((row) => row.urn) }
}

/** Writes the company fields that lists filter by on every lead of a company. */
export async function refreshCompany(
  tx: Tx,
  teamId: string,
  company: { urn: string; name: string | null; domain: string | null; industry: string | null; enrichedAt: Date },
): Promise<number> {
  const result = await sql`
    update lead set company_name = coalesce(${company.name}, company_name), company_domain = ${company.domain}, company_industry = ${company.industry}, company_enriched_at = ${company.enrichedAt}
    where team_id = ${teamId} and company_urn = ${company.urn} and enrichment <> 'raw'`.execute(tx.db)
  await keepTexts(tx, teamId, [
    { column: 'company_name', text: company.name },
    { column: 'company_domain', text: company.domain },
    { column: 'company_industry', text: company.industry },
  ])
  return Number(result.numAffectedRows ?? 0)
}

/** Writes the webhook state of leads. */
export async function setWebhookStatus(
  tx: Tx,
  teamId: string,
  leadIds: readonly string[],
  status: 'pending' | 'sent' | 'failed' | 'no_webhook',
): Promise<void> {
  if (leadIds.length > 0)
    await sql`update lead set webhook_status = ${status} from unnest(${leadIds}::uuid[]) as named (id) where lead.team_id = ${teamId} and lead.id = named.id`.execute(
      tx.db,
    )
}

/** Marks leads that a push has queued as waiting for delivery. */
export async function markPushed(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length > 0)
    await sql`update lead set webhook_status = 'pending' from unnest(${leadIds}::uuid[]) as pushed(id) where lead.team_id = ${teamId} and lead.id = pushed.id and lead.webhook_status <> 'pending'`.execute(
      tx.db,
    )
}

/** Marks an owner's leads that were waiting for delivery as having no webhook: its URL was cleared (G134). */
export async function clearPendingWebhook(tx: Tx, teamId: string, ownerId: string): Promise<void> {
  await sql`update lead set webhook_status = 'no_webhook' where team_id = ${teamId} and owner_id = ${ownerId} and webhook_status in ('pending', 'failed')`.execute(
    tx.db,
  )
}
