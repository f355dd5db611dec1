/** People who wait to be enriched, laid down set-based, for the benchmarks of enrichment. */
import { sql } from 'kysely'
import type { Stage } from './support.ts'

/** Lays down so many of a team, with a source and a lead each, and at the end says that they are due. */
export async function layDownPeople({ service, tools }: Stage, teamId: string, waiting: number): Promise<void> {
  const db = tools.bare
  const sourceId = service.ids.uuid(new Date())
  await sql`
    insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at,
        lead_rows, leads_pending)
    values (${teamId}, ${sourceId}, 'person', ${`author-${waiting}`}, sha256(${`author-${waiting}`}::bytea), 'active',
        'engagers', true, true, ${new Date()}, ${waiting}, ${waiting})`.execute(db)
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        reaction, post_urn, post_url, post_posted_at, name, headline, linkedin_url, enrichment, webhook_status,
        created_at)
    select ${teamId}, ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, ${sourceId}, ${sourceId},
      'profile', 'ACoAA' || i, 'reaction:urn:li:activity:' || i, 'Like', 'Like', 'urn:li:activity:' || i,
      'https://www.linkedin.com/feed/update/urn:li:activity:' || i, ${new Date()}, 'Person ' || i, 'Head of Growth',
      'https://www.linkedin.com/in/ACoAA' || i, 'pending', 'no_webhook', ${new Date()}
    from generate_series(1, ${waiting}::int) i`.execute(db)
  await sql`insert into enrichment_task (team_id, person_urn, due_at, created_at)
    select ${teamId}, 'ACoAA' || i, ${new Date()}, ${new Date()} from generate_series(1, ${waiting}::int) i`.execute(db)
  await sql`insert into work_turn (team_id, kind, served) values (${teamId}, 'enrichment', 0)`.execute(db)
  for (const table of ['lead', 'enrichment_task', 'work_turn'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
}
