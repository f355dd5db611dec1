/**
 * Most deliveries are in no push, and every statement that settles or claims some asks the trigger of migration 0065, which grouped and
 * joined and prepared to write before it found that there was nothing to note: a fifth of what a settlement of a dozen cost. It looks
 * first whether any of them is in a push (docs/decisions/0100).
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create or replace function note_pushed_moved() returns trigger language plpgsql set enable_seqscan = off as $$ begin
    if not exists (select from rows r cross join lateral (
        select from push_lead p where p.team_id = r.team_id and p.delivery_id = r.id limit 1) listed) then
      return null;
    end if;
    insert into push_change as c (team_id, push_id, mark, state, awaits_enrichment, leads)
    select team_id, push_id, pg_current_xact_id()::text::bigint, state, awaits_enrichment, sum(leads) from (
      select p.team_id, p.push_id, d.state, d.awaits_enrichment, d.leads from (
        select team_id, id, state, awaits_enrichment, sum(n) as leads from (
          select team_id, id, state, awaits_enrichment, 1 as n from rows
          union all select team_id, id, state, awaits_enrichment, -1 from gone) each_row
        group by 1, 2, 3, 4 having sum(n) <> 0) d
      cross join lateral (select team_id, push_id from push_lead
        where team_id = d.team_id and delivery_id = d.id offset 0) p) changed
    group by 1, 2, 4, 5 having sum(leads) <> 0 order by 2, 4, 5
    on conflict (team_id, push_id, mark, state, awaits_enrichment) do update set leads = c.leads + excluded.leads;
    return null;
  end $$`,
]
