/** How many calls of the data vendors one team may cause a day: the operator's vendor bill is not at the mercy of one team. */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { gathered } from '../../platform/gathered.ts'
import { type Network, ProviderFailure } from '../ports.ts'

/** What counting takes. */
type TeamBudgetParts<DB> = {
  readonly db: Kysely<DB>
  /** Service time: its UTC day is the day that is counted. */
  readonly serviceNow: () => Promise<Date>
  /** The team that the present piece of work is for; undefined for work of no team, which is not counted. */
  readonly team: () => string | undefined
  /** SQL: a row for each of these teams that there is, `most` being how many calls a day it may cause. */
  readonly maxCallsOf: (teamIds: readonly string[]) => RawBuilder<{ team_id: string; most: number }>
  /** True while all vendors are held, so that none would be asked: then nothing is counted. */
  readonly allHeld?: () => Promise<boolean>
}

/** One call of a team on a UTC day. */
type Call = { readonly teamId: string; readonly day: string }

/**
 * Counts calls, those made concurrently in one statement; answers of each whether its team may make it. The commit waits for no disk: a
 * crash of the database forgets the counts of its last moments, and no call depends on them.
 */
async function countCalls<DB>(
  { db, maxCallsOf }: Pick<TeamBudgetParts<DB>, 'db' | 'maxCallsOf'>,
  calls: readonly Call[],
): Promise<readonly boolean[]> {
  const left = new Map<Call, number>()
  for (const [day, ofDay] of Map.groupBy(calls, (call) => call.day)) {
    const byTeam = Map.groupBy(ofDay, (call) => call.teamId)
    // In one order, since the statement locks the row of each.
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
    // The last of a team's calls has its present count, the one before it one less, and so on.
    for (const row of rows)
      for (const [index, call] of byTeam.get(row.team_id)!.toReversed().entries()) left.set(call, row.free + index)
  }
  return calls.map((call) => (left.get(call) ?? -1) >= 0)
}

/**
 * The network, counted by team. Beyond the figure nothing is asked: `rate_limited`, held until the next day begins, so that
 * background work waits without being counted as tried, and a caller learns when to come back.
 */
export function budgetedByTeam<DB>(network: Network, parts: TeamBudgetParts<DB>): Network {
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
