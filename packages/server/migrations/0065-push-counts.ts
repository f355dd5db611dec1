/**
 * What of a push has come how far, kept with it, so that reading it does not count its leads (docs/decisions/0097). Triggers write
 * what changes as differences, in the transaction that changes it, whoever writes: also a program of the version before. A difference
 * is a row of its transaction (`mark`), so that transactions that settle leads of one push never wait for one another; they are added
 * to `push_count` in the background. A push from before is counted from its leads until it was counted once (`counted`).
 */

/** SQL that notes differences of pushes, given as `team_id`, `push_id`, `state`, `awaits_enrichment` and `leads`. */
const note = (
  differences: string,
) => `insert into push_change as c (team_id, push_id, mark, state, awaits_enrichment, leads)
    select team_id, push_id, pg_current_xact_id()::text::bigint, state, awaits_enrichment, sum(leads) from (${differences}) changed
    group by 1, 2, 4, 5 having sum(leads) <> 0 order by 2, 4, 5
    on conflict (team_id, push_id, mark, state, awaits_enrichment) do update set leads = c.leads + excluded.leads`

/**
 * SQL of a function that notes differences, run once for each statement. Its plan is kept for the session, and the first statement
 * may have changed one row and a later one a million: rows are looked up one by one whatever the first has seen.
 */
const noting = (name: string, differences: string) =>
  `create function ${name}() returns trigger language plpgsql set enable_seqscan = off as $$ begin
    ${note(differences)};
    return null;
  end $$`

// What an update leaves as it was takes itself away, without the rows before being looked for among those after.
const moved = `
      select p.team_id, p.push_id, d.state, d.awaits_enrichment, d.leads from (
        select team_id, id, state, awaits_enrichment, sum(n) as leads from (
          select team_id, id, state, awaits_enrichment, 1 as n from rows
          union all select team_id, id, state, awaits_enrichment, -1 from gone) each_row
        group by 1, 2, 3, 4 having sum(n) <> 0) d
      cross join lateral (select team_id, push_id from push_lead
        where team_id = d.team_id and delivery_id = d.id offset 0) p`

/** SQL: the deliveries that `rows` of `push_lead` name, as they are now. */
const named = (leads: 1 | -1) => `
      select r.team_id, r.push_id, d.state, d.awaits_enrichment, ${leads} as leads from rows r
      cross join lateral (select state, awaits_enrichment from delivery
        where team_id = r.team_id and id = r.delivery_id offset 0) d`

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table push_count (
    team_id uuid not null,
    push_id uuid not null,
    state text not null,
    awaits_enrichment boolean not null,
    leads bigint not null,
    primary key (team_id, push_id, state, awaits_enrichment)
  ) with (fillfactor = 70)`,
  `create table push_change (
    team_id uuid not null,
    push_id uuid not null,
    mark bigint not null,
    state text not null,
    awaits_enrichment boolean not null,
    leads bigint not null,
    primary key (team_id, push_id, mark, state, awaits_enrichment)
  )`,
  // Rows come and go with every unit that settles pushed leads.
  `alter table push_change set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000, autovacuum_vacuum_cost_delay = 0)`,
  `alter table push add column counted boolean not null default false`,
  `alter table push alter column counted set default true`,
  noting('note_pushed_moved', moved),
  noting('note_pushed_added', named(1)),
  noting('note_pushed_left', named(-1)),
  `create trigger delivery_update_pushes after update on delivery
    referencing old table as gone new table as rows for each statement execute function note_pushed_moved()`,
  `create trigger push_lead_insert_counts after insert on push_lead
    referencing new table as rows for each statement execute function note_pushed_added()`,
  `create trigger push_lead_delete_counts after delete on push_lead
    referencing old table as rows for each statement execute function note_pushed_left()`,
]
