/** SQL that writes leads: the `lead` table is written here and nowhere else (`is_icp` in `scoring.ts`); their texts go through `texts.ts`. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Engagement } from './rules/engagement.ts'
import { keepTexts } from './texts.ts'

/** What the rows of one page of one post have in common. */
export type LeadOrigin = {
  readonly teamId: string
  /** The source, or the Discover run, that the rows belong to. */
  readonly ownerId: string
  readonly sourceId: string | null
  readonly sourceKind: 'keyword' | 'post' | 'profile' | 'company' | 'discover'
  readonly syncId: string | null
  readonly post: { readonly urn: string; readonly url: string; readonly postedAt: string | null }
  readonly enrichment: 'pending' | 'raw'
  readonly webhookStatus: 'pending' | 'no_webhook'
}

/** Which of these engagements the owner already has, with the reaction that is stored. */
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
    cross join lateral (select reaction from lead where team_id = ${teamId} and owner_id = ${ownerId} and engagement_key = asked.key limit 1) l`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.key, row.reaction]))
}

/** Stores new rows and counts them; every engagement must be new to the owner, whose row the caller has locked. */
export async function insertLeads(tx: Tx, origin: LeadOrigin, engagements: readonly Engagement[]): Promise<void> {
  if (engagements.length === 0) return
  const rows = engagements.map((engagement) => ({
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
  }))
  await sql`
    with stored as (
    insert into lead (team_id, id, owner_id, source_id, source_kind, sync_id, person_urn, engagement_key, engagement_type, reaction, is_reply,
      comment_text, comment_posted_at, post_urn, post_url, post_posted_at, name, handle, headline, linkedin_url, avatar_url, enrichment, webhook_status, created_at)
    select ${origin.teamId}, r.id, ${origin.ownerId}, ${origin.sourceId}::uuid, ${origin.sourceKind}, ${origin.syncId}::uuid, r.person_urn, r.engagement_key, r.engagement_type, r.reaction, r.is_reply,
      r.comment_text, r.comment_posted_at, ${origin.post.urn}, ${origin.post.url}, ${origin.post.postedAt}::timestamptz, r.name, r.handle, r.headline, r.linkedin_url, r.avatar_url,
      ${origin.enrichment}, ${origin.webhookStatus}, ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, person_urn text, engagement_key text, engagement_type text, reaction text, is_reply boolean,
      comment_text text, comment_posted_at timestamptz, name text, handle text, headline text, linkedin_url text, avatar_url text)
    returning enrichment
    )
    insert into lead_count (team_id, owner_id, lead_rows, raw_rows)
    select ${origin.teamId}, ${origin.ownerId}, count(*) filter (where enrichment <> 'raw'), count(*) filter (where enrichment = 'raw') from stored
    on conflict (team_id, owner_id) do update set lead_rows = lead_count.lead_rows + excluded.lead_rows, raw_rows = lead_count.raw_rows + excluded.raw_rows`.execute(
    tx.db,
  )
  // Raw leads are in no list that filters by text, and stay raw.
  if (origin.enrichment !== 'raw')
    await keepTexts(
      tx,
      origin.teamId,
      rows.map((row) => ({ column: 'name', text: row.name })),
    )
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

/** Which of a person's leads to fill: those that wait, or also those that failed or were skipped (G132). */
export type FillScope = 'waiting' | 'unenriched'

const statesOf = {
  waiting: ['pending', 'processing'],
  unenriched: ['pending', 'processing', 'failed', 'skipped'],
} as const

/** Leads of an untracked source that a write-off has not reached yet are not waiting any more. */
const ofTracked = sql`not exists (select 1 from source s where s.team_id = lead.team_id and s.id = lead.source_id and s.status = 'inactive')`

/** A person's leads that enrichment could fill, in id order; raw ones and those of untracked sources never. */
export async function listFillable(
  db: Reader,
  teamId: string,
  personUrn: string,
  scope: FillScope,
): Promise<{ id: string; ownerId: string; sourceId: string | null; state: string }[]> {
  const { rows } = await sql<{ id: string; ownerId: string; sourceId: string | null; state: string }>`
    select id, owner_id as "ownerId", source_id as "sourceId", enrichment as state from lead
    where team_id = ${teamId} and person_urn = ${personUrn} and enrichment = any(${statesOf[scope]}) and ${ofTracked} order by id`.execute(
    db,
  )
  return rows
}

/** Fills a person's leads with facts and marks them enriched; answers those that changed their state. */
export async function fillLeads(
  tx: Tx,
  teamId: string,
  leadIds: readonly string[],
  facts: PersonFacts,
): Promise<MovedLead[]> {
  if (leadIds.length === 0) return []
  const { rows } = await sql<MovedLead>`
    with waiting as (select id, enrichment as was from lead where team_id = ${teamId} and id = any(${leadIds}) and enrichment <> 'raw' order by id for update)
    update lead set name = coalesce(${facts.name}, lead.name), handle = coalesce(${facts.handle}, lead.handle), headline = coalesce(${facts.headline}, lead.headline),
      linkedin_url = ${facts.linkedinUrl}, avatar_url = coalesce(${facts.avatarUrl}, lead.avatar_url), job_title = ${facts.jobTitle}, country = ${facts.country}, country_code = ${facts.countryCode},
      company_urn = ${facts.companyUrn}, company_name = ${facts.companyName}, company_domain = ${facts.companyDomain}, company_industry = ${facts.companyIndustry},
      company_enriched_at = ${facts.companyEnrichedAt}::timestamptz, enrichment = 'completed', skip_reason = null
    from waiting where lead.team_id = ${teamId} and lead.id = waiting.id
    returning lead.id, lead.owner_id as "ownerId", lead.source_id as "sourceId", waiting.was as from`.execute(tx.db)
  const { name, jobTitle, companyName, companyDomain, country, companyIndustry } = facts
  await keepTexts(tx, teamId, [
    { column: 'name', text: name },
    { column: 'job_title', text: jobTitle },
    { column: 'company_name', text: companyName },
    { column: 'company_domain', text: companyDomain },
    { column: 'country', text: country },
    { column: 'company_industry', text: companyIndustry },
  ])
  return rows
}

/** Gives up on a person's waiting leads. */
export async function failLeads(tx: Tx, teamId: string, personUrn: string): Promise<MovedLead[]> {
  const { rows } = await sql<MovedLead>`
    update lead set enrichment = 'failed' where team_id = ${teamId} and person_urn = ${personUrn} and enrichment in ('pending', 'processing') and ${ofTracked}
    returning id, owner_id as "ownerId", source_id as "sourceId", 'pending' as from`.execute(tx.db)
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
