/**
 * What many updates leave behind: every lead is enriched, judged, and sent at the second try, and then criteria are saved anew, companies
 * are read again and endpoints fail, in the proportions below, by the statements of the service themselves, with autovacuum as the tables
 * and the embedded server set it. Prints sizes of `lead` and of each of its indexes after it against the same made anew, HOT updates,
 * rounds of autovacuum and the costliest statements. `--leads 200000 --each 50` are ten million updates and take an hour or two;
 * `--minutes 60` ends earlier; `--naptime 60` is a server that was left as it comes.
 */
import { sql } from 'kysely'
import {
  fillWaiting,
  judgeNext,
  markPushed,
  refreshCompany,
  setWebhookStatus,
  type LeadCursor,
} from '../packages/server/src/modules/leads/index.ts'
import type { Tx } from '../packages/server/src/platform/db/unit-of-work.ts'
import {
  fillQuickly,
  openStage,
  option,
  printFigures,
  printStatements,
  resetStatements,
  seconds,
  topStatements,
} from './support.ts'

const leads = option('leads', 200_000)
const each = option('each', 50)
const minutes = option('minutes', 240)
const naptime = option('naptime', 0)
const companies = Math.ceil(leads / 200)
const wanted = leads * each

/** What a lead meets first. */
const youth = ['enrich', 'judge', 'fail', 'push', 'send'] as const
/**
 * What comes after, again and again, five updates a lead: criteria are saved six times and turn half of the leads over each time, the
 * facts of every company are read again, and a third of the leads meets an endpoint that fails, is pushed and sent.
 */
const life = ['judge', 'judge', 'fail', 'judge', 'push', 'judge', 'refresh', 'judge', 'send', 'judge'] as const
type Kind = (typeof youth)[number] | (typeof life)[number]
const kindAt = (nth: number): Kind => youth[nth] ?? life[(nth - youth.length) % life.length]!

const stage = await openStage()
const { service, tools } = stage
const db = tools.bare
if (naptime > 0) {
  await tools.pool.query(`alter system set autovacuum_naptime = ${naptime}`)
  await tools.pool.query('select pg_reload_conf()')
}
const team = await stage.team()
const sourceId = service.ids.uuid(new Date())
const idOf = (n: number) => `01900000-0001-7000-8000-${n.toString(16).padStart(12, '0')}`
await sql`
  insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at,
    lead_rows, leads_pending)
  values (${team.id}, ${sourceId}, 'person', 'author', sha256('author'::bytea), 'active',
    'engagers', true, true, ${new Date()}, ${leads}, ${leads})`.execute(db)
await fillQuickly(stage, ['lead'], () =>
  sql`
  insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
    reaction, post_urn, post_url, post_posted_at, name, headline, linkedin_url, enrichment, webhook_status, created_at)
  select ${team.id}, ('01900000-0001-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, ${sourceId}, ${sourceId}, 'profile',
    'ACoAA' || i, 'reaction:urn:li:activity:' || i, 'Like', 'Like', 'urn:li:activity:' || i / 100,
    'https://www.linkedin.com/feed/update/urn:li:activity:' || i / 100, ${new Date()},
    'Person ' || i, 'Head of Growth', 'https://www.linkedin.com/in/ACoAA' || i, 'pending', 'pending',
    ${new Date()}::timestamptz - ((${leads} - i) || ' seconds')::interval
  from generate_series(0, ${leads - 1}::int) i`.execute(db),
)

const titles = 8
const companyOf = (n: number) => ({
  urn: `urn:li:company:${n % companies}`,
  name: `Company ${n % companies}`,
  domain: `company${n % companies}.example`,
  industry: 'Software',
})
const factsOf = (n: number) => {
  const company = companyOf(n)
  return {
    name: `Person ${n}`,
    handle: null,
    headline: 'Head of Growth',
    linkedinUrl: `https://www.linkedin.com/in/ACoAA${n}`,
    avatarUrl: null,
    jobTitle: `Title ${n % titles}`,
    country: 'Germany',
    countryCode: 'DE',
    companyUrn: company.urn,
    companyName: company.name,
    companyDomain: company.domain,
    companyIndustry: company.industry,
    companyEnrichedAt: new Date(),
  }
}
const numbers = (from: number, most: number) => Array.from({ length: Math.min(most, leads - from) }, (_, n) => from + n)

/** A step: one update of every lead, in units of work as large as the service makes them. */
const writing = (work: (tx: Tx) => Promise<unknown>) => service.unitOfWork(work)
const inBatches = async (size: number, work: (tx: Tx, batch: readonly number[]) => Promise<unknown>) => {
  for (let from = 0; from < leads; from += size) await writing((tx) => work(tx, numbers(from, size)))
}
/** The leads of a batch that an endpoint has to do with: all of them at first, and then another third each time. */
const concerned = (batch: readonly number[]): string[] =>
  batch.filter((n) => round === 0 || n % 3 === round % 3).map(idOf)
let round = 0
let saved = 0
const steps: Readonly<Record<Kind, () => Promise<unknown>>> = {
  enrich: () =>
    inBatches(50, (tx, batch) =>
      fillWaiting(
        tx,
        team.id,
        batch.map((n) => ({ personUrn: `ACoAA${n}`, facts: factsOf(n) })),
      ),
    ),
  judge: async () => {
    // Half of the titles fit; the next criteria keep half of those.
    saved += 2
    const fitting = Array.from({ length: titles / 2 }, (_, n) => `Title ${(saved + n) % titles}`)
    let after: LeadCursor = null
    for (let seen = 1_000; seen === 1_000; )
      await writing(async (tx) => {
        const condition = sql<boolean>`l.job_title = any(${fitting}::text[])`
        const next = await judgeNext(tx, { teamId: team.id, ownerId: sourceId }, { condition, after, limit: 1_000 })
        after = next.cursor
        seen = next.seen
      })
  },
  fail: () =>
    inBatches(150, (tx, batch) =>
      setWebhookStatus(tx, { teamId: team.id, leadIds: concerned(batch), status: 'failed' }),
    ),
  push: () => inBatches(2_000, (tx, batch) => markPushed(tx, team.id, concerned(batch))),
  send: async () => {
    await inBatches(150, (tx, batch) =>
      setWebhookStatus(tx, { teamId: team.id, leadIds: concerned(batch), status: 'sent' }),
    )
    round += 1
  },
  refresh: async () => {
    for (let n = 0; n < companies; n += 1)
      await writing((tx) => refreshCompany(tx, team.id, { ...companyOf(n), enrichedAt: new Date() }))
  },
}

type Size = { readonly name: string; readonly bytes: number }
/** The table first, then its indexes. */
const sizes = async (): Promise<Size[]> => {
  const { rows } = await sql<Size>`
    select 'lead' as name, pg_relation_size('lead')::float8 as bytes
    union all select * from (select indexrelid::regclass::text, pg_relation_size(indexrelid)::float8 from pg_index
      where indrelid = 'lead'::regclass order by 2 desc) indexes`.execute(db)
  return rows
}
type Seen = { readonly updated: number; readonly hot: number; readonly dead: number; readonly rounds: number }
const seenNow = async (): Promise<Seen> => {
  const { rows } = await sql<Seen>`
    select n_tup_upd::float8 as updated, n_tup_hot_upd::float8 as hot, n_dead_tup::float8 as dead,
      autovacuum_count::float8 as rounds from pg_stat_user_tables where relname = 'lead'`.execute(db)
  return rows[0]!
}
const mb = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`
const sum = (all: readonly Size[]) => all.slice(1).reduce((total, { bytes }) => total + bytes, 0)

await resetStatements(tools.pool)
const began = await seenNow()
const deadline = performance.now() + minutes * 60_000
const shown = Math.max(1, Math.floor(each / 10))
console.log(
  '| step | kind | updates so far | a second | rows | indexes | rounds of autovacuum |\n|---|---|---|---|---|---|---|',
)
let done = 0
const took = await seconds(async () => {
  for (let nth = 0; done < wanted && performance.now() < deadline; nth += 1) {
    const kind = kindAt(nth)
    const before = done
    const time = await seconds(steps[kind])
    // Statistics are told once a second at most.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const [now, { updated, rounds }] = [await sizes(), await seenNow()]
    done = updated - began.updated
    if (nth < youth.length || nth % shown === 0 || done >= wanted)
      console.log(
        `| ${nth + 1} | ${kind} | ${done.toLocaleString('en')} | ${Math.round((done - before) / time)} ` +
          `| ${mb(now[0]!.bytes)} | ${mb(sum(now))} | ${rounds - began.rounds} |`,
      )
  }
})
const statements = await topStatements(tools.pool)
const after = await sizes()
const ended = await seenNow()
const updated = ended.updated - began.updated
await sql`vacuum full lead`.execute(db)
const anew = new Map((await sizes()).map(({ name, bytes }) => [name, bytes]))
await stage.close()

console.log(
  `\n${updated.toLocaleString('en')} updates in ${Math.round(took)} s, ${Math.round(updated / took)}/s; ` +
    `${(((ended.hot - began.hot) / Math.max(1, updated)) * 100).toFixed(1)} % HOT; ` +
    `${ended.dead} dead rows left; ${ended.rounds - began.rounds} rounds of autovacuum`,
)
const figure = (name: string, now: number, fresh: number) => ({
  name,
  measured: mb(now),
  limit: `${mb(fresh)}: the same made anew`,
  ratio: now / fresh,
  aim: '<= 2',
  reached: now / fresh <= 2,
})
// An index of next to nothing is a page or two whatever happens: those that are pending or raw leads alone.
const smallest = 256 * 1_024
const told = after.slice(1).filter(({ name }) => anew.get(name)! >= smallest)
printFigures(
  `Health of the table of leads: ${leads.toLocaleString('en')} leads, ${updated.toLocaleString('en')} updates`,
  [
    figure('rows of leads', after[0]!.bytes, anew.get('lead')!),
    figure(
      'indexes of leads, all together',
      sum(after),
      after.slice(1).reduce((all, { name }) => all + anew.get(name)!, 0),
    ),
    ...told.map(({ name, bytes }) => ({ ...figure(`index ${name}`, bytes, anew.get(name)!), isDetail: true as const })),
  ],
)
console.log(
  `\nsmaller than 256 kB made anew: ${after
    .slice(1)
    .filter((one) => !told.includes(one))
    .map(({ name, bytes }) => `${name} ${mb(bytes)}`)
    .join(', ')}`,
)
printStatements('Where the database spent its time', statements)
