/** `GET /credits` and `GET /credits/usage`: the balance, and charges by day and source (G13, G15). */
import type { Answer, OperationOf } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { type Handlers, readTeam } from '../accounts/index.ts'
import { readBalance } from './actions.ts'

/** SQL: rows `(day, source_id, category, credits)` of charges, instants inclusive; index `credit_entry_charges` covers them. */
export function chargesBetween({
  teamId,
  from,
  to,
}: {
  teamId: string
  from: Date
  to: Date | null
}): RawBuilder<unknown> {
  return sql`
    select (e.created_at at time zone 'UTC')::date as day, e.source_id, e.category, -e.amount as credits
    from credit_entry e
    where e.team_id = ${teamId} and e.kind = 'charge' and e.created_at >= ${from}
      and ${to === null ? sql`true` : sql`e.created_at <= ${to}`}`
}

type ChargeSum = {
  readonly date: string | null
  readonly category: string | null
  readonly sourceId: string | null
  readonly credits: number
}

/** Charge sums between two inclusive instants: rows with `date` are by day, the others by source. */
const sumCharges = (db: Reader, { teamId, from, to }: { teamId: string; from: Date; to: Date }) =>
  queryAll<ChargeSum>(db)`
    with charges as (
      select day, category, case category when 'agent_trial' then null else source_id end as source_id,
        sum(credits) as credits
      from (${chargesBetween({ teamId, from, to })}) charged group by 1, 2, 3
    )
    select to_char(day, 'YYYY-MM-DD') as date, null as category, null::uuid as "sourceId",
      sum(credits)::bigint as credits
    from charges group by day
    union all
    select null, category, source_id, sum(credits)::bigint from charges group by category, source_id`

type CreditUsage = Answer<OperationOf<'getCreditsUsage'>>

type SourceType = CreditUsage['bySource'][number]['type']

type SourceDescription = { readonly type: string; readonly label: string }

/** Builds the usage answer; both breakdowns add up to the total (G15). */
function presentUsage(
  period: { from: Date; to: Date },
  rows: readonly ChargeSum[],
  described: ReadonlyMap<string, SourceDescription>,
): CreditUsage {
  const describe = ({ sourceId }: ChargeSum) => (sourceId === null ? undefined : described.get(sourceId))
  const days = rows.filter((row) => row.date !== null)
  const sources = rows.filter((row) => row.date === null)
  return {
    from: period.from,
    to: period.to,
    total: days.reduce((sum, row) => sum + row.credits, 0),
    byDate: days.map((row) => ({ date: row.date!, credits: row.credits })).sort((a, b) => (a.date < b.date ? -1 : 1)),
    bySource: sources
      .map((row) => ({
        sourceId: row.sourceId,
        type: (describe(row)?.type ?? row.category) as SourceType,
        label: describe(row)?.label ?? null,
        credits: row.credits,
      }))
      .sort((a, b) => b.credits - a.credits || ((a.sourceId ?? a.type) < (b.sourceId ?? b.type) ? -1 : 1)),
  }
}

/** A team's balance as shown in answers; a trial does not renew, so its `nextReset` is its end (G14). */
export async function readCredits(db: Reader, teamId: string, now: Date): Promise<Answer<OperationOf<'getCredits'>>> {
  const [figures, team] = [await readBalance(db, teamId, now), await readTeam(db, teamId)]
  const { balance, used, limit, remaining } = figures
  return {
    balance,
    used,
    limit,
    remaining,
    plan: team?.plan ?? '',
    nextReset: figures.nextReset ?? team?.trialEndsAt ?? figures.periodStart,
  }
}

/** Labels of sources by id; injected, because `sources` is a higher module. */
type DescribeSources = (
  db: Reader,
  teamId: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, SourceDescription>>

/** The requested span, by default the billing period until now; refuses one that ends before it begins. */
export async function spanAsked(
  asked: { readonly from?: Date | undefined; readonly to?: Date | undefined },
  { db, teamId, now }: { db: Reader; teamId: string; now: Date },
): Promise<{ readonly from: Date; readonly to: Date }> {
  const from = asked.from ?? (await readBalance(db, teamId, now)).periodStart
  const to = asked.to ?? now
  if (to < from)
    refuse(
      'invalid_request',
      {},
      asked.from === undefined
        ? `\`to\` must not be before ${from.toISOString()}, when the billing period began: send \`from\` too`
        : `\`from\` must not be after ${to.toISOString()}, which is now: send \`to\` too`,
    )
  return { from, to }
}

export const creditOperations = (describeSources: DescribeSources): Handlers<'getCredits' | 'getCreditsUsage'> => ({
  getCredits: (_input, { caller, db, now }) => readCredits(db, caller.teamId, now),
  getCreditsUsage: async (input, { caller: { teamId }, db, now }): Promise<CreditUsage> => {
    const span = await spanAsked(input, { db, teamId, now })
    const sums = await sumCharges(db, { teamId, ...span })
    const sourceIds = new Set(sums.flatMap(({ sourceId }) => sourceId ?? []))
    return presentUsage(span, sums, await describeSources(db, teamId, [...sourceIds]))
  },
})
