/** Whether people who are let in for longer than a request may stay. */
import { sql } from 'kysely'
import type { Reader } from '../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../platform/sample-team.ts'

/** Somebody who looks at a team by a session. */
export type Presence = { readonly sessionId: string; readonly userId: string; readonly teamId: string }

/**
 * For each, in the order given: whether the session still holds at `at` and the person is still a member, or looks at the sample team; one
 * query for all.
 */
export async function listStillIn(db: Reader, present: readonly Presence[], at: Date): Promise<boolean[]> {
  if (present.length === 0) return []
  const { rows } = await sql<{ place: number }>`
    select p.place::integer as place
    from unnest(${present.map(({ sessionId }) => sessionId)}::text[], ${present.map(({ userId }) => userId)}::text[],
        ${present.map(({ teamId }) => teamId)}::uuid[]) with ordinality as p (session_id, user_id, team_id, place)
    join sign_in.session s on s.id = p.session_id and s."userId" = p.user_id and s."expiresAt" > ${at}
    left join sign_in.membership m on m.user_id = p.user_id and m.team_id = p.team_id
    where m.user_id is not null or p.team_id = ${sampleTeamId}`.execute(db)
  const places = new Set(rows.map(({ place }) => place))
  return present.map((_one, index) => places.has(index + 1))
}
