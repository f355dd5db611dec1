/** The ledger: append-only, one row per charge; its unique key is the business fact. */
export const credits = `
create table credit_account (
  team_id uuid not null references team,
  account text not null check (account in ('team', 'agent_trial')),
  granted bigint not null, spent bigint not null, held bigint not null, allowance bigint not null,
  period_used bigint not null, anchor_at timestamptz not null, period_start timestamptz not null,
  period_end timestamptz, overspent bigint not null default 0,
  primary key (team_id, account),
  constraint credit_never_negative check (spent >= 0 and held >= 0 and ((spent + held) <= granted))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

create table credit_entry (
  team_id uuid not null references team, id uuid not null, account text not null, key text not null,
  kind text not null check (kind in ('grant', 'topup', 'lapse', 'adjust', 'charge', 'refund')),
  amount bigint not null, category text, source_id uuid, sync_id uuid, created_at timestamptz not null,
  primary key (team_id, id),
  constraint credit_entry_key unique (team_id, key),
  constraint credit_entry_sign check ((kind = 'charge' and amount < 0) or (kind = 'lapse' and amount <= 0)
    or (kind in ('grant', 'topup', 'refund') and amount >= 0) or kind = 'adjust')
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index credit_entry_charges on credit_entry (team_id, created_at) include (amount, category, source_id)
  where kind = 'charge';
create index credit_entry_of_source on credit_entry (team_id, source_id, id) where source_id is not null;
create index credit_entry_changes on credit_entry (team_id, id) where kind <> 'charge';

create table credit_hold (
  team_id uuid not null references team, id uuid not null,
  account text not null check (account in ('team', 'agent_trial')),
  amount bigint not null check (amount > 0),
  expires_at timestamptz not null,
  primary key (team_id, id)
);
create index credit_hold_expiry on credit_hold (expires_at);

-- Free engagements: one row per page, run and reason; merged to one per run, day and reason once the run is a week old.
create table free_line (
  team_id uuid not null references team, id uuid not null, source_id uuid, sync_id uuid,
  reason text not null check (reason in ('seen_before', 'same_person_other_engagement', 'blocked', 'company_author',
    'already_enriched', 'enrichment_failed', 'post_seen_before')),
  count integer not null check (count > 0),
  -- One element per engagement counted: its lead's id, else a hash of the engagement, or null. Merged rows have null.
  engagements uuid[], created_at timestamptz not null,
  primary key (team_id, id)
);
create index free_line_of_run on free_line (team_id, sync_id) where sync_id is not null;
create index free_line_unmerged on free_line (created_at) where engagements is not null;

-- Charges that the team disputes, each at most once.
create table dispute (
  team_id uuid not null references team, id uuid not null, entry_id uuid not null,
  reason text not null check (reason in ('duplicate', 'own_staff', 'wrong_person', 'wrong_company', 'not_a_person', 'other')),
  note text,
  credits integer not null check (credits > 0),
  state text not null check (state in ('open', 'credited', 'declined')),
  -- \`automatic\`: settled by the 5 % rule.
  settled_by text check (settled_by in ('automatic', 'operator')),
  decision_note text, created_at timestamptz not null, settled_at timestamptz,
  primary key (team_id, id),
  constraint dispute_once unique (team_id, entry_id),
  constraint dispute_settled check ((state = 'open') = (settled_at is null) and (state = 'open') = (settled_by is null))
);
create index dispute_open on dispute (created_at, id) where state = 'open';
create index dispute_automatic on dispute (team_id, created_at) where settled_by = 'automatic';

create function credit_entry_is_final() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and (old.team_id = '5a3b1e00-7ea0-4000-8000-000000000001'
      or exists (select 1 from team where id = old.team_id and (ending or shard <> tg_table_schema))) then return old; end if;
    -- An erasure replaces a key that names the person; nothing else may change.
    if tg_op = 'UPDATE' and new.key ~ '^erased:[0-9a-f-]{36}$' and to_jsonb(new) - 'key' = to_jsonb(old) - 'key'
      then return new; end if;
    raise exception 'credit_entry is append-only';
  end $$;
create trigger credit_entry_append_only before delete or update on credit_entry for each row
  execute function credit_entry_is_final();
`
