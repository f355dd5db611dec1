/**
 * How many leads every owner has, Discover runs as well as sources: what an unfiltered list says it holds. And what a run that
 * takes turns has left of a page it paid the vendor for; and posts that the AI filter is asked about again.
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table lead_count (
    team_id uuid not null references team,
    owner_id uuid not null,
    lead_rows integer not null check (lead_rows >= 0),
    raw_rows integer not null check (raw_rows >= 0),
    primary key (team_id, owner_id)
  ) with (fillfactor = 70)`,
  `insert into lead_count (team_id, owner_id, lead_rows, raw_rows)
    select team_id, owner_id, count(*) filter (where enrichment <> 'raw'), count(*) filter (where enrichment = 'raw') from lead group by team_id, owner_id`,
  `alter table sync_post add column page_rest jsonb`,
  // Posts that were discarded because no verdict on them could be read: the next run that finds them asks again.
  `update keyword_post set filter = null where outcome = 'discarded' and reason = 'The AI gave no readable verdict on this post.'`,
]
