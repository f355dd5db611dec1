/** ICP criteria and the ranked people of an agent. */
export const fit = `
create table icp (
  team_id uuid not null references team,
  owner_id uuid not null,
  rules jsonb not null,
  match_mode text not null check (match_mode in ('all', 'any')),
  version integer not null,
  saved_at timestamptz not null,
  primary key (team_id, owner_id)
) with (fillfactor = 70);

create table icp_rescore (
  team_id uuid not null references team,
  owner_id uuid not null,
  version integer not null,
  cursor_at timestamptz,
  cursor_id uuid,
  judged integer not null default 0,
  done boolean not null default false,
  lease_until_ms bigint,
  started_at timestamptz not null,
  unexpected_failures integer not null default 0,
  due_at timestamptz,
  lease_owner uuid,
  fence bigint not null default 0,
  primary key (team_id, owner_id)
) with (fillfactor = 50);
create index icp_rescore_open on icp_rescore (started_at) where not done;
create index icp_rescore_of_team_open on icp_rescore (team_id, owner_id) where not done;

create table agent_ranking (
  team_id uuid not null references team,
  agent_id uuid not null,
  judged_by text,
  wanted_by text,
  rules text,
  round integer not null default 0,
  cursor_urn text,
  judged integer not null default 0,
  asked boolean not null default true,
  asked_at timestamptz not null,
  due_at timestamptz,
  lease_owner uuid,
  lease_until_ms bigint,
  fence bigint not null default 0,
  unexpected_failures integer not null default 0,
  people integer not null default 0,
  listed integer not null default 0,
  waiting integer not null default 0,
  primary key (team_id, agent_id),
  constraint agent_ranking_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id)
) with (fillfactor = 50);

create table agent_person (
  team_id uuid not null references team,
  agent_id uuid not null,
  person_urn text not null,
  lead_id uuid not null,
  fact_id uuid,
  company_urn text,
  detected_at timestamptz not null,
  ended boolean not null,
  waiting boolean not null,
  listed boolean not null,
  icp smallint,
  signal smallint not null,
  engagements integer not null,
  topic text,
  source integer not null,
  judged jsonb not null,
  round integer not null,
  primary key (team_id, agent_id, person_urn),
  constraint agent_person_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id)
) with (fillfactor = 80);
create index agent_person_newest on agent_person (team_id, agent_id, detected_at desc, lead_id desc)
  include (ended, listed, icp, signal);
create index agent_person_ranked on agent_person (team_id, agent_id, icp desc nulls last, signal, detected_at desc,
  lead_id desc) include (person_urn) where ended and listed;
create index agent_person_waiting on agent_person (team_id, agent_id) where waiting;
create index agent_person_of_company on agent_person (company_urn) where company_urn is not null;

create table agent_post (
  team_id uuid not null references team,
  agent_id uuid not null,
  post_urn text not null,
  topics text not null,
  text_digest text not null,
  author_urn text,
  topic text,
  headline_topic text,
  kinds jsonb not null,
  primary key (team_id, post_urn, agent_id),
  constraint agent_post_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id),
  constraint agent_post_team_id_post_urn_fkey foreign key (team_id, post_urn) references post(team_id, urn) on delete cascade
);
create index agent_post_of_author on agent_post (team_id, agent_id, author_urn, post_urn desc) where author_urn is not null;

create table agent_ranking_due (
  team_id uuid not null references team,
  agent_id uuid not null,
  about text not null check (about in ('person', 'post')),
  urn text not null,
  mark bigint not null,
  primary key (team_id, agent_id, about, urn, mark)
);

create table agent_author (
  team_id uuid not null references team,
  agent_id uuid not null,
  author_urn text not null,
  topics text not null,
  topic text,
  primary key (team_id, agent_id, author_urn, topics),
  constraint agent_author_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id)
);

create function count_people_added() returns trigger language plpgsql as $$ begin
    update agent_ranking r set people = r.people + n.people, listed = r.listed + n.listed, waiting = r.waiting + n.waiting
    from (select team_id, agent_id, sum(people)::integer as people, sum(listed)::integer as listed,
      sum(waiting)::integer as waiting
      from (select team_id, agent_id, 1 as people, case when ended and listed then 1 else 0 end as listed,
        case when waiting then 1 else 0 end as waiting from added) each group by team_id, agent_id) n
    where r.team_id = n.team_id and r.agent_id = n.agent_id and (n.people <> 0 or n.listed <> 0 or n.waiting <> 0);
    return null;
  end $$;
create trigger agent_person_insert_count_people_added after insert on agent_person referencing new table as added for each
  statement execute function count_people_added();

create function count_people_changed() returns trigger language plpgsql as $$ begin
    update agent_ranking r set people = r.people + n.people, listed = r.listed + n.listed, waiting = r.waiting + n.waiting
    from (select team_id, agent_id, sum(people)::integer as people, sum(listed)::integer as listed,
      sum(waiting)::integer as waiting
      from (select team_id, agent_id, 1 as people, case when ended and listed then 1 else 0 end as listed,
        case when waiting then 1 else 0 end as waiting from added union all select team_id, agent_id, -1 as people,
          case when ended and listed then -1 else 0 end as listed,
        case when waiting then -1 else 0 end as waiting from gone) each group by team_id, agent_id) n
    where r.team_id = n.team_id and r.agent_id = n.agent_id and (n.people <> 0 or n.listed <> 0 or n.waiting <> 0);
    return null;
  end $$;
create trigger agent_person_update_count_people_changed after update on agent_person referencing old table as gone new table as
  added for each statement execute function count_people_changed();

create function count_people_gone() returns trigger language plpgsql as $$ begin
    update agent_ranking r set people = r.people + n.people, listed = r.listed + n.listed, waiting = r.waiting + n.waiting
    from (select team_id, agent_id, sum(people)::integer as people, sum(listed)::integer as listed,
      sum(waiting)::integer as waiting
      from (select team_id, agent_id, -1 as people, case when ended and listed then -1 else 0 end as listed,
        case when waiting then -1 else 0 end as waiting from gone) each group by team_id, agent_id) n
    where r.team_id = n.team_id and r.agent_id = n.agent_id and (n.people <> 0 or n.listed <> 0 or n.waiting <> 0);
    return null;
  end $$;
create trigger agent_person_delete_count_people_gone after delete on agent_person referencing old table as gone for each
  statement execute function count_people_gone();

create function stand_for_posts_added() returns trigger language plpgsql as $$ begin
    insert into agent_author (team_id, agent_id, author_urn, topics) select distinct team_id, agent_id, author_urn,
      topics from (select team_id, agent_id, author_urn, topics from added) each where author_urn is not null
    order by team_id, agent_id, author_urn, topics
      on conflict (team_id, agent_id, author_urn, topics) do update set topic = excluded.topic where false;
    with a as materialized (select distinct team_id, agent_id, author_urn, topics from (select team_id, agent_id, author_urn,
      topics from added) each where author_urn is not null)
    update agent_author k set topic = a.topic from (select a.*, (
  with written as (
    select post_urn collate "C" as urn, topic, headline_topic from agent_post p
    where p.team_id = a.team_id and p.agent_id = a.agent_id and p.author_urn = a.author_urn and p.topics = a.topics
    order by p.post_urn desc limit 200)
  select each.topic from (
    select headline_topic as topic, 0 as rank, 0 as posts, urn from written where headline_topic is not null
    union all select topic, 1, count(*), max(urn) from written where topic is not null group by topic) each
  order by each.rank, each.posts desc, each.urn desc limit 1) as topic from a) a
    where k.team_id = a.team_id and k.agent_id = a.agent_id and k.author_urn = a.author_urn and k.topics = a.topics
      and k.topic is distinct from a.topic;
    
    return null;
  end $$;
create trigger agent_post_insert_stand_for_posts_added after insert on agent_post referencing new table as added for each
  statement execute function stand_for_posts_added();

create function stand_for_posts_changed() returns trigger language plpgsql as $$ begin
    insert into agent_author (team_id, agent_id, author_urn, topics) select distinct team_id, agent_id, author_urn,
      topics from (select team_id, agent_id, author_urn, topics from added union all select team_id, agent_id, author_urn,
      topics from gone) each where author_urn is not null
    order by team_id, agent_id, author_urn, topics
      on conflict (team_id, agent_id, author_urn, topics) do update set topic = excluded.topic where false;
    with a as materialized (select distinct team_id, agent_id, author_urn, topics from (select team_id, agent_id, author_urn,
      topics from added union all select team_id, agent_id, author_urn, topics from gone) each where author_urn is not null)
    update agent_author k set topic = a.topic from (select a.*, (
  with written as (
    select post_urn collate "C" as urn, topic, headline_topic from agent_post p
    where p.team_id = a.team_id and p.agent_id = a.agent_id and p.author_urn = a.author_urn and p.topics = a.topics
    order by p.post_urn desc limit 200)
  select each.topic from (
    select headline_topic as topic, 0 as rank, 0 as posts, urn from written where headline_topic is not null
    union all select topic, 1, count(*), max(urn) from written where topic is not null group by topic) each
  order by each.rank, each.posts desc, each.urn desc limit 1) as topic from a) a
    where k.team_id = a.team_id and k.agent_id = a.agent_id and k.author_urn = a.author_urn and k.topics = a.topics
      and k.topic is distinct from a.topic;
    delete from agent_author k using (select distinct team_id, agent_id, author_urn, topics from gone) a
    where k.team_id = a.team_id and k.agent_id = a.agent_id and k.author_urn = a.author_urn and k.topics = a.topics
      and not exists (select 1 from agent_post p
        where p.team_id = k.team_id and p.agent_id = k.agent_id and p.author_urn = k.author_urn and p.topics = k.topics);
    return null;
  end $$;
create trigger agent_post_update_stand_for_posts_changed after update on agent_post referencing old table as gone new table as
  added for each statement execute function stand_for_posts_changed();

create function stand_for_posts_gone() returns trigger language plpgsql as $$ begin
    insert into agent_author (team_id, agent_id, author_urn, topics) select distinct team_id, agent_id, author_urn,
      topics from (select team_id, agent_id, author_urn, topics from gone) each where author_urn is not null
    order by team_id, agent_id, author_urn, topics
      on conflict (team_id, agent_id, author_urn, topics) do update set topic = excluded.topic where false;
    with a as materialized (select distinct team_id, agent_id, author_urn, topics from (select team_id, agent_id, author_urn,
      topics from gone) each where author_urn is not null)
    update agent_author k set topic = a.topic from (select a.*, (
  with written as (
    select post_urn collate "C" as urn, topic, headline_topic from agent_post p
    where p.team_id = a.team_id and p.agent_id = a.agent_id and p.author_urn = a.author_urn and p.topics = a.topics
    order by p.post_urn desc limit 200)
  select each.topic from (
    select headline_topic as topic, 0 as rank, 0 as posts, urn from written where headline_topic is not null
    union all select topic, 1, count(*), max(urn) from written where topic is not null group by topic) each
  order by each.rank, each.posts desc, each.urn desc limit 1) as topic from a) a
    where k.team_id = a.team_id and k.agent_id = a.agent_id and k.author_urn = a.author_urn and k.topics = a.topics
      and k.topic is distinct from a.topic;
    delete from agent_author k using (select distinct team_id, agent_id, author_urn, topics from gone) a
    where k.team_id = a.team_id and k.agent_id = a.agent_id and k.author_urn = a.author_urn and k.topics = a.topics
      and not exists (select 1 from agent_post p
        where p.team_id = k.team_id and p.agent_id = k.agent_id and p.author_urn = k.author_urn and p.topics = k.topics);
    return null;
  end $$;
create trigger agent_post_delete_stand_for_posts_gone after delete on agent_post referencing old table as gone for each
  statement execute function stand_for_posts_gone();
`
