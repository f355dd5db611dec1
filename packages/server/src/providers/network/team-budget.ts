/** How many calls of the data vendors one team may cause a day: whoever pays the vendors is not at the mercy of one team. */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { gathered } from '../../platform/gathered.ts'
import { type Network, ProviderFailure } from '../ports.ts'

/** What counting takes. */
export type TeamBudgetParts<DB> = {
  readonly db: Kysely<DB>
  /** Service time: its UTC day is the day that is counted. */
  readonly serviceNow: () => Promise<Date>
  /** The team that the present piece of work is for; undefined for work of no team, which is not counted. */
  readonly team: () => string | undefined
  /** SQL: a row for each of these teams that there is, `most` being how many calls a day it may cause. */
  readonly mostOf: (teamIds: readonly string[]) => RawBuilder<{ team_id: string; most: number }>
  /** True while no vendor would be asked: then nothing is counted. */
  readonly nobodyAsked?: () => Promise<boolean>
}

/** One call of a team on a UTC day. */
type Call = { readonly teamId: string; readonly day: string }

/**
 * Counts calls, of each team all or none of them, in one statement; answers the teams whose calls were counted. It waits for no
 * disk: a crash of the database forgets the counts of its last moments, and no call hangs on them.
 */
async function countAll<DB>(
  { db, mostOf }: Pick<TeamBudgetParts<DB>, 'db' | 'mostOf'>,
  day: string,
  calls: ReadonlyMap<string, number>,
): Promise<ReadonlySet<string>> {
  // In one order, since a statement locks the row of each.
  const teamIds = [...calls.keys()].sort()
  const { rows } = await sql<{ team_id: string }>`
    with allowed as materialized (${mostOf(teamIds)}),
    asked as (
      select a.team_id, a.calls, l.most
      from unnest(${teamIds}::uuid[], ${teamIds.map((id) => calls.get(id)!)}::int[]) as a (team_id, calls)
      join allowed l on l.team_id = a.team_id
      cross join (select set_config('synchronous_commit', 'off', true)) waits_for_no_disk
      where a.calls <= l.most order by a.team_id)
    insert into vendor_day as d (team_id, day, calls) select team_id, ${day}::date, calls from asked
    on conflict (team_id) do update set
      day = excluded.day, calls = case when d.day = excluded.day then d.calls else 0 end + excluded.calls
    where d.day <> excluded.day
      or d.calls + excluded.calls <= (select most from allowed where allowed.team_id = d.team_id)
    returning d.team_id`.execute(db)
  return new Set(rows.map((row) => row.team_id))
}

/** Counts a call; false when the team has made as many today as it may. Calls side by side are counted together. */
function callCounter<DB>(parts: Pick<TeamBudgetParts<DB>, 'db' | 'mostOf'>): (call: Call) => Promise<boolean> {
  const countOne = async ({ teamId, day }: Call) => (await countAll(parts, day, new Map([[teamId, 1]]))).size > 0
  return gathered(async (calls: readonly Call[]) => {
    const counted = new Set<Call>()
    for (const [day, ofDay] of Map.groupBy(calls, (call) => call.day)) {
      const byTeam = Map.groupBy(ofDay, (call) => call.teamId)
      const whole = await countAll(parts, day, new Map([...byTeam].map(([teamId, { length }]) => [teamId, length])))
      for (const [teamId, ofTeam] of byTeam)
        for (const call of ofTeam) {
          // Where there is no room for all of them, each is counted alone until there is none for one.
          if (!whole.has(teamId) && (ofTeam.length === 1 || !(await countOne(call)))) break
          counted.add(call)
        }
    }
    return calls.map((call) => counted.has(call))
  })
}

/**
 * The network, counted by team. Beyond the figure nothing is asked: `rate_limited`, held until the next day begins, so that
 * background work waits without being counted as tried, and a caller is told when to come back.
 */
export function budgetedByTeam<DB>(network: Network, parts: TeamBudgetParts<DB>): Network {
  const count = callCounter(parts)
  const counted =
    <A extends unknown[], R>(operation: string, call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const teamId = parts.team()
      if (teamId === undefined || teamId === '') return await call(...given)
      if (await parts.nobodyAsked?.()) return await call(...given)
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
