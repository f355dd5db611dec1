/** How many calls of the data vendors one team may cause a day: whoever pays the vendors is not at the mercy of one team. */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { type Network, ProviderFailure } from '../ports.ts'

/** What counting takes. */
export type TeamBudgetParts<DB> = {
  readonly db: Kysely<DB>
  /** Service time: its UTC day is the day that is counted. */
  readonly serviceNow: () => Promise<Date>
  /** The team that the present piece of work is for; undefined for work of no team, which is not counted. */
  readonly team: () => string | undefined
  /** SQL: one row whose column `most` is how many calls a day a team may cause; no row without such a team. */
  readonly mostOf: (teamId: string) => RawBuilder<{ most: number }>
  /** True while no vendor would be asked: then nothing is counted. */
  readonly nobodyAsked?: () => Promise<boolean>
}

/** Counts a call in one statement; false when the team has made as many today as it may. */
async function countCall<DB>(
  { db, mostOf }: Pick<TeamBudgetParts<DB>, 'db' | 'mostOf'>,
  teamId: string,
  day: string,
): Promise<boolean> {
  const { rows } = await sql`
    with allowed as (${mostOf(teamId)})
    insert into vendor_day as d (team_id, day, calls) select ${teamId}, ${day}::date, 1 from allowed where most > 0
    on conflict (team_id) do update set
      day = excluded.day, calls = case when d.day = excluded.day then d.calls + 1 else 1 end
    where d.day <> excluded.day or d.calls < (select most from allowed)
    returning calls`.execute(db)
  return rows.length > 0
}

/**
 * The network, counted by team. Beyond the figure nothing is asked: `rate_limited`, held until the next day begins, so that
 * background work waits without being counted as tried, and a caller is told when to come back.
 */
export function budgetedByTeam<DB>(network: Network, parts: TeamBudgetParts<DB>): Network {
  const counted =
    <A extends unknown[], R>(operation: string, call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const teamId = parts.team()
      if (teamId === undefined || teamId === '') return await call(...given)
      if (await parts.nobodyAsked?.()) return await call(...given)
      const now = await parts.serviceNow()
      const day = now.toISOString().slice(0, 10)
      if (await countCall(parts, teamId, day)) return await call(...given)
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
