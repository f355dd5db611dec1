/**
 * People of agents, judged and kept (docs/decisions/0066): what an agent's list shows and is ordered by, a row a person, and what the
 * posts they engaged with are about. Triggers note whose row no longer says what the leads say, so that whoever writes leads, posts
 * or companies notes it in the same transaction, also a program of the version before. Every note is a row of its own (`mark` is its
 * transaction): transactions that note the same person never wait for one another, and no note is lost to whoever takes another.
 */

/** SQL: the transaction under way. */
const mark = 'pg_current_xact_id()::text::bigint'
const note = 'insert into agent_ranking_due (team_id, agent_id, about, urn, mark)'
const again = 'on conflict (team_id, agent_id, about, urn, mark) do update set mark = excluded.mark'

/** SQL of a function that notes everybody of the rows whose source an agent reads. */
const noteRows = (name: string, rows: string) =>
  `create function ${name}() returns trigger language plpgsql as $$ begin
    ${note}
    select distinct l.team_id, x.agent_id, 'person', l.person_urn, ${mark} from ${rows} l
    join agent_source x on x.team_id = l.team_id and x.source_id = l.owner_id where l.enrichment <> 'raw'
    ${again};
    return null;
  end $$`

/** What of a lead a judgement reads. */
const facts = ['enrichment', 'job_title', 'country', 'company_urn', 'company_industry']
const differs = (columns: readonly string[]) =>
  columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table agent_ranking (
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
    primary key (team_id, agent_id),
    foreign key (team_id, agent_id) references agent
  ) with (fillfactor = 50)`,
  `create table agent_person (
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
    foreign key (team_id, agent_id) references agent
  ) with (fillfactor = 80)`,
  `create index agent_person_newest on agent_person (team_id, agent_id, detected_at desc, lead_id desc) include (ended, listed, icp, signal)`,
  `create index agent_person_ranked on agent_person (team_id, agent_id, icp desc nulls last, signal, detected_at desc, lead_id desc) include (person_urn) where ended and listed`,
  `create index agent_person_waiting on agent_person (team_id, agent_id) where waiting`,
  `create index agent_person_of_company on agent_person (company_urn) where company_urn is not null`,
  `create table agent_post (
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
    foreign key (team_id, agent_id) references agent,
    foreign key (team_id, post_urn) references post on delete cascade
  )`,
  `create index agent_post_of_author on agent_post (team_id, agent_id, author_urn, post_urn desc) where author_urn is not null`,
  `create table agent_ranking_due (
    team_id uuid not null references team,
    agent_id uuid not null,
    about text not null check (about in ('person', 'post')),
    urn text not null,
    mark bigint not null,
    primary key (team_id, agent_id, about, urn, mark)
  )`,
  noteRows('note_people_added', 'added'),
  noteRows('note_people_gone', 'gone'),
  `create function note_person_changed() returns trigger language plpgsql as $$ begin
    ${note}
    select x.team_id, x.agent_id, 'person', new.person_urn, ${mark} from agent_source x where x.team_id = new.team_id and x.source_id = new.owner_id
    ${again};
    return null;
  end $$`,
  `create function note_post_changed() returns trigger language plpgsql as $$ begin
    ${note}
    select a.team_id, a.id, 'post', new.urn, ${mark} from agent a where a.team_id = new.team_id
    ${again};
    return null;
  end $$`,
  // A company is shared by all teams: everybody who works there is noted.
  `create function note_company_changed() returns trigger language plpgsql as $$ begin
    ${note}
    select p.team_id, p.agent_id, 'person', p.person_urn, ${mark} from agent_person p where p.company_urn = new.urn
    ${again};
    return null;
  end $$`,
  `create trigger lead_added_people after insert on lead referencing new table as added for each statement execute function note_people_added()`,
  `create trigger lead_gone_people after delete on lead referencing old table as gone for each statement execute function note_people_gone()`,
  `create trigger lead_changed_person after update of ${facts.join(', ')} on lead for each row when (${differs(facts)}) execute function note_person_changed()`,
  `create trigger post_changed_people after update of text, author_urn, author_headline on post for each row when (${differs(['text', 'author_urn', 'author_headline'])}) execute function note_post_changed()`,
  `create trigger company_added_people after insert on company for each row execute function note_company_changed()`,
  `create trigger company_changed_people after update of staff_range, employee_count on company for each row when (${differs(['staff_range', 'employee_count'])}) execute function note_company_changed()`,
  `insert into agent_ranking (team_id, agent_id, asked_at) select team_id, id, created_at from agent`,
]
