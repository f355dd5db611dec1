/**
 * What a source is called, wherever it is named: a search by its name, a post by its author, anything else as it is tracked. One
 * piece of SQL for every module, since modules of every level name sources.
 */
import { sql } from 'kysely'

/** What `labelOfSource` reads besides `source s`. */
export const labelJoins = sql`
    left join keyword_search named on named.team_id = s.team_id and named.source_id = s.id
    left join post shown on s.type = 'post' and shown.team_id = s.team_id and shown.urn = s.username`

/** The label of `source s`, beside `labelJoins`; null where there is no source. */
export const labelOfSource = sql`case s.type when 'keyword' then coalesce(nullif(named.name, ''), s.username) when 'post' then coalesce('Post by ' || shown.author_name, s.post_url, s.username) else s.username end`
