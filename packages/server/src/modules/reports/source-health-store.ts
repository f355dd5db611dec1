import type { Answer, SessionOperationOf } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Position } from '../../platform/keyset.ts'
import type { RunState, WaitsFor } from '../sources/index.ts'
import { chargesBetween } from '../credits/index.ts'
import { labelJoins, nameOfSource, personOfSource } from '../leads/index.ts'

type Health = Answer<SessionOperationOf<'getSourceHealth'>>['source']

export type HealthRow = Pick<
  Health,
  | 'id'
  | 'type'
  | 'label'
  | 'username'
  | 'name'
  | 'avatarUrl'
  | 'status'
  | 'mode'
  | 'leads'
  | 'rawLeads'
  | 'icpLeads'
  | 'hasCriteria'
> & {
  stoppedReason: 'run_once' | 'max_runs' | 'end_at' | null
  enrichLeads: boolean
  createdAt: Date
  nextSyncAt: Date | null
  openSyncId: string | null
  stoppedAt: Date | null
  paysFrom: 'team' | 'agent_trial'
  pending: number
  skipped: number
  judged: number
  spent: number
  newestLeadAt: Date | null
  ofAgent: boolean
  webhookDisabled: 'gone' | 'failing' | null
  outreachPaused: 'invalid_key' | 'campaign_closed' | null
  run: RunRow | null
  /** Of the run under way. */
  openState: RunState | null
  openWaitsFor: WaitsFor | null
}

export type RunRow = {
  syncId: string
  trigger: 'track' | 'scheduled' | 'manual'
  state: RunState
  stoppedBy: string | null
  errorCode: string | null
  errorText: string | null
  cap: number | null
  maxPosts: number | null
  mode: 'engagers' | 'posts_only' | null
  creditsSpent: number
  leadRows: number
  postsTotal: number
  postsProcessed: number
  declared: number
  heldRows: number
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
  priceLimited: boolean
  waitsFor: WaitsFor | null
}

/** The columns of a `RunRow`, from `sync y`; settings are empty until a run starts. */
const runColumns = sql`y.id as "syncId", y.trigger, y.state, y.stopped_by as "stoppedBy", y.error_code as "errorCode",
  y.error_text as "errorText",
  coalesce((y.settings->'keyword'->>'creditCap')::bigint, (y.settings->>'rowCap')::bigint) as cap,
  (y.settings->>'maxPosts')::bigint as "maxPosts", y.settings->>'mode' as mode,
  y.credits_spent as "creditsSpent", y.lead_rows as "leadRows", y.posts_total as "postsTotal",
  y.posts_processed as "postsProcessed", y.declared, y.held_rows as "heldRows",
  y.created_at as "createdAt", y.started_at as "startedAt", y.finished_at as "finishedAt",
  y.price_limited as "priceLimited", y.waits_for as "waitsFor"`

const sourceColumns = sql`s.id, s.type, ${nameOfSource} as label, s.username, s.status, s.mode as "sourceMode",
  s.enrich_leads as "enrichLeads", s.created_at as "sourceCreatedAt", s.next_sync_at as "nextSyncAt",
  s.open_sync_id as "openSyncId", u.state as "openState", u.waits_for as "openWaitsFor",
  s.stopped_at as "stoppedAt", s.stopped_reason as "stoppedReason", ${personOfSource} as name, face."avatarUrl",
  s.pays_from as "paysFrom", s.lead_rows as leads, s.raw_rows as "rawLeads", s.leads_pending as pending,
  s.leads_skipped as skipped`

type Flat = Omit<HealthRow, 'run'> & RunRow & { sourceMode: HealthRow['mode']; sourceCreatedAt: Date }

/** Joins to `page s`, as `newest.at`, when its newest lead was captured, raw or not. */
const newestLeadJoin = sql`left join lateral (
    select max(at) as at from (
      (select l.created_at as at from lead l
        where l.team_id = s.team_id and l.owner_id = s.id and l.enrichment <> 'raw'
        order by l.created_at desc, l.id desc limit 1)
      union all (select l.created_at from lead l
        where l.team_id = s.team_id and l.owner_id = s.id and l.enrichment = 'raw'
        order by l.created_at desc, l.id desc limit 1)
    ) both_kinds
  ) newest on true`

/** Reads the health of sources `chosen` from `source s`, in one statement; credits count from `since`. */
async function readHealth(
  db: Reader,
  { teamId, since, chosen }: { teamId: string; since: Date; chosen: RawBuilder<unknown> },
): Promise<HealthRow[]> {
  const { rows } = await sql<Flat>`
    with page as materialized (${chosen}),
    fitting as materialized (select owner_id, count(*)::integer as leads from lead
      where team_id = ${teamId} and is_icp and enrichment <> 'raw' and owner_id in (select id from page) group by 1),
    spending as materialized (select source_id, sum(credits)::bigint as credits
      from (${chargesBetween({ teamId, from: since, to: null })}) charged
      where source_id in (select id from page) group by 1)
    select ${runColumns}, ${sourceColumns},
      s.leads_completed + s.leads_failed as judged, coalesce(f.leads, 0) as "icpLeads",
      coalesce(c.credits, 0)::bigint as spent, newest.at as "newestLeadAt",
      coalesce(jsonb_array_length(i.rules) > 0, false) as "hasCriteria",
      exists (select 1 from agent_source g
        where g.team_id = s.team_id and g.source_id = s.id and g.made and g.stopped_at is null) as "ofAgent",
      case when w.disabled_at is not null then coalesce(w.disabled_reason, 'failing') end as "webhookDisabled",
      case when o.state = 'paused' then o.paused_reason end as "outreachPaused"
    from page s ${labelJoins}
    left join sync y on y.team_id = s.team_id and y.id = s.last_sync_id
    left join sync u on u.team_id = s.team_id and u.id = s.open_sync_id
    left join fitting f on f.owner_id = s.id
    left join spending c on c.source_id = s.id
    left join lateral (
      select f.avatar_url as "avatarUrl" from person f
      where s.type = 'person' and f.team_id = s.team_id and f.handle = s.username limit 1
    ) face on true
    left join icp i on i.team_id = s.team_id and i.owner_id = s.id
    left join webhook w on w.team_id = s.team_id and w.owner_id = s.id
    left join outreach_rule o on o.team_id = s.team_id and o.owner_id = s.id
    ${newestLeadJoin}
    order by s.status, s.created_at desc, s.id desc`.execute(db)
  return rows.map(({ sourceMode, sourceCreatedAt, ...row }) => ({
    ...row,
    run: row.syncId === null ? null : { ...row },
    mode: sourceMode,
    createdAt: sourceCreatedAt,
  }))
}

/** A place in the list, in which tracked sources come first. */
export type HealthPlace = Position & { readonly status: 'active' | 'inactive' }

/** Lists sources, active ones first, each kind newest first. */
export function listHealth(
  db: Reader,
  teamId: string,
  page: { includeInactive: boolean; after: HealthPlace | null; limit: number; since: Date },
): Promise<HealthRow[]> {
  const { after } = page
  const behind =
    after === null
      ? sql`true`
      : sql`(s.status > ${after.status} or (s.status = ${after.status}
            and (s.created_at, s.id) < (${after.at}::timestamptz, ${after.id}::uuid)))`
  const tracked = page.includeInactive ? sql`true` : sql`s.status = 'active'`
  return readHealth(db, {
    teamId,
    since: page.since,
    chosen: sql`select s.* from source s where s.team_id = ${teamId} and ${tracked} and ${behind}
      order by s.status, s.created_at desc, s.id desc limit ${page.limit}`,
  })
}

/** Reads one source, if it exists. */
export async function findHealth(
  db: Reader,
  { teamId, id, since }: { teamId: string; id: string; since: Date },
): Promise<HealthRow | undefined> {
  return (
    await readHealth(db, {
      teamId,
      since,
      chosen: sql`select s.* from source s where s.team_id = ${teamId} and s.id = ${id}`,
    })
  )[0]
}

/** The runs of a source, newest first. */
export async function listSourceRuns(
  db: Reader,
  { teamId, sourceId, after, limit }: { teamId: string; sourceId: string; after: Position | null; limit: number },
): Promise<RunRow[]> {
  const behind = after === null ? sql`true` : sql`(y.created_at, y.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  return queryAll<RunRow>(db)`
    select ${runColumns} from sync y
      where y.team_id = ${teamId} and y.source_id = ${sourceId} and ${behind}
      order by y.created_at desc, y.id desc limit ${limit}`
}
