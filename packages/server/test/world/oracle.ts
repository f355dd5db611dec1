/** The oracle: what must be true of money and leads after any history. Any row that one of these queries finds is a bug. */
import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import { plannedOnce } from '../../src/platform/db/prepared.ts'
import { sampleTeamId } from '../../src/platform/sample-team.ts'
import type { Reader } from '../../src/platform/db/unit-of-work.ts'

/** SQL: the team has erased nobody, so all rows counted earlier still exist. */
const noErasure = (teamId: RawBuilder<unknown>) => sql`not exists (select 1 from erasure e where e.team_id = ${teamId})`

const violations: Rules = {
  'the lines of the ledger add up to the balance': sql`
    select a.team_id, a.account, a.granted - a.spent as balance, coalesce(sum(e.amount), 0) as lines
    from credit_account a
    left join credit_entry e on e.team_id = a.team_id and e.account = a.account
    group by a.team_id, a.account, a.granted, a.spent having a.granted - a.spent <> coalesce(sum(e.amount), 0)`,
  'what is spent is what was charged': sql`
    select a.team_id, a.spent, coalesce(-sum(e.amount), 0) as charged from credit_account a
    left join credit_entry e on e.team_id = a.team_id and e.account = a.account and e.kind = 'charge'
    group by a.team_id, a.account, a.spent having a.spent <> coalesce(-sum(e.amount), 0)`,
  'what is held is what the holds come to': sql`
    select a.team_id, a.account, a.held, coalesce(sum(h.amount), 0) as holds from credit_account a
    left join credit_hold h on h.team_id = a.team_id and h.account = a.account
    group by a.team_id, a.account, a.held having a.held <> coalesce(sum(h.amount), 0)`,
  'no hold outlives its time': sql`select h.team_id, h.id from credit_hold h, service_clock c
    where h.expires_at <= c.now`,
  'every captured person has one charge for the source': sql`
    select l.team_id, 'source:' || l.source_id || ':person:' || l.person_urn as key from lead l
    where l.source_id is not null
    except select e.team_id, e.key from credit_entry e where e.kind = 'charge'`,
  'every person charged for a source has a lead of it': sql`
    select e.team_id, e.source_id, e.key from credit_entry e
    where e.kind = 'charge' and e.key like 'source:%:person:%'
    and not exists (select 1 from lead_gone g where g.team_id = e.team_id and g.owner_id = e.source_id)
    except select l.team_id, l.source_id, 'source:' || l.source_id || ':person:' || l.person_urn from lead l
    where l.source_id is not null`,
  'every person a Discover run has added has one lead, one charge and one place in its counts': sql`
    select r.team_id, r.id, r.found from discover_run r
    where ${noErasure(sql`r.team_id`)} and (r.found <> (select count(*) from lead l where l.team_id = r.team_id and l.owner_id = r.id)
      or r.found <> (select count(distinct l.person_urn) from lead l where l.team_id = r.team_id and l.owner_id = r.id)
      or r.found <> (select count(*) from credit_entry e
        where e.team_id = r.team_id and e.kind = 'charge' and e.key like 'discover:' || r.id || ':person:%')
      or r.found <> (select count(*) from discover_person d
        where d.team_id = r.team_id and d.run_id = r.id and d.added_at is not null))`,
  'an ended Discover run has no working rows': sql`
    select d.team_id, d.run_id from discover_person d join discover_run r on r.team_id = d.team_id and r.id = d.run_id
    where r.finished_at is not null and d.added_at is null
    union all select p.team_id, p.run_id from discover_post p
    join discover_run r on r.team_id = p.team_id and r.id = p.run_id where r.finished_at is not null`,
  'nobody raw or unknown waits to be sent to a campaign': sql`
    select q.team_id, q.owner_id, q.lead_id from outreach_queue q
    left join lead l on l.team_id = q.team_id and l.id = q.lead_id where l.id is null or l.enrichment = 'raw'`,
  'whoever is being sent to a campaign has a batch that is being sent': sql`
    select s.team_id, s.id, s.state from outreach_send s
    left join outreach_batch b on b.team_id = s.team_id and b.id = s.batch_id
    where (s.state = 'sending' and b.state is distinct from 'sending')
      or (b.state = 'uncertain' and s.state <> 'uncertain')
      or (s.state = 'sent' and b.state is distinct from 'settled')`,
  'every post charged for a source is stored': sql`
    select e.team_id, e.key from credit_entry e where e.kind = 'charge' and e.key like 'source:%:post:%'
    and not exists (select 1 from source_post p
      where p.team_id = e.team_id and p.source_id = e.source_id and p.post_urn = split_part(e.key, ':post:', 2))`,
  'a run has spent what was charged in its name': sql`
    select y.team_id, y.id, y.credits_spent, count(e.id) as charged from sync y
    left join credit_entry e on e.team_id = y.team_id and e.sync_id = y.id and e.kind = 'charge'
    group by y.team_id, y.id, y.credits_spent having y.credits_spent <> count(e.id)`,
  'what a run has judged is what was charged and what was free, in the ledger of the team': sql`
    select y.team_id, y.id, y.engagement_judged as judged, charged.count as charged, free.count as free from sync y
    cross join lateral (select count(*) from credit_entry e
      where e.team_id = y.team_id and e.source_id = y.source_id and e.sync_id = y.id and e.kind = 'charge'
        and e.account = 'team') charged
    cross join lateral (select coalesce(sum(f.count), 0) as count from free_line f
      where f.team_id = y.team_id and f.sync_id = y.id) free
    where y.engagement_judged <> charged.count + free.count
      -- Recorded before free lines were written down.
      and y.team_id <> ${sql.lit(sampleTeamId)}`,
  'a free line names as many as it counts, until it is merged': sql`
    select team_id, id, count from free_line where engagements is not null and cardinality(engagements) <> count`,
  'a dispute that was credited has one refund, and no other has one': sql`
    select d.team_id, d.id, d.state from dispute d
    left join credit_entry e on e.team_id = d.team_id and e.key = 'refund:' || d.entry_id and e.kind = 'refund'
    where (d.state = 'credited') <> (e.amount is not distinct from d.credits)`,
  'a run has stored the rows it says': sql`
    select y.team_id, y.id, y.lead_rows, count(l.id) as rows from sync y
    left join lead l on l.team_id = y.team_id and l.sync_id = y.id
    where not exists (select 1 from lead_gone g where g.team_id = y.team_id and g.owner_id = y.source_id)
      and ${noErasure(sql`y.team_id`)}
    group by y.team_id, y.id, y.lead_rows having y.lead_rows <> count(l.id)`,
  'no run has stored more rows than its cap': sql`select team_id, id from sync
    where (settings->>'rowCap')::int < lead_rows`,
  'no keyword run has spent more than its cap': sql`select team_id, id, credits_spent from sync
    where (settings->'keyword'->>'creditCap')::bigint < credits_spent`,
  'a run that its own cap on rows has ended has stored exactly so many': sql`
    select team_id, id, lead_rows, posts_fetched, settings->>'rowCap' as cap from sync
    where stopped_by = 'credits' and error_code is null and settings->'keyword' is null
      and (settings->>'rowCap')::int is distinct from
        case settings->>'mode' when 'posts_only' then posts_fetched else lead_rows end`,
  'a keyword run that its own cap has ended has spent exactly its cap': sql`
    select team_id, id, credits_spent, settings->'keyword'->>'creditCap' as cap from sync
    where stopped_by = 'credits' and settings->'keyword' is not null
      and (settings->'keyword'->>'creditCap')::bigint <> credits_spent`,
  'a run ended by the balance, and no other, says that it ran out': sql`
    select team_id, id, stopped_by, error_code from sync
    where finished_at is not null and state = 'captured'
      and (stopped_by = 'budget' and error_code is distinct from 'insufficient_enriching_credits'
        or error_code = 'insufficient_enriching_credits' and stopped_by not in ('budget', 'credits'))`,
  'a watch has stored no more posts in a run than it may, and exactly so many when that ended it': sql`
    select team_id, id, posts_fetched, settings->>'maxPosts' as most from sync where settings->>'mode' = 'posts_only'
    and (posts_fetched > (settings->>'maxPosts')::int or stopped_by = 'post_limit' and posts_scanned < 2000
      and posts_fetched <> (settings->>'maxPosts')::int)`,
  'a run of a watch has stored the posts it says, each paid for once': sql`
    select y.team_id, y.id, y.posts_fetched, count(p.post_urn) as stored from sync y
    left join source_post p on p.team_id = y.team_id and p.sync_id = y.id
    where y.settings->>'mode' = 'posts_only' group by y.team_id, y.id, y.posts_fetched
    having y.posts_fetched <> count(p.post_urn)`,
  'no post has given a run in breadth more rows than one post may give': sql`
    select l.team_id, l.sync_id, l.post_urn, count(*) as rows from lead l
    join sync y on y.team_id = l.team_id and y.id = l.sync_id
    where l.engagement_type <> 'Author' and y.settings->'keyword'->>'captureMode' = 'breadth'
      and y.settings->'keyword'->>'maxEngagementsPerPost' is not null
    group by l.team_id, l.sync_id, l.post_urn, y.settings
    having count(*) > (y.settings->'keyword'->>'maxEngagementsPerPost')::int`,
  'a keyword run has scanned at most 2,000 posts and kept no more than it scanned': sql`select team_id, id from sync
    where posts_scanned > 2000 or posts_kept + discarded_by_expression > posts_scanned`,
  'what keyword searches spend in a day is counted towards the ceiling': sql`
    select * from (
      select e.team_id, (e.created_at at time zone 'UTC')::date as day, count(*) as charged from credit_entry e
      join source s on s.team_id = e.team_id and s.id = e.source_id and s.type = 'keyword' where e.kind = 'charge'
      group by 1, 2
    ) spent full join keyword_spend k using (team_id, day)
    where spent.charged is distinct from k.credits and spent.day > coalesce((select now from service_clock)::date - 80,
        date '-infinity')`,
  'no post waits for the AI of a search without its run': sql`
    select k.team_id, k.post_urn from keyword_post k
    where k.awaits_ai and not exists (select 1 from sync y where y.team_id = k.team_id and y.id = k.sync_id)`,
  'the counters of a source follow its leads': sql`
    select s.team_id, s.id from source s left join lead l on l.team_id = s.team_id and l.source_id = s.id
    group by s.team_id, s.id, s.raw_rows, s.leads_pending, s.leads_completed, s.leads_failed, s.leads_skipped
    having s.raw_rows <> count(*) filter (where l.enrichment = 'raw')
      or s.leads_pending <> count(*) filter (where l.enrichment in ('pending', 'processing'))
      or s.leads_completed <> count(*) filter (where l.enrichment = 'completed')
      or s.leads_failed <> count(*) filter (where l.enrichment = 'failed')
      or s.leads_skipped <> count(*) filter (where l.enrichment = 'skipped')`,
  'a waiting lead has somebody to enrich it': sql`
    select l.team_id, l.id from lead l where l.enrichment in ('pending', 'processing')
    and not exists (select 1 from enrichment_task t where t.team_id = l.team_id and t.person_urn = l.person_urn)`,
  'an open run is the one its source names': sql`
    select y.team_id, y.id from sync y join source s on s.team_id = y.team_id and s.id = y.source_id
    where (y.finished_at is null) <> (s.open_sync_id is not distinct from y.id)`,
  'an ended run has no working rows': sql`select p.team_id, p.sync_id from sync_post p
    join sync y on y.team_id = p.team_id and y.id = p.sync_id where y.finished_at is not null`,
  'an engagement whose raw lead was deleted is not taken for new': sql`
    select g.team_id, g.owner_id from lead_gone g
    join lead l on l.team_id = g.team_id and l.owner_id = g.owner_id
      and g.key_hash = substring(sha256(convert_to(l.engagement_key, 'UTF8')) for 16)`,
  'no lead was delivered twice to one owner': sql`
    select team_id, owner_id, event, subject from delivery group by 1, 2, 3, 4 having count(*) > 1`,
  'a lead is sent when its delivery is': sql`
    select d.team_id, d.id, d.state, l.webhook_status from delivery d
    join lead l on l.team_id = d.team_id and l.id = d.lead_id
    where d.source_id is null
      and ((d.state = 'sent' and l.webhook_status <> 'sent') or (d.state = 'failed' and l.webhook_status <> 'failed'))`,
  'a lead is judged when its owner has criteria and its enrichment has ended, else not': sql`
    select l.team_id, l.id, l.enrichment, l.is_icp from lead l
    join icp i on i.team_id = l.team_id and i.owner_id = l.owner_id
    where (l.is_icp is not null) <> (jsonb_array_length(i.rules) > 0 and l.enrichment in ('completed', 'failed'))
      and not exists (select 1 from icp_rescore r
        where r.team_id = l.team_id and r.owner_id = l.owner_id and not r.done)`,
  'nothing is held for an enrichment that has ended': sql`
    select d.team_id, d.id from delivery d join lead l on l.team_id = d.team_id and l.id = d.lead_id
    where d.state = 'held' and d.awaits_enrichment and l.enrichment in ('completed', 'failed')`,
  'a delivery that was attempted has its bytes, for as long as they are kept': sql`select d.team_id, d.id
    from delivery d where d.body is null and d.event <> 'person.erased' and ${noErasure(sql`d.team_id`)}
    and (d.finished_at is null or d.finished_at > (select now from service_clock) - interval '7 days')
    and exists (select 1 from delivery_attempt a where a.team_id = d.team_id and a.delivery_id = d.id)`,
  'raw leads are never delivered': sql`select d.team_id, d.id from delivery d
    join lead l on l.team_id = d.team_id and l.id = d.lead_id where l.enrichment = 'raw'`,
}

/** Queries that find violations, by the rule they check. */
export type Rules = Readonly<Record<string, RawBuilder<unknown>>>

/**
 * The size of the largest tables, as a power of two. Plans are kept, and one made for empty tables takes twenty times as long on
 * a thousand leads, so each size gets its own statement and plan.
 */
async function sizeOf(db: Reader): Promise<number> {
  const { rows } = await plannedOnce(sql<{ bytes: number }>`
    select pg_relation_size('lead') + pg_relation_size('credit_entry') + pg_relation_size('sync') +
      pg_relation_size('delivery') as bytes`).execute(db)
  return Math.ceil(Math.log2(rows[0]!.bytes + 1))
}

type Finding = { rule: string; what: unknown }

const none: Rules = {}
/** Compiled statements by `further` rules and size, because building sixteen thousand characters of SQL is slow. */
const statements = new WeakMap<Rules, Map<number, CompiledQuery<Finding>>>()

function statementOf(db: Reader, further: Rules, size: number): CompiledQuery<Finding> {
  const bySize = statements.get(further) ?? new Map<number, CompiledQuery<Finding>>()
  statements.set(further, bySize)
  const known = bySize.get(size)
  if (known) return known
  // Literals instead of parameters: a statement with parameters is planned anew for its first five runs. `materialized` makes the
  // planner plan for all rows of a rule; for `limit 3` it would choose nested loops.
  const parts = Object.entries({ ...violations, ...further }).map(
    ([rule, query]) => sql`(with broken as materialized (${query})
      select ${sql.lit(rule)}::text as rule, to_jsonb(broken) as what from broken limit 3)`,
  )
  const made = plannedOnce(
    sql<Finding>`${sql.join(parts, sql` union all `)} ${sql.raw(`/* about 2^${size} bytes */`)}`,
  ).compile(db)
  bySize.set(size, made)
  return made
}

/** Describes all violations, also of `further` rules, in one round trip; the list must be empty after every history. */
export async function findDrift(db: Reader, further: Rules = none): Promise<string[]> {
  const { rows } = await db.getExecutor().executeQuery(statementOf(db, further, await sizeOf(db)))
  return [...Map.groupBy(rows, (row) => row.rule)].map(
    ([rule, found]) => `${rule}: ${JSON.stringify(found.map((row) => row.what))}`,
  )
}
