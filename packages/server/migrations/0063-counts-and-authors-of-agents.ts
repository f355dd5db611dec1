/**
 * What a page of an agent's list had counted and looked up each time (docs/decisions/0066): how many people there are, and what the
 * author of each post stands for. Triggers keep both in the transaction that changes people or posts, also of a program of the version
 * before, and of a post that is deleted with what was kept of it.
 */

/** SQL that adds to the counts of agents: rows of `of` count `by` each. */
const counting = (of: string, by: number) =>
  `select team_id, agent_id, ${by} as people, case when ended and listed then ${by} else 0 end as listed,
        case when waiting then ${by} else 0 end as waiting from ${of}`

/** SQL of a function that counts the people of the rows that a statement has written. */
const countPeople = (name: string, rows: string) =>
  `create function ${name}() returns trigger language plpgsql as $$ begin
    update agent_ranking r set people = r.people + n.people, listed = r.listed + n.listed, waiting = r.waiting + n.waiting
    from (select team_id, agent_id, sum(people)::integer as people, sum(listed)::integer as listed, sum(waiting)::integer as waiting
      from (${rows}) each group by team_id, agent_id) n
    where r.team_id = n.team_id and r.agent_id = n.agent_id and (n.people <> 0 or n.listed <> 0 or n.waiting <> 0);
    return null;
  end $$`

/**
 * SQL of what the author of `a` stands for: what the headline of their newest post says, else what most of their newest 200 posts are
 * about, and of equally many the newer (`scoring/rules/agent-people.ts`).
 */
const standsFor = `(
  with written as (
    select post_urn collate "C" as urn, topic, headline_topic from agent_post p
    where p.team_id = a.team_id and p.agent_id = a.agent_id and p.author_urn = a.author_urn and p.topics = a.topics
    order by p.post_urn desc limit 200)
  select each.topic from (
    select headline_topic as topic, 0 as rank, 0 as posts, urn from written where headline_topic is not null
    union all select topic, 1, count(*), max(urn) from written where topic is not null group by topic) each
  order by each.rank, each.posts desc, each.urn desc limit 1)`

const author = 'team_id, agent_id, author_urn, topics'

/**
 * SQL of a function that finds anew what the authors of such rows stand for. Each author's row is taken before their posts are read, so
 * that of two transactions the later sees what the other has written.
 */
const standForPosts = (name: string, rows: string, forgetting = '') =>
  `create function ${name}() returns trigger language plpgsql as $$ begin
    insert into agent_author (${author}) select distinct ${author} from (${rows}) each where author_urn is not null
    order by ${author} on conflict (${author}) do update set topic = excluded.topic where false;
    with a as materialized (select distinct ${author} from (${rows}) each where author_urn is not null)
    update agent_author k set topic = a.topic from (select a.*, ${standsFor} as topic from a) a
    where k.team_id = a.team_id and k.agent_id = a.agent_id and k.author_urn = a.author_urn and k.topics = a.topics
      and k.topic is distinct from a.topic;
    ${forgetting}
    return null;
  end $$`

/** SQL that forgets the authors of whom no post is left. */
const forgetAuthors = `delete from agent_author k using (select distinct ${author} from gone) a
    where k.team_id = a.team_id and k.agent_id = a.agent_id and k.author_urn = a.author_urn and k.topics = a.topics
      and not exists (select 1 from agent_post p
        where p.team_id = k.team_id and p.agent_id = k.agent_id and p.author_urn = k.author_urn and p.topics = k.topics);`

const onEach = {
  insert: 'new table as added',
  update: 'old table as gone new table as added',
  delete: 'old table as gone',
}

/** SQL of the triggers that run a function of each kind of statement. */
const triggers = (table: string, names: { readonly [E in keyof typeof onEach]: string }) =>
  (['insert', 'update', 'delete'] as const).map(
    (kind) =>
      `create trigger ${table}_${kind}_${names[kind]} after ${kind} on ${table} referencing ${onEach[kind]}
        for each statement execute function ${names[kind]}()`,
  )

const rowsOf = (table: string) => `select ${author} from ${table}`

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `alter table agent_ranking add column people integer not null default 0, add column listed integer not null default 0,
    add column waiting integer not null default 0`,
  countPeople('count_people_added', counting('added', 1)),
  countPeople('count_people_gone', counting('gone', -1)),
  countPeople('count_people_changed', `${counting('added', 1)} union all ${counting('gone', -1)}`),
  ...triggers('agent_person', {
    insert: 'count_people_added',
    update: 'count_people_changed',
    delete: 'count_people_gone',
  }),
  `update agent_ranking r set people = n.people, listed = n.listed, waiting = n.waiting
    from (select team_id, agent_id, count(*)::integer as people, (count(*) filter (where ended and listed))::integer as listed,
        (count(*) filter (where waiting))::integer as waiting from agent_person group by team_id, agent_id) n
    where r.team_id = n.team_id and r.agent_id = n.agent_id`,
  `create table agent_author (
    team_id uuid not null references team,
    agent_id uuid not null,
    author_urn text not null,
    topics text not null,
    topic text,
    primary key (${author}),
    foreign key (team_id, agent_id) references agent
  )`,
  standForPosts('stand_for_posts_added', rowsOf('added')),
  standForPosts('stand_for_posts_gone', rowsOf('gone'), forgetAuthors),
  standForPosts('stand_for_posts_changed', `${rowsOf('added')} union all ${rowsOf('gone')}`, forgetAuthors),
  ...triggers('agent_post', {
    insert: 'stand_for_posts_added',
    update: 'stand_for_posts_changed',
    delete: 'stand_for_posts_gone',
  }),
  `insert into agent_author (${author}, topic)
    select a.*, ${standsFor} from (select distinct ${author} from agent_post where author_urn is not null) a`,
]
