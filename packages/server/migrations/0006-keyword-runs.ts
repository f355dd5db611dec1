/** Runs of keyword searches: posts judged, authors captured, counters of a run. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // Who works on a run: the engine of keyword searches while it looks for posts, then capture, as on any other run.
  `alter table sync add column lane text not null default 'capture' check (lane in ('keyword', 'capture'))`,
  // What a keyword run has looked at (KRN-09).
  `alter table sync
    add column posts_scanned integer not null default 0,
    add column posts_kept integer not null default 0,
    add column discarded_by_expression integer not null default 0,
    add column authors_captured integer not null default 0,
    add column company_authors integer not null default 0,
    add column page_limited boolean not null default false,
    add column unapplied jsonb not null default '[]'`,
  `alter table sync_post drop constraint sync_post_phase_check`,
  `alter table sync_post add constraint sync_post_phase_check check (phase in ('author', 'reactions', 'comments', 'replies', 'done'))`,
  // How often a post had its turn, how much of its present kind of engagement was seen, how many rows it gave this run.
  `alter table sync_post
    add column turns integer not null default 0,
    add column seen integer not null default 0,
    add column rows_taken integer not null default 0`,
  // A run of 2,000 posts must not read its way past those that are done before each page.
  `create index sync_post_undone on sync_post (team_id, sync_id, position) where phase <> 'done'`,
  // Every post a search has seen, and what became of it. The filter is that of the AI which judged it; null: no AI was asked.
  `create table keyword_post (
    team_id uuid not null references team,
    source_id uuid not null,
    post_urn text not null,
    sync_id uuid not null,
    position integer not null,
    awaits_ai boolean not null,
    outcome text check (outcome in ('kept', 'discarded')),
    reason text,
    filter bytea,
    decided_at timestamptz,
    primary key (team_id, source_id, post_urn),
    constraint keyword_post_of_search foreign key (team_id, source_id) references keyword_search,
    constraint keyword_post_decided check ((outcome is null) = (decided_at is null) and (outcome is not null or awaits_ai))
  ) with (fillfactor = 70)`,
  `create index keyword_post_of_post on keyword_post (team_id, post_urn)`,
  `create index keyword_post_awaits_ai on keyword_post (team_id, sync_id, position) where awaits_ai`,
  `create index keyword_post_newest on keyword_post (team_id, source_id, decided_at desc, post_urn desc) include (outcome) where outcome is not null`,
  `create index source_ends on source (end_at) where status = 'active' and stopped_at is null and end_at is not null`,
  // Credits a team's keyword searches have spent on a UTC day of service time: what the daily ceiling is held against (G76).
  `create table keyword_spend (
    team_id uuid not null references team,
    day date not null,
    credits bigint not null,
    primary key (team_id, day)
  ) with (fillfactor = 50)`,
]
