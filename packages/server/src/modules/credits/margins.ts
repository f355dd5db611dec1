/** Compares teams' charges with their vendor costs (`serving_cost`), for the operator. */
import { isInThisShard } from '../../platform/db/shards.ts'
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'

/** Charges and costs of teams with any, costliest first; costs of the team's own AI keys are excluded. */
export async function listMargins(
  db: Reader,
  { days, vendors, most }: { days: { from: string; to: string }; vendors: readonly string[]; most: number },
) {
  const { rows } = await sql<{ teamId: string; name: string; credits: number; micro: number }>`
    select t.id as "teamId", t.name, coalesce(charged.credits, 0) as credits, coalesce(cost.micro, 0) as micro
    from team t
    left join (select team_id, -sum(amount) as credits from credit_entry where kind = 'charge'
      and created_at >= (${days.from}::date at time zone 'UTC')
      and created_at < ((${days.to}::date + 1) at time zone 'UTC') group by team_id) charged on charged.team_id = t.id
    left join (select team_id, sum(micro_dollars) as micro from serving_cost
      where day between ${days.from}::date and ${days.to}::date and vendor = any(${[...vendors]}::text[])
      group by team_id) cost on cost.team_id = t.id
    where t.id <> ${sampleTeamId} and ${isInThisShard()}
    and (charged.credits is not null or cost.micro is not null) order by micro desc, t.id limit ${most}`.execute(db)
  return rows.map(({ micro, ...team }) => ({ ...team, credits: Number(team.credits), dollars: Number(micro) / 1e6 }))
}
