/** Keyword searches and the posts they found. */
export const keywords = `
create table keyword_search (
  team_id uuid not null references team, source_id uuid not null, name text, terms jsonb not null, expression text,
  sort text not null check (sort in ('RELEVANCE', 'DATE_POSTED')),
  date_posted text not null check (date_posted in ('PAST_24_HOURS', 'PAST_WEEK', 'PAST_MONTH')),
  content_type text, filters jsonb not null,
  ai_provider text check (ai_provider in ('openai', 'anthropic', 'google', 'mistral')),
  ai_model text, ai_prompt text, credit_cap integer not null check (credit_cap > 0),
  capture_engagers boolean not null, capture_post_authors boolean not null,
  capture_mode text not null check (capture_mode in ('depth', 'breadth')),
  max_engagements_per_post integer, saved_at timestamptz not null,
  primary key (team_id, source_id),
  constraint keyword_search_ai check (((ai_provider is null) = (ai_prompt is null)) and (ai_provider is not null
    or ai_model is null))
);

create table keyword_post (
  team_id uuid not null references team, source_id uuid not null, post_urn text not null, sync_id uuid not null,
  position integer not null, awaits_ai boolean not null, outcome text check (outcome in ('kept', 'discarded')),
  reason text, filter bytea, decided_at timestamptz,
  primary key (team_id, source_id, post_urn),
  constraint keyword_post_of_search foreign key (team_id, source_id) references keyword_search(team_id, source_id),
  constraint keyword_post_decided check (((outcome is null) = (decided_at is null)) and (outcome is not null or awaits_ai))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
create index keyword_post_of_post on keyword_post (team_id, post_urn);
create index keyword_post_awaits_ai on keyword_post (team_id, sync_id, "position") where awaits_ai;
create index keyword_post_newest on keyword_post (team_id, source_id, decided_at desc, post_urn desc) include (outcome)
  where outcome is not null;
create index keyword_post_reason_age on keyword_post (team_id, decided_at) where reason is not null;

create table keyword_spend (
  team_id uuid not null references team, day date not null, credits bigint not null,
  primary key (team_id, day)
) with (fillfactor = 50);
`
