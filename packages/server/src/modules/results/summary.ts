/**
 * The cost of replies and meetings by group (RSL-04), in one statement, so that charges and results are of one moment; figures
 * count people. A result belongs to every source that charged for its person, at any time, through a lead of that source. Charges
 * count by when they were made, results by when they happened.
 */
import type { Answer, OperationOf, ResultGroup } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { labelJoins, labelOfSource } from '../leads/index.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { figuresOf, type Counted } from './rules/figures.ts'

type Summary = Answer<OperationOf<'getResultsSummary'>>

type SummaryQuery = { readonly groupBy: ResultGroup; readonly from?: Date | undefined; readonly to?: Date | undefined }

const maxRows = 1_000

/** Stands for no source: charges of Discover, single reads and requested enrichments. */
const noSource = sql`'00000000-0000-0000-0000-000000000000'::uuid`

const within = (column: RawBuilder<unknown>, { from, to }: SummaryQuery) =>
  sql`${from ? sql`${column} >= ${from}` : sql`true`} and ${to ? sql`${column} <= ${to}` : sql`true`}`

/** SQL: the group of each source: `source_id, person, key, label, rules`; `person` null: the group covers all its people. */
function groupsOf(teamId: string, groupBy: ResultGroup): RawBuilder<unknown> {
  const ofSource = (columns: RawBuilder<unknown>, joins: RawBuilder<unknown>) => sql`
    select s.id as source_id, null::text as person, ${columns} from source s ${joins} where s.team_id = ${teamId}`
  const noRules = sql`null::jsonb as rules, null::text as match_mode`
  switch (groupBy) {
    case 'source':
      return sql`${ofSource(sql`s.id::text as key, ${labelOfSource} as label, ${noRules}`, labelJoins)}
        union all select ${noSource}, null, null, 'Without a source', null, null`
    case 'keyword':
      return sql`${ofSource(sql`s.username as key, ${labelOfSource} as label, ${noRules}`, labelJoins)}
        and s.type = 'keyword'`
    case 'topic':
      return sql`select distinct a.source_id, null::text as person, a.topic as key, a.topic as label, ${noRules}
        from agent_source a where a.team_id = ${teamId} and a.topic is not null`
    case 'criteria':
      return ofSource(
        sql`case when jsonb_array_length(i.rules) > 0 then left(md5(i.match_mode || i.rules::text), 12) end as key,
          'No criteria' as label, i.rules, i.match_mode`,
        sql`left join icp i on i.team_id = s.team_id and i.owner_id = s.id`,
      )
    case 'post':
      return sql`select distinct on (owner_id, person_urn) owner_id as source_id, person_urn as person, post_urn as key,
          coalesce(post_url, post_urn) as label, ${noRules}
        from lead where team_id = ${teamId} and post_urn is not null and source_id is not null
        order by owner_id, person_urn, created_at, id`
  }
}

/** Computes the figures. */
export async function readSummary(db: Reader, teamId: string, asked: SummaryQuery): Promise<Summary> {
  const joinGroup =
    asked.groupBy === 'post'
      ? sql`join groups g on g.source_id = x.source_id and g.person = x.person`
      : sql`join groups g on g.source_id = x.source_id`
  const { rows } = await sql<Counted>`
    with groups as materialized (${groupsOf(teamId, asked.groupBy)}),
    charges as materialized (
      select coalesce(source_id, ${noSource}) as source_id,
        case when key like '%:person:%' then substr(key, position(':person:' in key) + 8) end as person,
        -sum(amount) filter (where category is distinct from 'agent_trial') as credits
      from credit_entry
      where team_id = ${teamId} and kind = 'charge' and ${within(sql`created_at`, asked)}
      group by 1, 2),
    fit as materialized (
      select distinct coalesce(source_id, ${noSource}) as source_id, person_urn as person
      from lead where team_id = ${teamId} and is_icp),
    -- Somebody is told apart by their handle, else by their member id: a handle may have had several.
    reported as materialized (
      select r.id, r.outcome, r.amount, r.currency, r.at, r.person_urn,
        coalesce(p.handle, r.handle) as handle, coalesce(p.handle, r.handle, r.person_urn) as who
      from result r left join person p on p.team_id = ${teamId} and p.urn = r.person_urn
      where r.team_id = ${teamId} and ${within(sql`r.at`, asked)}),
    urns as materialized (
      select id, person_urn as urn from reported where person_urn is not null
      union select t.id, p.urn from reported t join person p on p.team_id = ${teamId} and p.handle = t.handle),
    credited as materialized (
      select distinct u.id, coalesce(c.source_id, ${noSource}) as source_id, u.urn as person
      from urns u
      cross join lateral (select distinct owner_id from lead where team_id = ${teamId} and person_urn = u.urn) l
      cross join lateral (select source_id from credit_entry
        where team_id = ${teamId} and kind = 'charge' and key in ('source:' || l.owner_id || ':person:' || u.urn,
          'discover:' || l.owner_id || ':person:' || u.urn) limit 1) c),
    spending as (
      select false as whole, g.key, g.label, g.rules, g.match_mode, x.* from charges x ${joinGroup}
      union all select true, null, 'All', null, null, x.* from charges x),
    costs as (
      select whole, key, min(label) as label, (array_agg(rules))[1] as rules, min(match_mode) as match_mode,
        sum(credits) as credits, count(distinct x.person) as people,
        count(distinct x.person) filter (where fit.person is not null) as fit_people
      from spending x left join fit on fit.source_id = x.source_id and fit.person = x.person group by whole, key),
    counted as materialized (
      select distinct false as whole, g.key, g.label, g.rules, g.match_mode, x.id from credited x ${joinGroup}
      union all select true, null, 'All', null, null, id from reported),
    outcomes as (
      select c.whole, c.key, min(c.label) as label, (array_agg(c.rules))[1] as rules, min(c.match_mode) as match_mode,
        count(distinct t.who) filter (where t.outcome = 'sent') as sent,
        count(distinct t.who) filter (where t.outcome = 'accepted') as accepted,
        count(distinct t.who) filter (where t.outcome = 'replied') as replied,
        count(distinct t.who) filter (where t.outcome = 'meeting') as meetings,
        count(distinct t.who) filter (where t.outcome = 'won') as won
      from counted c join reported t on t.id = c.id group by c.whole, c.key),
    worth as (
      select whole, key, jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount, 'first', first)) as amounts
      from (select c.whole, c.key, t.currency, sum(t.amount) as amount, min(t.at) as first
        from counted c join reported t on t.id = c.id where t.outcome = 'won' and t.amount is not null
        group by c.whole, c.key, t.currency) by_currency
      group by whole, key)
    select k.whole, k.key, coalesce(o.label, c.label) as label, coalesce(o.rules, c.rules) as rules,
      coalesce(o.match_mode, c.match_mode) as "matchMode",
      coalesce(c.credits, 0)::bigint as credits, coalesce(c.people, 0)::bigint as people,
      coalesce(c.fit_people, 0)::bigint as "fitPeople", coalesce(o.sent, 0)::bigint as sent,
      coalesce(o.accepted, 0)::bigint as accepted, coalesce(o.replied, 0)::bigint as replied,
      coalesce(o.meetings, 0)::bigint as meetings, coalesce(o.won, 0)::bigint as won,
      coalesce(w.amounts, '[]'::jsonb) as amounts
    from (select whole, key from costs union select whole, key from outcomes) k
    left join costs c on c.whole = k.whole and c.key is not distinct from k.key
    left join outcomes o on o.whole = k.whole and o.key is not distinct from k.key
    left join worth w on w.whole = k.whole and w.key is not distinct from k.key
    order by k.whole desc, replied desc, credits desc, k.key nulls last limit ${maxRows + 1}`.execute(db)
  return {
    rows: rows.filter(({ whole }) => !whole).map(figuresOf),
    total: figuresOf(rows.find(({ whole }) => whole) ?? nothing),
  }
}

const nothing: Counted = {
  whole: true,
  key: null,
  label: 'All',
  rules: null,
  matchMode: null,
  credits: 0,
  people: 0,
  fitPeople: 0,
  sent: 0,
  accepted: 0,
  replied: 0,
  meetings: 0,
  won: 0,
  amounts: [],
}
