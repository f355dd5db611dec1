/** SQL that looks for changes in many teams at once: a few index probes per team, and nothing that grows with its data. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { ChangeMarks, AuditedChange } from './rules/changes.ts'

type Row = ChangeMarks['marks'] & { teamId: string; written: AuditedChange[]; hasAgent: boolean }

/** Rows that a bounded count reads; changes beyond show in other marks. */
const counted = 500
const newestWritten = 20

/** SQL: a number that changes when any of these values of any row does. */
const digest = (...values: readonly string[]) =>
  sql.raw(`coalesce(sum(hashtextextended(concat_ws('|', ${values.join(', ')}), 0)), 0)`)

const marksOf = {
  leads: sql`concat_ws(' ',
    (select l.id from lead l where l.team_id = t.team_id and l.enrichment <> 'raw'
      order by l.created_at desc, l.id desc limit 1),
    (select l.id from lead l where l.team_id = t.team_id and l.enrichment = 'raw'
      order by l.created_at desc, l.id desc limit 1),
    (select count(*)
      from (select 1 from lead l
        where l.team_id = t.team_id and l.enrichment in ('pending', 'processing') limit ${sql.lit(counted)}) waiting),
    (select ${digest('r.owner_id', 'r.version', 'r.judged', 'r.done')} from icp_rescore r where r.team_id = t.team_id),
    s.leads)`,
  sources: sql`s.sources`,
  searches: sql`s.searches`,
  syncs: sql`y.syncs`,
  searching: sql`y.searching`,
  credits: sql`(select string_agg(concat_ws(' ', c.account, c.granted, c.spent, c.held, c.period_end), ', '
        order by c.account) from credit_account c where c.team_id = t.team_id)`,
  // Every claim takes a turn, and a delivery under way leaves the rows counted when it ends.
  deliveries: sql`concat_ws(' ',
    (select d.id from delivery d where d.team_id = t.team_id order by d.id desc limit 1),
    (select w.served from work_turn w where w.team_id = t.team_id and w.kind = 'delivery'),
    (select w.served from work_turn w where w.team_id = t.team_id and w.kind = 'send'),
    (select ${digest('d.id', 'd.fence', 'd.attempts', 'd.lease_owner is null')}
      from (select id, fence, attempts, lease_owner from delivery where team_id = t.team_id and state = 'pending'
        order by due_at limit ${sql.lit(counted)}) d),
    (select count(*)
      from (select 1 from delivery d
        where d.team_id = t.team_id and d.state = 'held' limit ${sql.lit(counted)}) held))`,
  // Claims take turns and write the destination; a batch queued while it is paused shows as its newest.
  destinations: sql`concat_ws(' ',
    (select w.served from work_turn w where w.team_id = t.team_id and w.kind = 'destination'),
    (select ${digest('d.id', 'd.active', 'd.paused_reason', 'd.fence', 'd.lease_until_ms', 'd.last_delivered_at', 'n.id')}
      from destination d left join lateral (
        select id from destination_delivery where team_id = d.team_id and destination_id = d.id
        order by id desc limit 1) n on true
      where d.team_id = t.team_id))`,
  results: sql`(select r.id from result r where r.team_id = t.team_id order by r.id desc limit 1)`,
  endpoints: sql`(select ${digest('w.owner_id', 'w.failing_since', 'w.disabled_at')} from webhook w
      where w.team_id = t.team_id and w.url is not null)`,
  discover: sql`(select
      ${digest('r.id', 'r.state', 'r.phase', 'r.found', 'r.qualified', 'r.country_checked', 'r.country_matched')}
      from (select * from discover_run where team_id = t.team_id and deleted_at is null
        order by created_at desc, id desc limit 5) r)`,
  agent: sql`(select ${digest('a.id', 'a.status', 'a.launch', 'a.discover_run', 'a.people_added', 'a.pending is null')}
      from agent a where a.team_id = t.team_id)`,
  outreach: sql`concat_ws(' ',
    (select w.served from work_turn w where w.team_id = t.team_id and w.kind = 'outreach'),
    (select ${digest('b.id', 'b.state', 'b.checks')}
      from (select id, state, checks from outreach_batch where team_id = t.team_id order by id desc limit 5) b),
    (select count(*)
      from (select 1 from outreach_queue q where q.team_id = t.team_id limit ${sql.lit(counted)}) queued),
    (select ${digest('r.owner_id', 'r.state', 'r.updated_at', 'r.due_at')} from outreach_rule r
      where r.team_id = t.team_id))`,
} as const satisfies Record<keyof ChangeMarks['marks'], unknown>

/** Reads the marks of teams in one statement. */
export async function readChangeMarks(db: Reader, teamIds: readonly string[]): Promise<Map<string, ChangeMarks>> {
  if (teamIds.length === 0) return new Map()
  const marks = Object.entries(marksOf).map(([name, mark]) => sql`${mark}::text as ${sql.ref(name)}`)
  const { rows } = await sql<Row>`
    select t.team_id as "teamId", ${sql.join(marks)}, exists (select 1 from agent a
      where a.team_id = t.team_id and a.status = 'active') as "hasAgent",
      (select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'operation', e.operation)), '[]')
        from (select id, operation from audit_entry where team_id = t.team_id
          order by at desc, id desc limit ${newestWritten}) e) as written
    from unnest(${teamIds}::uuid[]) as t (team_id)
    cross join lateral (
      select
        ${digest('id', 'status', 'mode', 'open_sync_id', 'last_sync_id', 'next_sync_at', 'stopped_at', 'enrich_leads')}
        as sources,
        coalesce(sum(hashtextextended(concat_ws('|', id, status, open_sync_id, last_sync_id, next_sync_at, stopped_at),
              0)) filter (where type = 'keyword'), 0) as searches,
        concat_ws(' ', sum(lead_rows), sum(raw_rows), sum(leads_pending), sum(leads_completed)) as leads
      from source where team_id = t.team_id) s
    cross join lateral (
      select coalesce(sum(progress) filter (where lane = 'capture'), 0) as syncs,
        coalesce(sum(progress) filter (where lane = 'keyword'), 0) as searching
      from (select lane, hashtextextended(concat_ws('|', id, state, posts_total, posts_processed, posts_fetched,
            lead_rows, credits_spent, engagers_seen, declared, posts_scanned, posts_kept, attempts), 0) as progress
        from sync where team_id = t.team_id and finished_at is null) open) y`.execute(db)
  return new Map(rows.map(({ teamId, written, hasAgent, ...seen }) => [teamId, { marks: seen, written, hasAgent }]))
}
