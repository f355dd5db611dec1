/** ICP criteria and the ranked people of an agent. */
export const fit = `
create table icp (
  team_id uuid not null references team, owner_id uuid not null, rules jsonb not null,
  match_mode text not null check (match_mode in ('all', 'any')),
  version integer not null, saved_at timestamptz not null,
  primary key (team_id, owner_id)
) with (fillfactor = 70);

create table icp_rescore (
  team_id uuid not null references team, owner_id uuid not null, version integer not null, cursor_at timestamptz,
  cursor_id uuid, judged integer not null default 0, done boolean not null default false, lease_until_ms bigint,
  started_at timestamptz not null, unexpected_failures integer not null default 0, due_at timestamptz,
  lease_owner uuid, fence bigint not null default 0,
  primary key (team_id, owner_id)
) with (fillfactor = 50);
create index icp_rescore_open on icp_rescore (started_at) where not done;
create index icp_rescore_of_team_open on icp_rescore (team_id, owner_id) where not done;

create table agent_ranking (
  team_id uuid not null references team, agent_id uuid not null, judged_by text, wanted_by text, rules text,
  round integer not null default 0, cursor_urn text, judged integer not null default 0,
  asked boolean not null default true, asked_at timestamptz not null, due_at timestamptz, lease_owner uuid,
  lease_until_ms bigint, fence bigint not null default 0, unexpected_failures integer not null default 0,
  primary key (team_id, agent_id),
  constraint agent_ranking_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id)
) with (fillfactor = 50);

create table agent_person (
  team_id uuid not null references team, agent_id uuid not null, person_urn text not null, lead_id uuid not null,
  fact_id uuid, company_urn text, detected_at timestamptz not null, ended boolean not null,
  waiting boolean not null, listed boolean not null, icp smallint, signal smallint not null,
  engagements integer not null, topic text, source integer not null, judged jsonb not null, round integer not null,
  primary key (team_id, agent_id, person_urn),
  constraint agent_person_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id)
) with (fillfactor = 80);
create index agent_person_newest on agent_person (team_id, agent_id, detected_at desc, lead_id desc)
  include (person_urn, ended, listed, waiting, icp, signal);
create index agent_person_of_company on agent_person (company_urn) where company_urn is not null;

create table agent_post (
  team_id uuid not null references team, agent_id uuid not null, post_urn text not null, topics text not null,
  text_digest text not null, author_urn text, topic text, headline_topic text, kinds jsonb not null,
  primary key (team_id, post_urn, agent_id),
  constraint agent_post_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id),
  constraint agent_post_team_id_post_urn_fkey foreign key (team_id, post_urn) references post(team_id, urn) on delete cascade
);
create index agent_post_of_author on agent_post (team_id, agent_id, author_urn, post_urn desc)
  include (topics, topic, headline_topic) where author_urn is not null;

create table agent_ranking_due (
  team_id uuid not null references team, agent_id uuid not null,
  about text not null check (about in ('person', 'post')),
  urn text not null, mark bigint not null,
  primary key (team_id, agent_id, about, urn, mark)
);
`
