/**
 * What many updates leave behind: leads judged and delivered again and again, in batches of 1,000 as re-scoring writes them, with
 * autovacuum as the tables set it. Prints sizes of `lead` and its indexes before and after, HOT updates and rounds of autovacuum.
 * `--leads 20000 --updates 400000`; ten million take hours.
 */
import { sql } from 'kysely'
import { openStage, option, printFigures, seconds } from './support.ts'

const leads = option('leads', 20_000)
const updates = option('updates', 400_000)
const batch = 1_000

const stage = await openStage()
const db = stage.tools.bare
const team = await stage.team()
const sourceId = stage.service.ids.uuid(new Date())
await sql`
  insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at,
    lead_rows, leads_completed)
  values (${team.id}, ${sourceId}, 'person', 'author', sha256('author'::bytea), 'active',
    'engagers', true, true, ${new Date()}, ${leads}, ${leads})`.execute(db)
await sql`
  insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
    reaction, post_urn, post_url, post_posted_at, name, headline, linkedin_url, job_title, country, company_name, is_icp,
    enrichment, webhook_status, created_at)
  select ${team.id}, gen_random_uuid(), ${sourceId}, ${sourceId}, 'profile', 'ACoAA' || i,
    'reaction:urn:li:activity:' || i, 'Like', 'Like', 'urn:li:activity:' || i,
    'https://www.linkedin.com/feed/update/urn:li:activity:' || i, ${new Date()},
    'Person ' || i, 'Head of Growth', 'https://www.linkedin.com/in/ACoAA' || i,
    'Head of Growth', 'Germany', 'Company ' || i % 997, false, 'completed', 'pending',
    ${new Date()}::timestamptz - (i || ' seconds')::interval
  from generate_series(1, ${leads}::int) i`.execute(db)
await sql`vacuum analyze lead`.execute(db)

type Sizes = { readonly heap: number; readonly indexes: number; readonly widest: string }
const sizes = async (): Promise<Sizes> => {
  const { rows } = await sql<Sizes>`
    select pg_relation_size('lead')::float8 as heap, pg_indexes_size('lead')::float8 as indexes,
      (select string_agg(name || ' ' || round(size / 1048576.0, 1), ', ') from (
        select indexrelid::regclass::text as name, pg_relation_size(indexrelid) as size from pg_index
        where indrelid = 'lead'::regclass order by 2 desc limit 4) widest) as widest`.execute(db)
  return rows[0]!
}

const before = await sizes()
const took = await seconds(async () => {
  for (let done = 0; done < updates; done += batch) {
    // Criteria turn a lead over; what is sent of it is written by its own statement, as deliveries do.
    const of = sql`id in (select id from lead where team_id = ${team.id} order by created_at
      limit ${batch} offset ${done % leads})`
    if ((done / leads) % 2 < 1)
      await sql`update lead set is_icp = not is_icp
      where team_id = ${team.id} and ${of}`.execute(db)
    else
      await sql`update lead set webhook_status = case webhook_status when 'sent' then 'pending' else 'sent' end
        where team_id = ${team.id} and ${of}`.execute(db)
  }
})
const after = await sizes()
const { rows } = await sql<{ updated: number; hot: number; dead: number; rounds: number }>`
  select n_tup_upd::float8 as updated, n_tup_hot_upd::float8 as hot, n_dead_tup::float8 as dead,
    autovacuum_count::float8 as rounds
  from pg_stat_user_tables where relname = 'lead'`.execute(db)
await sql`reindex table lead`.execute(db)
const rebuilt = await sizes()
await stage.close()

const mb = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`
const seen = rows[0]!
console.log(`largest indexes in MB, before: ${before.widest}; after: ${after.widest}; made anew: ${rebuilt.widest}`)
console.log(
  `${Math.round(updates / took)} updates/s; ${((seen.hot / Math.max(1, seen.updated)) * 100).toFixed(1)} % HOT; ` +
    `${seen.dead} dead rows left; ${seen.rounds} rounds of autovacuum`,
)
const figure = (name: string, [now, limit]: readonly [number, number], of: string) => ({
  name,
  measured: mb(now),
  limit: `${mb(limit)}: ${of}`,
  ratio: now / limit,
  aim: '<= 2',
  reached: now / limit <= 2,
})
printFigures(`Health of the table of leads: ${leads} leads, ${updates} updates`, [
  figure('rows of leads', [after.heap, before.heap], 'before the updates'),
  figure('indexes of leads', [after.indexes, rebuilt.indexes], 'the same made anew'),
])
