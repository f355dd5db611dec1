/** Keyword searches: what each looks for, and the schedule that ends them. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements = [
  // What a search looks for; mode, posts per run, replies and raw mode stand on its source, which has the same id.
  `create table keyword_search (
    team_id uuid not null references team,
    source_id uuid not null,
    name text,
    terms jsonb not null,
    expression text,
    sort text not null check (sort in ('RELEVANCE', 'DATE_POSTED')),
    date_posted text not null check (date_posted in ('PAST_24_HOURS', 'PAST_WEEK', 'PAST_MONTH')),
    content_type text,
    filters jsonb not null,
    ai_provider text check (ai_provider in ('openai', 'anthropic', 'google', 'mistral')),
    ai_model text,
    ai_prompt text,
    credit_cap integer not null check (credit_cap > 0),
    capture_engagers boolean not null,
    capture_post_authors boolean not null,
    capture_mode text not null check (capture_mode in ('depth', 'breadth')),
    max_engagements_per_post integer,
    saved_at timestamptz not null,
    primary key (team_id, source_id),
    constraint keyword_search_ai check ((ai_provider is null) = (ai_prompt is null) and (ai_provider is not null or ai_model is null))
  )`,
  // The schedule: counted runs so far, and what ends the search (KRN-16..KRN-22). Only keyword searches have limits.
  `alter table source add column runs_completed integer not null default 0`,
  `alter table source add column max_runs integer`,
  `alter table source add column end_at timestamptz`,
  `alter table source add column run_once boolean not null default false`,
  `alter table source add column stopped_at timestamptz`,
  `alter table source add column stopped_reason text check (stopped_reason in ('max_runs', 'run_once', 'end_at'))`,
]
