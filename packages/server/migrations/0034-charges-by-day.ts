/**
 * What was charged on every UTC day, by source and category: sums over a million charges are read from some hundred rows. Kept by a
 * trigger, so that whoever writes the ledger keeps it, also a program of the version before. And an index that counts the leads that
 * fit, source by source.
 */

/** SQL that adds charges to their days. */
const add = (entries: string) => `insert into credit_day as d (team_id, day, subject, category, credits, charges)
    select e.team_id, (e.created_at at time zone 'UTC')::date, coalesce(e.source_id::text, ''), coalesce(e.category, ''), -sum(e.amount), count(*)
    from ${entries} e where e.kind = 'charge' group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (team_id, day, subject, category) do update set credits = d.credits + excluded.credits, charges = d.charges + excluded.charges`

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // Subject: the id of the source, or nothing; so that all four columns can be the key.
  `create table credit_day (
    team_id uuid not null references team,
    day date not null,
    subject text not null,
    category text not null,
    credits bigint not null,
    charges integer not null,
    primary key (team_id, day, subject, category)
  ) with (fillfactor = 70)`,
  `create index credit_day_of_subject on credit_day (team_id, subject, day)`,
  `create function keep_credit_days() returns trigger language plpgsql as $$ begin
    ${add('added')};
    return null;
  end $$`,
  `create trigger credit_entry_added_days after insert on credit_entry referencing new table as added for each statement execute function keep_credit_days()`,
  add('credit_entry'),
  `create index lead_fitting on lead (team_id, owner_id) where is_icp and enrichment <> 'raw'`,
]
