/** The daily cap of a vendor: what it may cost in a UTC day of service time. */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import type { Held } from '../ports.ts'
import { dayOf, type CostMeter } from './meter.ts'
import { AiFailure, defaultModels, type AiJudge } from '../ai/port.ts'
import { capHolds } from './rules/cap.ts'

/** Dollars a day by vendor; a vendor that is not named has no cap. */
export type DailyCaps = Readonly<Record<string, number>>

/** Says of an account whether it has cost today what it may; asks the database only of those that have a cap. */
export function dailyCap(parts: {
  readonly db: Kysely<Database>
  readonly caps: DailyCaps
  readonly meter: CostMeter
}): (account: string, now: Date) => Promise<Held | null> {
  return async (account, now) => {
    const cap = parts.caps[account]
    if (cap === undefined) return null
    const { rows } = await sql<{ micro: number }>`
      select micro_dollars as micro from vendor_cost_day
      where vendor = ${account} and day = ${dayOf(now)}::date`.execute(parts.db)
    return capHolds({ cap, spent: Number(rows[0]?.micro ?? 0) / 1e6 + parts.meter.pending(account) }, now)
  }
}

/** What the cap of a team's own AI keys is judged with. */
export type AiCapParts = {
  readonly db: Kysely<Database>
  /** Dollars that they may cost a team in a UTC day; null for no cap. */
  readonly dollars: number | null
  readonly meter: CostMeter
  readonly serviceNow: () => Promise<Date>
  /** The team that the present piece of work is for. */
  readonly team: () => string | undefined
}

/**
 * The judge, which puts no question once the AI keys of a team have cost it in a day what the operator lets them: it throws
 * `AiFailure` `rate_limited`, held, so that a run waits for the next day. Trying out a key is not capped.
 */
export function cappedJudge(judge: AiJudge, parts: AiCapParts): AiJudge {
  const { dollars: cap } = parts
  if (cap === null) return judge
  const holds = async (teamId: string): Promise<Held | null> => {
    const now = await parts.serviceNow()
    const { rows } = await sql<{ micro: number }>`
      select coalesce(sum(team_micro_dollars), 0) as micro from serving_cost
      where team_id = ${teamId} and day = ${dayOf(now)}::date`.execute(parts.db)
    return capHolds({ cap, spent: Number(rows[0]!.micro) / 1e6 + parts.meter.pendingOfTeam(teamId) }, now)
  }
  return {
    check: (vendor, key, options) => judge.check(vendor, key, options),
    judge: async (question) => {
      const teamId = parts.team()
      const held = teamId ? await holds(teamId) : null
      if (held)
        throw new AiFailure({
          vendor: question.vendor,
          model: question.model?.trim() || defaultModels[question.vendor],
          kind: 'rate_limited',
          message: `The AI filters of your team have cost $${cap} today, which is as much as they may: they go on tomorrow (UTC).`,
          held,
        })
      return judge.judge(question)
    },
  }
}
