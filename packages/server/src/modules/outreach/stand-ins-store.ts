/** SQL that looks for another lead of somebody who is queued: the one they were queued by may not go any more, and this one may. */
import type { FilterRow } from '@les/contract'
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { compileForLeads } from '../fit/index.ts'
import { isExcluded } from '../leads/index.ts'
import { feeds, type Rule } from './rule-store.ts'

/**
 * The newest lead by which each of these people in the queue of a rule may go: enriched, of a tracked source that feeds the rule,
 * passing its filters (an agent's are judged by the agent), and captured since the rule sends by itself, unless the person was
 * queued by a push of history, and not excluded. People without one are left out.
 */
export async function findStandIns(
  db: Reader,
  {
    teamId,
    rule,
    personUrns,
  }: { readonly teamId: string; readonly rule: Rule; readonly personUrns: readonly string[] },
): Promise<string[]> {
  if (personUrns.length === 0) return []
  const passes = rule.ownerKind === 'agent' ? null : compileForLeads(rule.filters as readonly FilterRow[], 'all')
  const { rows } = await sql<{ id: string }>`
    select found.id from unnest(${[...personUrns]}::text[]) as asked(urn)
    join outreach_queue q on q.team_id = ${teamId} and q.owner_id = ${rule.ownerId} and q.person_urn = asked.urn
    cross join lateral (select l.id from lead l
      join source s on s.team_id = ${teamId} and s.id = l.source_id and s.status = 'active'
      left join company c on c.urn = l.company_urn
      where l.team_id = ${teamId} and l.person_urn = q.person_urn and l.enrichment = 'completed'
        and (q.historic or l.created_at >= ${rule.autoSendSince})
        and ${feeds(teamId, rule, sql`l.source_id`)} and ${passes ?? sql`true`}
        and not ${isExcluded(teamId)}
      order by l.created_at desc, l.id desc limit 1) found`.execute(db)
  return rows.map(({ id }) => id)
}
