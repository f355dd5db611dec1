/** SQL that counts how far the people of sources have come, a row a source and UTC day on which they were charged. */
import { sql, type RawBuilder } from 'kysely'

/**
 * Where the person begins in the key of a charge: behind `source:`, a uuid and `:person:`. Of a post's charge it is the
 * end of a URN, which is nobody.
 */
const personAt = sql.lit(52)

/** What is known of a person of a source, as bits: people are grouped by a hash, since a team may have met a million. */
const mark = {
  enriched: sql.lit(1),
  icp: sql.lit(2),
  delivered: sql.lit(4),
  sent: sql.lit(8),
} as const

/** The stages that people come to, in their order. */
export const yieldStages = ['charged', 'enriched', 'icp', 'delivered', 'sent'] as const

/** Counts the charged people who have a mark. */
const reached = (name: keyof typeof mark) =>
  sql`count(*) filter (where m.marks & ${mark[name]} <> 0) as ${sql.ref(name)}`

/**
 * SQL: `owner_id`, `day`, the people charged on it by how far they have come, and the `credits` of that day, of these
 * owners since an instant. A person counts once a source, however often they engage, and only with a lead of it; credits
 * of an agent's free trial are nobody's money.
 */
export function yieldsOf(teamId: string, ownerIds: readonly string[], since: Date): RawBuilder<unknown> {
  const owners = sql`any(${[...ownerIds]}::uuid[])`
  const marksOfLead = sql`case when l.enrichment = 'completed' then ${mark.enriched} else 0 end | case
    when l.is_icp then ${mark.icp} else 0 end
        | case when l.webhook_status = 'sent' then ${mark.delivered} else 0 end | case
        when o.lead_id is not null then ${mark.sent} else 0 end`
  return sql`
    with sends as materialized (
      select distinct lead_id from outreach_send
      where team_id = ${teamId} and state = 'sent' and sent_at >= ${since} and lead_id is not null
    ), charges as materialized (
      select source_id as owner_id, hashtextextended(substr(key, ${personAt}), 0) as person,
        (created_at at time zone 'UTC')::date as day,
        count(*) filter (where category is distinct from 'agent_trial') as credits
      from credit_entry
      where team_id = ${teamId} and kind = 'charge' and created_at >= ${since} and source_id = ${owners}
      group by 1, 2, 3
    ), met as materialized (
      select owner_id, person, bit_or(marks) as marks from (
        select l.owner_id, hashtextextended(l.person_urn, 0) as person, ${marksOfLead} as marks
        from lead l left join sends o on o.lead_id = l.id
        where l.team_id = ${teamId} and l.owner_id = ${owners} and l.created_at >= ${since} and l.enrichment <> 'raw'
        union all
        select l.owner_id, hashtextextended(l.person_urn, 0), 0 from lead l
        where l.team_id = ${teamId} and l.owner_id = ${owners} and l.created_at >= ${since} and l.enrichment = 'raw'
      ) leads group by 1, 2
    )
    select c.owner_id, c.day, count(m.person) as charged,
      ${sql.join((['enriched', 'icp', 'delivered', 'sent'] as const).map(reached))}, sum(c.credits) as credits
    from charges c left join met m on m.owner_id = c.owner_id and m.person = c.person group by 1, 2`
}
