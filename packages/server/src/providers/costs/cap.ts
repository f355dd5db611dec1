/** Daily caps on the cost of a vendor and of a team's AI keys, per UTC day of service time. */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import type { Held } from '../failure.ts'
import { dayOf, type CostMeter } from './meter.ts'
import { AiFailure, modelInForce, type AiJudge } from '../ai/port.ts'

const checkAgainMs = 10 * 60_000
const dayMs = 86_400_000

/** Holds an account at its cap until the next UTC day, rechecked every ten minutes because the cap may be raised. */
export function capHolds({ cap, spent }: { cap: number; spent: number }, now: Date): Held | null {
  if (spent < cap) return null
  const midnight = (Math.floor(now.getTime() / dayMs) + 1) * dayMs
  return { reason: 'cap', until: new Date(Math.min(midnight, now.getTime() + checkAgainMs)) }
}

/** Returns a function that tells whether an account has reached its daily cap; queries only for accounts that have one. */
export function dailyCap(parts: {
  readonly db: Kysely<Database>
  readonly caps: Readonly<Record<string, number>>
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

type AiCapParts = {
  readonly db: Kysely<Database>
  /** Dollars per team and UTC day; null: no cap. */
  readonly dollars: number | null
  readonly meter: CostMeter
  readonly serviceNow: () => Promise<Date>
  readonly team: () => string | undefined
}

/** A judge with a daily cap on a team's AI cost; above it `judge` (not `check`) throws `rate_limited`, held, so runs wait. */
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
