/** The names of sources, as SQL for modules of every level: a search by its name, a post by its author, others as tracked. */
import { sql } from 'kysely'

/** The joins that `labelOfSource` reads, on `source s`. */
export const labelJoins = sql`
    left join keyword_search named on named.team_id = s.team_id and named.source_id = s.id
    left join post shown on s.type = 'post' and shown.team_id = s.team_id and shown.urn = s.username`

/** The same joins for few sources: look-ups by key, where the planner might otherwise read every post of the team. */
export const labelLookups = sql`
    left join lateral (select name from keyword_search
      where s.type = 'keyword' and team_id = s.team_id and source_id = s.id limit 1) named on true
    left join lateral (select author_name from post
      where s.type = 'post' and team_id = s.team_id and urn = s.username limit 1) shown on true`

/** The label of `source s`, with `labelJoins` or `labelLookups`; null where there is no source. */
export const labelOfSource = sql`case s.type when 'keyword' then coalesce(nullif(named.name, ''), s.username)
  when 'post' then coalesce('Post by ' || shown.author_name, s.post_url, s.username) else s.username end`

/** How many of a source's newest leads are searched for a post it wrote; every lead that was captured has its post. */
const maxLeadsSearched = 20

/**
 * The name of the person or company that is `source s`, from its newest post with a lead; null for other kinds, and until a post
 * was read. Starting at the newest leads costs two look-ups per source, however many leads it has.
 */
export const personOfSource = sql`case when s.type in ('person', 'company') then (
    select written.author_name from (
      select l.team_id, l.post_urn, l.created_at, l.id from lead l
      where l.team_id = s.team_id and l.owner_id = s.id and l.enrichment <> 'raw'
      order by l.created_at desc, l.id desc limit ${sql.lit(maxLeadsSearched)}
    ) by_them join post written on written.team_id = by_them.team_id and written.urn = by_them.post_urn
    order by by_them.created_at desc, by_them.id desc limit 1) end`

/** The dashboard's name of `source s`, with `labelJoins`. The interface keeps `labelOfSource`, which programs rely on. */
export const nameOfSource = sql`coalesce(${personOfSource}, ${labelOfSource})`
