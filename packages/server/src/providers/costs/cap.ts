/** Daily caps: what a vendor, and the AI keys of a team, may cost in a UTC day of service time. */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import type { Held } from '../failure.ts'
import { dayOf, type CostMeter } from './meter.ts'
import { AiFailure, modelInForce, type AiJudge } from '../ai/port.ts'

const checkAgainMs = 10 * 60_000
const dayMs = 86_400_000

/** Held once the cap is reached, until the next UTC day; checked again every ten minutes, since the cap may be raised meanwhile. */
export function capHolds({ cap, spent }: { cap: number; spent: number }, now: Date): Held | null {
  if (spent < cap) return null
  const midnight = (Math.floor(now.getTime() / dayMs) + 1) * dayMs
  return { reason: 'cap', until: new Date(Math.min(midnight, now.getTime() + checkAgainMs)) }
}

/** Dollars a day by vendor; a vendor that is not named has no cap. */
type DailyCaps = Readonly<Record<string, number>>

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
type AiCapParts = {
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
          model: modelInForce(question.vendor, question.model),
          kind: 'rate_limited',
          message: `The AI filters of your team have cost $${cap} today, which is as much as they may: they go on tomorrow (UTC).`,
          held,
        })
      return judge.judge(question)
    },
  }
}
