import type { Answer, SessionOperationOf } from '@les/contract'
import { isInThisShard } from '../../platform/db/shards.ts'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'

type OperatorTeam = Answer<SessionOperationOf<'getOperatorOverview'>>['teams'][number]

/** Lists at most `most` teams for operators, newest first, without the sample team, which is no customer. */
export const listTeamsForOperator = (db: Reader, most: number) =>
  queryAll<OperatorTeam>(db)`
    select t.id, t.name, t.plan, t.status, coalesce(a.granted - a.spent - a.held, 0)::integer as credits,
      coalesce(a.period_used, 0)::integer as "usedThisPeriod",
      (select count(*)::integer from source s where s.team_id = t.id and s.status = 'active') as "activeSources"
    from (select t.* from team t where t.id <> ${sampleTeamId} and ${isInThisShard()} order by t.created_at desc, t.id desc limit ${most}) t
    left join credit_account a on a.team_id = t.id and a.account = 'team'
    order by t.created_at desc, t.id desc`
