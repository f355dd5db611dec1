/** SQL of `source_report`: sources that an operator should look at, since their name says too little about whose they are (G146). */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'

/**
 * A source that an operator should look at. `double`: `other` is of the same person or page under the plain name, and both are kept;
 * `no_handle`: the name is nobody's handle; `lower_case_id`: a member id whose case was lost, so that it may be of somebody else.
 */
export type SourceReport = {
  readonly teamId: string
  readonly sourceId: string
  readonly reason: 'double' | 'no_handle' | 'lower_case_id'
  readonly type: 'person' | 'company'
  readonly username: string
  readonly status: 'active' | 'inactive'
  readonly leads: number
  readonly plainName: string
  readonly other: {
    readonly sourceId: string
    readonly type: string
    readonly status: 'active' | 'inactive'
    readonly leads: number
  } | null
}

/** Reports a source whose person or page turns out to be that of another tracked source, under a name that nobody knew to be theirs. */
export async function reportDouble(tx: Tx, source: { teamId: string; id: string }, networkUrn: string): Promise<void> {
  await sql`
    insert into source_report (team_id, source_id, reason, plain_name, other_id)
    select s.team_id, s.id, 'double', s.username, o.id from source s
    join source o on o.team_id = s.team_id and o.type = s.type and o.network_urn = ${networkUrn} and o.id <> s.id
      and o.status = 'active'
    where s.team_id = ${source.teamId} and s.id = ${source.id} order by o.created_at, o.id limit 1
    on conflict (team_id, source_id) do nothing`.execute(tx.db)
}

const most = 1_000

/** The reported sources, those that are still tracked first, at most 1,000, and how many there are. */
export async function listSourceReports(db: Reader): Promise<{ reports: SourceReport[]; total: number }> {
  const { rows } = await sql<SourceReport & { total: number }>`
    select r.team_id as "teamId", r.source_id as "sourceId", r.reason, s.type, s.username, s.status,
      s.lead_rows + s.raw_rows as leads, r.plain_name as "plainName",
      case when o.id is not null then jsonb_build_object('sourceId', o.id, 'type', o.type, 'status', o.status, 'leads',
          o.lead_rows + o.raw_rows) end as other, count(*) over ()::int as total
    from source_report r join source s on s.team_id = r.team_id and s.id = r.source_id
    left join source o on o.team_id = r.team_id and o.id = r.other_id
    order by s.status, r.team_id, r.source_id limit ${most}`.execute(db)
  return { reports: rows.map(({ total: _, ...report }) => report), total: rows[0]?.total ?? 0 }
}
