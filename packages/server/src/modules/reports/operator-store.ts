/** SQL of the operators' list of teams; bounded whatever there is. */
import type { Answer, SessionOperationOf } from '@les/contract'
import { currentShard } from '../../platform/db/shards.ts'
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'

type OperatorTeam = Answer<SessionOperationOf<'getOperatorOverview'>>['teams'][number]

/** Lists teams, the newest first, at most `most`; the sample team is no customer's. */
export async function listTeamsForOperator(db: Reader, most: number): Promise<OperatorTeam[]> {
  const { rows } = await sql<OperatorTeam>`
    select t.id, t.name, t.plan, t.status, coalesce(a.granted - a.spent - a.held, 0)::integer as credits,
      coalesce(a.period_used, 0)::integer as "usedThisPeriod",
      (select count(*)::integer from source s where s.team_id = t.id and s.status = 'active') as "activeSources"
    from (select * from team where id <> ${sampleTeamId} and shard = ${currentShard()} order by created_at desc, id desc limit ${most}) t
    left join credit_account a on a.team_id = t.id and a.account = 'team'
    order by t.created_at desc, t.id desc`.execute(db)
  return rows
}
