/** Limits how many vendor calls a team may cause per day, so that one team cannot run up the operator's bill. */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import { gathered } from '../../platform/gathered.ts'
import { type Network, ProviderFailure } from '../ports.ts'

type TeamBudgetParts = {
  readonly db: Kysely<Database>
  /** Service time; calls are counted per UTC day. */
  readonly serviceNow: () => Promise<Date>
  /** The team of the current piece of work; undefined when it belongs to no team, which is not counted. */
  readonly team: () => string | undefined
  /** SQL with a row for each of these teams that exists; `most`: calls a day it may cause. */
  readonly maxCallsOf: (teamIds: readonly string[]) => RawBuilder<{ team_id: string; most: number }>
  /** True while all vendors are held: then no call is made, so none is counted. */
  readonly allHeld?: () => Promise<boolean>
}

type Call = { readonly teamId: string; readonly day: string }

/** Counts concurrent calls together; returns whether each is allowed. Skips the disk wait; counts lost in a crash do no harm. */
async function countCalls({ db, maxCallsOf }: TeamBudgetParts, calls: readonly Call[]): Promise<readonly boolean[]> {
  const left = new Map<Call, number>()
  for (const [day, ofDay] of Map.groupBy(calls, (call) => call.day)) {
    const byTeam = Map.groupBy(ofDay, (call) => call.teamId)
    // Sorted, because the statement locks each team's row.
    const teamIds = [...byTeam.keys()].sort()
    const { rows } = await sql<{ team_id: string; free: number }>`
      with allowed as materialized (${maxCallsOf(teamIds)}),
      counted as (
        insert into vendor_day as d (team_id, day, calls)
        select asked.team_id, ${day}::date, asked.calls
        from unnest(${teamIds}::uuid[], ${teamIds.map((id) => byTeam.get(id)!.length)}::int[]) as asked (team_id, calls)
        join allowed on allowed.team_id = asked.team_id
        cross join (select set_config('synchronous_commit', 'off', true)) as without_disk
        order by asked.team_id
        on conflict (team_id) do update set
          day = excluded.day,
          calls = least(case when d.day = excluded.day then d.calls else 0 end, 1000000000) + excluded.calls
        returning d.team_id, d.calls)
      select counted.team_id, allowed.most - counted.calls as free
      from counted join allowed on allowed.team_id = counted.team_id`.execute(db)
    // The team's last call gets the new count, the one before it one less, and so on.
    for (const row of rows)
      for (const [index, call] of byTeam.get(row.team_id)!.toReversed().entries()) left.set(call, row.free + index)
  }
  return calls.map((call) => (left.get(call) ?? -1) >= 0)
}

/** The network with a daily limit per team; above it calls throw `rate_limited`, held until the next UTC day, so work waits. */
export function budgetedByTeam(network: Network, parts: TeamBudgetParts): Network {
  const count = gathered((calls: readonly Call[]) => countCalls(parts, calls))
  const counted =
    <A extends unknown[], R>(operation: string, call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const teamId = parts.team()
      if (!teamId || (await parts.allHeld?.())) return await call(...given)
      const now = await parts.serviceNow()
      const day = now.toISOString().slice(0, 10)
      if (await count({ teamId, day })) return await call(...given)
      const until = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
      throw new ProviderFailure({
        provider: 'network',
        operation,
        kind: 'rate_limited',
        message: `The team has caused as many calls of the network today as it may: it goes on at ${until.toISOString()}`,
        retryAfterMs: until.getTime() - now.getTime(),
        held: { reason: 'cap', until },
      })
    }
  return {
    roleOf: (source) => network.roleOf(source),
    callsAtOnce: () => network.callsAtOnce(),
    resolveHandle: counted('resolveHandle', network.resolveHandle),
    profile: counted('profile', network.profile),
    company: counted('company', network.company),
    posts: counted('posts', network.posts),
    post: counted('post', network.post),
    reactions: counted('reactions', network.reactions),
    comments: counted('comments', network.comments),
    replies: counted('replies', network.replies),
    searchPosts: counted('searchPosts', network.searchPosts),
  }
}
