/** Previews a push: the same rules as `lockPushable` and `takeDeliveries`, as one query. */
import { sql, type RawBuilder } from 'kysely'
import { isExcluded, labelJoins, nameOfSource } from '../../leads/index.ts'
import { queryAll } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { isAutoSendOff, isCancelled, isUnsent } from '../deliveries.ts'

/** Why a lead would be sent or not; the first three are sent. */
type PushReason =
  | 'now'
  | 'after_enrichment'
  | 'endpoint_off'
  | 'delivered'
  | 'on_the_way'
  | 'excluded'
  | 'not_fit'
  | 'raw'
  | 'no_source'
  | 'no_webhook'
  | 'untracked'

const goingReasons = ['now', 'after_enrichment', 'endpoint_off'] as const

/** Leads of one owner with one reason; `ids` is filled only for those that would be sent. */
export type PushableGroup = {
  readonly ownerId: string
  readonly label: string | null
  readonly type: string
  readonly url: string | null
  readonly icpOnly: boolean
  readonly reason: PushReason
  readonly count: number
  readonly ids: readonly string[]
}

/** Judges the leads that `which`, a condition on `lead l`, selects. A null `icpOnly` uses each webhook's own setting. */
export async function findPushable(
  db: Reader,
  teamId: string,
  { which, icpOnly }: { readonly which: RawBuilder<unknown>; readonly icpOnly: boolean | null },
): Promise<PushableGroup[]> {
  const only = icpOnly === null ? sql`coalesce(w.icp_only, false)` : sql`${icpOnly}::boolean`
  return queryAll<PushableGroup>(db)`
    with judged as materialized (
      select l.id, l.owner_id, case
        when l.source_id is null then 'no_source'
        when l.enrichment = 'raw' then 'raw'
        when d.state = 'sent' then 'delivered'
        when s.status = 'inactive' and s.type <> 'keyword' then 'untracked'
        when w.url is null then 'no_webhook'
        when ${isUnsent} and not ${isCancelled} and not ${isAutoSendOff} then 'on_the_way'
        when ${isExcluded(teamId)} then 'excluded'
        when ${only} and l.is_icp is false and d.state is distinct from 'failed' then 'not_fit'
        when l.enrichment not in ('completed', 'failed') then 'after_enrichment'
        when w.disabled_at is not null then 'endpoint_off'
        else 'now' end as reason
      from lead l
      left join source s on s.team_id = l.team_id and s.id = l.owner_id
      left join webhook w on w.team_id = l.team_id and w.owner_id = l.owner_id
      left join delivery d on d.team_id = l.team_id and d.owner_id = l.owner_id and d.event = 'lead.detected'
        and d.subject = l.id::text
      where ${which}),
    grouped as (
      select owner_id, reason, count(*)::integer as count,
        coalesce(array_agg(id order by id) filter (where reason = any(${[...goingReasons]}::text[])), '{}') as ids
      from judged group by owner_id, reason)
    select g.owner_id as "ownerId", ${nameOfSource} as label, coalesce(s.type, 'discover') as type, w.url,
      ${only} as "icpOnly", g.reason, g.count, g.ids
    from grouped g
    left join source s on s.team_id = ${teamId} and s.id = g.owner_id
    left join webhook w on w.team_id = ${teamId} and w.owner_id = g.owner_id ${labelJoins}
    order by g.owner_id, g.reason`
}
