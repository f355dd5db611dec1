/** SQL of one lead in detail: the person over all sources, in a handful of statements. Raw leads are left out (DSH-05). */
import type { Answer, FilterRow, MatchMode, SessionOperationOf } from '@les/contract'
import { queryAll, queryOne } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { webhookStatusNow, labelJoins, nameOfSource } from '../leads/index.ts'
import type { WebhookFacts } from './rules/undelivered.ts'
import { stateOfDelivery } from '../delivery/index.ts'

type Detail = Answer<SessionOperationOf<'getLeadDetail'>>

/** The keys and states of a lead that the other queries start from. */
export type LeadKeys = {
  readonly id: string
  readonly ownerId: string
  readonly sourceId: string | null
  readonly personUrn: string
  readonly handle: string | null
  readonly webhookStatus: string
  readonly enrichment: string
  readonly isIcp: boolean | null
  readonly createdAt: Date
  readonly webhookGeneration: number | null
  /** Null for a lead of no source. */
  readonly sourceStatus: string | null
}

/** Finds a lead; undefined if unknown or raw. */
export const findLeadKeys = (db: Reader, { teamId, id }: { teamId: string; id: string }) =>
  queryOne<LeadKeys>(db)`
    select l.id, l.owner_id as "ownerId", l.source_id as "sourceId", l.person_urn as "personUrn", l.handle,
      ${webhookStatusNow} as "webhookStatus", l.enrichment, l.is_icp as "isIcp", l.created_at as "createdAt",
      l.webhook_generation as "webhookGeneration", s.status as "sourceStatus"
    from lead l left join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.id = ${id} and l.enrichment <> 'raw'`

type EngagementRow = Detail['engagements'][number] & { readonly total: number }

const maxEngagements = 200
/** Characters. */
const postBeginning = 400

/**
 * The person's engagements over all sources, newest first, each with the total. The first one under each source is the charged
 * one, even if that is a raw lead, which is not shown.
 */
export const listEngagements = (db: Reader, teamId: string, personUrn: string) =>
  queryAll<EngagementRow>(db)`
    with theirs as materialized (
      select l.id, l.created_at, l.enrichment, l.owner_id,
        row_number() over (partition by l.owner_id order by l.created_at, l.id) = 1 as first from lead l
        where l.team_id = ${teamId} and l.person_urn = ${personUrn}
    ), newest as materialized (
      select id, owner_id, first, count(*) over ()::integer as total from theirs where enrichment <> 'raw'
      order by created_at desc, id desc limit ${maxEngagements}
    )
    select l.id as "leadId", l.created_at as at, l.engagement_type as "engagementType", l.reaction,
      l.comment_text as "commentText", l.comment_posted_at as "commentPostedAt", l.post_url as "postUrl",
      left(p.text, ${postBeginning}) as "postText", l.post_posted_at as "postPostedAt",
      jsonb_build_object('id', l.source_id, 'kind', l.source_kind, 'label', ${nameOfSource}) as source, n.total,
      n.first and exists (select 1 from credit_entry e
        where e.team_id = ${teamId} and e.key in ('source:' || l.owner_id || ':person:' || l.person_urn,
            'discover:' || l.owner_id || ':person:' || l.person_urn)) as charged
    from newest n join lead l on l.team_id = ${teamId} and l.id = n.id
    left join post p on p.team_id = ${teamId} and p.urn = l.post_urn
    left join source s on s.team_id = ${teamId} and s.id = l.source_id ${labelJoins}
    order by l.created_at desc, l.id desc`

/** Criteria of a source, and the facts of the person's newest lead there that they look at. */
export type FitRow = {
  readonly sourceId: string
  readonly sourceLabel: string
  readonly isIcp: boolean | null
  readonly rules: readonly FilterRow[]
  readonly matchMode: MatchMode
  readonly facts: Readonly<Record<string, string | number | null>>
}

/** The person's fit by the criteria of each of their sources, the given lead's source first. */
export const listFit = (
  db: Reader,
  { teamId, lead }: { teamId: string; lead: Pick<LeadKeys, 'id' | 'ownerId' | 'personUrn'> },
) =>
  queryAll<FitRow>(db)`
    with one_each as materialized (
      select distinct on (l.owner_id) l.id, l.owner_id from lead l
      where l.team_id = ${teamId} and l.person_urn = ${lead.personUrn} and l.enrichment <> 'raw'
      order by l.owner_id, (l.id = ${lead.id}) desc, l.created_at desc, l.id desc
    )
    select o.owner_id as "sourceId", ${nameOfSource} as "sourceLabel", l.is_icp as "isIcp", i.rules,
      i.match_mode as "matchMode",
      jsonb_build_object('jobTitle', l.job_title, 'name', l.name, 'country', l.country, 'company', l.company_name,
          'companyDomain', l.company_domain, 'companyIndustry', l.company_industry,
        'companyLocation', c.headquarters, 'companyEmployeeCount', c.employee_count, 'companyStaffRange', c.staff_range,
        'engagementType', l.engagement_type, 'commentText', l.comment_text) as facts
    from one_each o join icp i on i.team_id = ${teamId} and i.owner_id = o.owner_id and jsonb_array_length(i.rules) > 0
    join source s on s.team_id = ${teamId} and s.id = o.owner_id join lead l on l.team_id = ${teamId} and l.id = o.id
    left join company c on c.urn = l.company_urn ${labelJoins}
    order by (o.owner_id = ${lead.ownerId}) desc, s.created_at desc, s.id limit 100`

export type LeadDeliveryRow = Detail['deliveries'][number] & {
  readonly dueAt: Date
  readonly awaitsEnrichment: boolean
  readonly icpOnly: boolean
  readonly lastOutcome: string | null
}

/** The deliveries of a lead, newest first: one per endpoint and event. */
export const listLeadDeliveries = (db: Reader, teamId: string, leadId: string) =>
  queryAll<LeadDeliveryRow>(db)`
    select d.id, d.owner_id as "ownerId", coalesce(${nameOfSource}, '') as "ownerLabel", d.event, ${stateOfDelivery} as state,
      d.attempts, d.due_at as "dueAt", case when ${stateOfDelivery} = 'pending' then d.due_at end as "nextAttemptAt",
      d.finished_at as "finishedAt", d.awaits_enrichment as "awaitsEnrichment",
      d.icp_only as "icpOnly", a.status as "lastStatus", a.outcome as "lastOutcome"
    from delivery d left join source s on s.team_id = d.team_id and s.id = d.owner_id ${labelJoins}
    left join lateral (select status, outcome from delivery_attempt where team_id = d.team_id and delivery_id = d.id
      order by number desc limit 1) a on true
    where d.team_id = ${teamId} and d.lead_id = ${leadId} order by d.created_at desc, d.id desc limit 50`

export type WebhookRow = Omit<WebhookFacts, 'isAgents' | 'agentSends'> & {
  readonly agentId: string | null
  readonly filters: readonly FilterRow<string>[]
}

/** Reads an owner's webhook; undefined when there never was one. */
export const findWebhookState = (db: Reader, teamId: string, ownerId: string) =>
  queryOne<WebhookRow>(db)`
    select url, icp_only as "icpOnly", auto_send as "autoSend", auto_send_since as "autoSendSince", generation,
      disabled_at as "disabledAt", disabled_reason as "disabledReason", agent_id as "agentId", filters
    from webhook where team_id = ${teamId} and owner_id = ${ownerId}`

/** The campaigns a person was sent to, newest first; the name is known only while a rule uses the campaign. */
export const listSends = (
  db: Reader,
  teamId: string,
  { personUrn, handle }: Pick<LeadKeys, 'personUrn' | 'handle'>,
): Promise<Detail['sends']> =>
  queryAll<Detail['sends'][number]>(db)`
    with theirs as (
      select id, campaign_id, state, sent_at from outreach_send where team_id = ${teamId} and person_urn = ${personUrn}
      union select id, campaign_id, state, sent_at from outreach_send
      where team_id = ${teamId} and handle = ${handle}::text
    )
    select t.campaign_id as "campaignId", (select r.campaign_name from outreach_rule r
      where r.team_id = ${teamId} and r.campaign_id = t.campaign_id
      order by r.updated_at desc limit 1) as "campaignName", t.state, t.sent_at as at
    from theirs t order by t.sent_at desc, t.id desc limit 100`
