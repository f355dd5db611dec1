/** The handler of the credits page: burn by day and source, and how long the balance lasts. */
import { sql } from 'kysely'
import { readTeam, type SessionHandlers } from '../accounts/index.ts'
import { categoryInWords, readCredits, chargesBetween } from '../credits/index.ts'
import { forecast, lastDates, lookBackDays, startOf } from './rules/forecast.ts'
import { queryAll, queryOne } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { labelJoins, nameOfSource } from '../leads/index.ts'

const dayMs = 86_400_000

/** When a team began to spend. Charges can be older than the team: the sample team's are. */
function beganAt(createdAt: Date, rows: readonly { readonly date: string | null }[]): Date {
  const first = rows.flatMap(({ date }) => date ?? []).toSorted()[0]
  return first !== undefined && first < createdAt.toISOString().slice(0, 10) ? startOf(first) : createdAt
}

/** Charges of a day (`date` null: of all days) by key: a source's id, a category, or `other`. */
type BurnRow = {
  date: string | null
  key: string
  credits: number
  sourceId: string | null
  type: string | null
  label: string | null
}

const namedSources = 10

/** Sums charges by UTC day and source; what an agent's free trial paid is one sum (G126). */
const sumBurn = (db: Reader, teamId: string, since: Date) =>
  queryAll<BurnRow>(db)`
    with charges as materialized (
      select day, case when category = 'agent_trial' then null else source_id end as source_id, category,
        sum(credits) as credits
      from (${chargesBetween({ teamId, from: since, to: null })}) charged group by 1, 2, 3
    ), ranked as (
      select coalesce(source_id::text, category) as key, source_id, sum(credits) as credits,
        row_number() over (order by sum(credits) desc, coalesce(source_id::text,
              category)) <= ${namedSources} as is_named
      from charges group by 1, 2
    ), named as (select key, case when is_named then key else 'other' end as shown,
    case when is_named then source_id end as source_id, credits from ranked),
    totals as (select shown, source_id, sum(credits)::bigint as credits from named group by 1, 2)
    select to_char(c.day, 'YYYY-MM-DD') as date, n.shown as key, sum(c.credits)::bigint as credits,
      null::uuid as "sourceId", null as type, null as label
    from charges c join named n on n.key = coalesce(c.source_id::text, c.category) group by 1, 2
    union all
    select null, t.shown, t.credits, t.source_id, s.type, ${nameOfSource} from totals t
    left join source s on s.team_id = ${teamId} and s.id = t.source_id ${labelJoins}`

/** Charges to the team's own account: by sources on the UTC day they were added, by sources later, and without a source. */
type SpentRow = { firstSyncs: number; bySources: number; elsewhere: number }

const sumSpent = async (db: Reader, teamId: string, since: Date): Promise<SpentRow> =>
  (await queryOne<SpentRow>(db)`
    select coalesce(sum(c.credits) filter (where c.day = (s.created_at at time zone 'UTC')::date),
        0)::bigint as "firstSyncs",
      coalesce(sum(c.credits) filter (where c.day <> (s.created_at at time zone 'UTC')::date),
          0)::bigint as "bySources",
      coalesce(sum(c.credits) filter (where s.id is null), 0)::bigint as elsewhere
    from (${chargesBetween({ teamId, from: since, to: null })}) c
    left join source s on s.team_id = ${teamId} and s.id = c.source_id
    where c.category is distinct from 'agent_trial'`)!

/**
 * The most that the daily syncs of tracked sources can charge the team in a day, free trials of agents left out; null if one has
 * no cap. For a search that stores only posts, the smaller of its two caps counts.
 */
async function sumCaps(db: Reader, teamId: string): Promise<number | null> {
  const { rows } = await sql<{ caps: number; uncapped: number }>`
    select coalesce(sum(c.cap), 0)::bigint as caps, (count(*) filter (where c.cap is null))::integer as uncapped from (
      select case s.mode when 'posts_only' then least(k.credit_cap, s.posts_per_sync)
        else coalesce(k.credit_cap, s.credit_cap_per_sync) end as cap
      from source s left join keyword_search k on k.team_id = s.team_id and k.source_id = s.id
      where s.team_id = ${teamId} and s.status = 'active' and s.stopped_at is null and s.pays_from = 'team'
    ) c`.execute(db)
  return rows[0]!.uncapped > 0 ? null : rows[0]!.caps
}

export const creditDashboardOperations: SessionHandlers<'getBurn'> = {
  getBurn: async (input, { caller: { teamId }, db, now }) => {
    const dates = lastDates(now, input.days)
    const rows = await sumBurn(db, teamId, startOf(dates[0]!))
    const [team, credits] = [await readTeam(db, teamId), await readCredits(db, teamId, now)]
    const spent = await sumSpent(db, teamId, new Date(now.getTime() - lookBackDays * dayMs))
    const outlook = forecast({
      balance: credits.balance,
      spent,
      dailyCap: await sumCaps(db, teamId),
      since: beganAt(team!.createdAt, rows),
      now,
      resetAt: new Date(credits.nextReset),
    })
    const byDate = Map.groupBy(rows, (row) => row.date)
    const bySource = (date: string) =>
      (byDate.get(date) ?? [])
        .map(({ key, credits: charged }) => ({ key, credits: charged }))
        .sort((a, b) => b.credits - a.credits || (a.key < b.key ? -1 : 1))
    return {
      credits,
      days: dates.map((date) => ({
        date,
        total: bySource(date).reduce((sum, row) => sum + row.credits, 0),
        bySource: bySource(date),
      })),
      sources: (byDate.get(null) ?? [])
        .map(({ key, sourceId, type, label, credits: charged }) => ({
          key,
          sourceId,
          type: type ?? key,
          label: label ?? categoryInWords(key),
          credits: charged,
        }))
        .sort(
          (a, b) =>
            Number(a.key === 'other') - Number(b.key === 'other') || b.credits - a.credits || (a.key < b.key ? -1 : 1),
        ),
      forecast: { ...outlook, resetAt: credits.nextReset },
    }
  },
}
