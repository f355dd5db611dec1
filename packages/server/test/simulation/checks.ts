/**
 * What must be true after every history: the oracle, rules on what was served and sent, and a reference model of billing in plain
 * maps, which ignores the service's own totals.
 */
import { sql } from 'kysely'
import { plannedOnce } from '../../src/platform/db/prepared.ts'
import type { Reader } from '../../src/platform/db/unit-of-work.ts'
import { findDrift, type Rules } from '../world/oracle.ts'
import type { Actor } from '../../src/providers/ports.ts'
import { canary, commentsAt, listing, namesCanary, reactionsAt, type Invented } from './network.ts'
import type { ReceivedRequest } from './receiver.ts'
import { isEngager } from './search.ts'

/** SQL: whether lead `l` may be excluded: its team has an exclusion or a result, which in a history are only about the canary. */
export const mayBeExcluded = sql`(l.person_urn = ${sql.lit(canary.urn)}
  and (exists (select 1 from exclusion e where e.team_id = l.team_id)
    or exists (select 1 from result r where r.team_id = l.team_id)))`

const rules: Rules = {
  'a business fact is charged once': sql`select team_id, key, count(*) as times from credit_entry group by 1, 2
    having count(*) > 1`,
  'no balance is negative': sql`select team_id, granted, spent, held from credit_account
    where granted - spent - held < 0`,
  'leads of an untracked source do not wait': sql`
    select l.team_id, l.source_id, l.enrichment from lead l
    join source s on s.team_id = l.team_id and s.id = l.source_id
    where s.status = 'inactive' and l.enrichment in ('pending', 'processing')`,
  'an account holds no more than is left of its allowance and what was granted besides': sql`
    select a.team_id, a.granted, a.spent, a.held, a.allowance, a.period_used from credit_account a
    where a.account = 'team' and a.granted - a.spent > greatest(0, a.allowance - a.period_used) + (
      select coalesce(sum(e.amount), 0) from credit_entry e
      where e.team_id = a.team_id and e.account = a.account and e.kind in ('topup', 'refund'))`,
  'what searches spend on a day is within the ceiling of their team': sql`
    select k.team_id, k.day, k.credits, t.keyword_daily_ceiling from keyword_spend k
    join team t on t.id = k.team_id where k.credits > t.keyword_daily_ceiling`,
  'a search that the ceiling of its day stopped left nothing of it': sql`
    select y.team_id, y.id, k.credits, t.keyword_daily_ceiling from sync y join team t on t.id = y.team_id
    left join keyword_spend k on k.team_id = y.team_id and k.day = (y.finished_at at time zone 'UTC')::date
    where y.stopped_by = 'team_cap' and coalesce(k.credits, 0) < t.keyword_daily_ceiling`,
  'a search that the ceiling on rows stopped left no room beneath it': sql`
    select y.team_id, y.id, t.lead_cap from sync y join team t on t.id = y.team_id and t.lead_cap is not null
    join source s on s.team_id = y.team_id and s.id = y.source_id and s.type = 'keyword' and s.pays_from = 'team'
    where y.stopped_by = 'lead_cap' and t.lead_cap > (select count(*) from lead l where l.team_id = y.team_id)
      and not exists (select 1 from credit_account a where a.team_id = y.team_id and a.account = 'agent_trial')`,
  'an untracked source has no open run and is not due': sql`select team_id, id, open_sync_id, next_sync_at from source
    where status = 'inactive' and (open_sync_id is not null or next_sync_at is not null)`,
  'a run has not processed more posts than it has': sql`select team_id, id, posts_total, posts_processed from sync
    where posts_processed > posts_total`,
  'a run that found everything has processed all its posts': sql`
    select team_id, id, posts_total, posts_processed, stopped_by from sync
    where state = 'captured' and (stopped_by = 'exhausted' or stopped_by not in ('credits', 'lead_cap')
        and settings->'keyword' is null) and posts_processed <> posts_total`,
  'a run that the end of a free trial stopped left nothing of the trial': sql`
    select r.team_id, r.id, a.granted, a.spent, a.held from sync r
    join credit_account a on a.team_id = r.team_id and a.account = 'agent_trial'
    join team t on t.id = r.team_id and t.lead_cap is null
    where r.stopped_by = 'lead_cap' and a.spent < a.granted`,
  'a run that its cap stopped has stored as many rows': sql`
    select team_id, id, lead_rows, posts_fetched, settings from sync
    where stopped_by = 'credits' and error_code is null and settings->'keyword' is null
      and case settings->>'mode' when 'posts_only' then posts_fetched else lead_rows end
        is distinct from (settings->>'rowCap')::int`,
  'an enriched lead with a webhook is on its way': sql`
    select l.team_id, l.id from lead l
    join source s on s.team_id = l.team_id and s.id = l.source_id and s.status = 'active'
    join webhook w on w.team_id = l.team_id and w.owner_id = l.owner_id
    where l.enrichment = 'completed' and l.webhook_status = 'pending' and w.url is not null and w.auto_send
      and w.auto_send_since is null and not w.icp_only and l.webhook_generation = w.generation
      and not ${mayBeExcluded}
      and not exists (select 1 from delivery d
        where d.team_id = l.team_id and d.owner_id = l.owner_id and d.lead_id = l.id)`,
  'a search for people that ended well has added as many as it was to': sql`
    select team_id, id, found, qualified, country_matched, max_influencers from discover_run
    where state = 'done' and error_code is null and found <> least(max_influencers,
        case when jsonb_array_length(countries) = 0 then qualified else country_matched end)`,
  'nobody is checked for a country twice, nor matches who was not checked': sql`select team_id, id from discover_run
    where country_matched > country_checked or country_checked > 500`,
  'a team that people belong to has an owner': sql`select team_id from sign_in.membership group by team_id
    having count(*) filter (where role = 'owner') = 0`,
  'a person has one free trial': sql`
    select regexp_replace(u.email, '[+][^@]*@', '@') as person, count(*) as trials from sign_in.trial t
    join sign_in."user" u on u.id = t.user_id group by 1 having count(*) > 1`,
  'a team that a person opened is the trial of somebody': sql`
    select t.id from team t left join sign_in.trial x on x.team_id = t.id
    where t.name = 'Opened by a person' and x.team_id is null`,
  'the search of an agent on trial is granted once and settled once it is over': sql`
    select e.team_id, e.key from credit_entry e
    join agent a on a.team_id = e.team_id and a.people_added and e.key = 'topup:agent_trial:' || a.discover_run
    join team t on t.id = e.team_id and t.status = 'trial'
    join discover_run d on d.team_id = a.team_id and d.id = a.discover_run and d.found < e.amount
    where not exists (select 1 from credit_entry l
      where l.team_id = e.team_id and l.key = 'lapse:agent_trial:' || a.discover_run)`,
  'a stored key of a third party is sealed': sql`select team_id, kind from team_credential
    where position('key-'::bytea in sealed) > 0`,
  'a deleted search for people is over': sql`select team_id, id from discover_run
    where deleted_at is not null and finished_at is null`,
  'a delivery that was sent is under no lease': sql`
    select team_id, id from delivery where state = 'sent' and lease_owner is not null`,
}

/** Violations of the oracle and of `rules`. */
export const findBroken = (db: Reader): Promise<string[]> => findDrift(db, rules)

type EndedRun = {
  team_id: string
  id: string
  source_id: string
  type: string
  username: string
  settings: { mode: string; maxPosts: number; sinceDays: number | null; captureReplies: boolean }
  started_at: Date
  finished_at: Date
}

/** Engagements that a run must have stored if it ended with nothing left to read, by key. */
function owed(
  { invented, erasedIn }: { invented: Invented; erasedIn: ReadonlySet<string> },
  run: EndedRun,
): { posts: string[]; keys: string[] } {
  const author = invented.authors.find((each) => each.handle === run.username && each.type === run.type)
  if (!author) return { posts: [], keys: [] }
  const from = run.started_at.getTime()
  const isErased = (actor: Actor) => erasedIn.has(run.team_id) && actor.kind === 'person' && actor.urn === canary.urn
  const isOwed = (actor: Actor, authorUrn: string) => isEngager(actor, authorUrn) && !isErased(actor)
  // Undated and pinned posts may take the place of newer ones, and so may posts published during the run.
  const shown = listing(author, run.finished_at.getTime())
  const newest = [...shown].sort((a, b) => b.atMs - a.atMs)
  const slack = newest.filter((post) => !post.dated).length + (author.pinned ? 1 : 0)
  const since =
    run.settings.sinceDays === null
      ? Number.NEGATIVE_INFINITY
      : run.finished_at.getTime() - run.settings.sinceDays * 86_400_000
  const posts = newest
    .slice(0, Math.max(0, run.settings.maxPosts - slack))
    .filter((post) => post.atMs <= from && post.dated && post.atMs >= since)
  const keys = posts
    .filter((post) => !invented.gone.has(post.urn))
    .flatMap((post) => [
      ...(post.wall === null
        ? reactionsAt(post, from).flatMap(({ actor }) =>
            isOwed(actor, post.authorUrn) && actor.kind === 'person' ? [`reaction:${post.urn}:${actor.urn}`] : [],
          )
        : []),
      ...commentsAt(post, from).flatMap((comment) =>
        isOwed(comment.actor, post.authorUrn) && (comment.parentId === null || run.settings.captureReplies)
          ? [`comment:${post.urn}:${comment.id}`]
          : [],
      ),
    ])
  return { posts: posts.map((post) => post.urn), keys }
}

/** Leads and posts that a run missed although it says it read everything; `seen` holds the runs already checked. */
export async function findLost(
  db: Reader,
  { seen, ...world }: { invented: Invented; seen: Set<string>; erasedIn: ReadonlySet<string> },
): Promise<string[]> {
  const { rows: ended } = await sql<EndedRun>`
    select y.team_id, y.id, y.source_id, s.type, s.username, y.settings, y.started_at, y.finished_at from sync y
    join source s on s.team_id = y.team_id and s.id = y.source_id
    where y.state = 'captured' and y.stopped_by in ('exhausted', 'capture_empty') order by y.id`.execute(db)
  const lost: string[] = []
  for (const run of ended) {
    if (seen.has(run.id)) continue
    seen.add(run.id)
    const { posts, keys } = owed(world, run)
    const { rows } =
      run.settings.mode === 'posts_only'
        ? await sql<{
            key: string
          }>`select post_urn as key from source_post
            where team_id = ${run.team_id} and source_id = ${run.source_id}`.execute(db)
        : await sql<{
            key: string
          }>`select engagement_key as key from lead
            where team_id = ${run.team_id} and owner_id = ${run.source_id}`.execute(db)
    const stored = new Set(rows.map((row) => row.key))
    const missing = (run.settings.mode === 'posts_only' ? posts : keys).filter((key) => !stored.has(key))
    if (missing.length > 0)
      lost.push(
        `run ${run.id} of ${run.username} says it found everything and has not ` +
          `stored ${missing.slice(0, 4).join(', ')} (${missing.length} in all)`,
      )
  }
  return lost
}

type Entry = { team_id: string; account: string; kind: string; amount: number; key: string; category: string | null }

/** Compares the ledger with billing computed from who was met, which posts were found and which enrichments were paid. */
export async function compareBilling(db: Reader, told: number): Promise<string[]> {
  const wrong: string[] = []
  const leads = (
    await sql<{
      team_id: string
      source_id: string | null
      owner_id: string
      person_urn: string
    }>`select team_id, source_id, owner_id, person_urn from lead`.execute(db)
  ).rows
  const posts = (
    await sql<{
      team_id: string
      source_id: string
      post_urn: string
    }>`select team_id, source_id, post_urn from source_post`.execute(db)
  ).rows
  const jobs = (
    await sql<{
      team_id: string
      charged: number
    }>`select team_id, (result->>'creditsCharged')::int as charged from job where status = 'completed'`.execute(db)
  ).rows
  const accounts = (
    await sql<{
      team_id: string
      account: string
      granted: number
      spent: number
    }>`select team_id, account, granted, spent from credit_account order by team_id, account`.execute(db)
  ).rows
  const entries = (
    await sql<Entry>`select team_id, account, kind, amount, key, category from credit_entry
      order by created_at, id`.execute(db)
  ).rows
  const expected = new Map<string, Set<string>>()
  const expect = (team: string, fact: string) => expected.set(team, (expected.get(team) ?? new Set()).add(fact))
  for (const lead of leads)
    expect(
      lead.team_id,
      lead.source_id === null
        ? `discover:${lead.owner_id}:person:${lead.person_urn}`
        : `source:${lead.source_id}:person:${lead.person_urn}`,
    )
  for (const post of posts) expect(post.team_id, `source:${post.source_id}:post:${post.post_urn}`)
  for (const team of new Set(accounts.map((account) => account.team_id))) {
    const own = accounts.filter((account) => account.team_id === team)
    const charges = entries.filter((entry) => entry.team_id === team && entry.kind === 'charge')
    const asked = jobs.filter((job) => job.team_id === team).reduce((sum, job) => sum + job.charged, 0)
    const facts = expected.get(team) ?? new Set()
    // An erasure anonymises the person's charges and deletes their leads and jobs.
    const erased = charges.filter((entry) => entry.key.startsWith('erased:')).length
    const told = charges.filter((entry) => !entry.key.startsWith('erased:'))
    const found = told.filter((entry) => entry.category !== 'enrichment' && entry.category !== 'posts_read')
    const enriched = told.filter((entry) => entry.category === 'enrichment').length
    const reads = charges.filter((entry) => entry.category === 'posts_read').length
    if (found.length !== facts.size || found.some((entry) => !facts.has(entry.key)))
      wrong.push(`team ${team}: ${facts.size} people and posts were met, ${found.length} charged`)
    if (enriched !== asked) wrong.push(`team ${team}: jobs say they charged ${asked}, the ledger has ${enriched}`)
    const spent = own.reduce((sum, account) => sum + account.spent, 0)
    const owing = facts.size + asked + reads + erased
    if (spent !== owing) wrong.push(`team ${team}: spent ${spent}, owed ${owing}`)
    for (const account of own)
      wrong.push(
        ...replay(
          team,
          entries.filter((entry) => entry.team_id === team && entry.account === account.account),
          account,
        ),
      )
  }
  const read = entries.filter((entry) => entry.category === 'posts_read').length
  if (read < told) wrong.push(`reads have answered with ${told} posts, and ${read} were charged`)
  return wrong
}

/** Replays the ledger line by line: the balance never goes below zero, and only existing credits lapse. */
function replay(team: string, entries: readonly Entry[], account: { granted: number; spent: number }): string[] {
  const wrong: string[] = []
  let balance = 0
  let charged = 0
  for (const entry of entries) {
    balance += entry.amount
    if (entry.kind === 'charge') charged -= entry.amount
    if (balance < 0) wrong.push(`team ${team}: the balance was ${balance} after ${entry.key}`)
  }
  if (balance !== account.granted - account.spent || charged !== account.spent)
    wrong.push(
      `team ${team}: the ledger comes to ${balance} and ${charged} charged, the account ` +
        `says ${account.granted - account.spent} and ${account.spent}`,
    )
  return wrong
}

/** Compares what receivers got with what the service says it sent. */
export async function compareDeliveries(
  db: Reader,
  { received, erasedIn }: { received: readonly ReceivedRequest[]; erasedIn: ReadonlySet<string> },
): Promise<string[]> {
  const wrong: string[] = []
  const { rows } = await sql<{
    id: string
    state: string
    about: string
    body: Buffer | null
  }>`select id, state, owner_id || ' ' || event || ' ' || subject as about, body from delivery`.execute(db)
  const known = new Map(rows.map((row) => [row.id, row]))
  const subjects = new Map<string, string>()
  // The service forgets deliveries to teams that had the canary erased if they name the canary.
  const isForgotten = ({ body }: ReceivedRequest) => erasedIn.size > 0 && namesCanary(body)
  for (const each of received) {
    const row = known.get(each.id)
    if (isForgotten(each) && (row === undefined || row.body === null)) continue
    if (!row) wrong.push(`a receiver got ${each.id}, which is no delivery`)
    else if (row.body?.toString() !== each.body) wrong.push(`delivery ${each.id} went out with another body`)
    if (!each.signed) wrong.push(`delivery ${each.id} was not signed`)
    if (!each.accepted || !row) continue
    const other = subjects.get(row.about)
    if (other !== undefined && other !== each.id) wrong.push(`${row.about} was accepted under two ids`)
    subjects.set(row.about, each.id)
  }
  const accepted = new Set(received.filter((each) => each.accepted).map((each) => each.id))
  for (const row of rows)
    if (row.state === 'sent' && !accepted.has(row.id)) wrong.push(`delivery ${row.id} is sent and nobody accepted it`)
  return wrong
}

const written = [
  'sync',
  'sync_post',
  'source',
  'source_post',
  'lead',
  'credit_account',
  'credit_entry',
  'job',
  'enrichment_task',
  'delivery',
  'delivery_attempt',
  'keyword_post',
  'keyword_spend',
  'discover_run',
  'discover_post',
  'discover_person',
  'agent',
  'agent_source',
  'outreach_rule',
  'outreach_queue',
  'outreach_batch',
  'outreach_send',
] as const

/** A hash per table that a step may write, to show that a worker without its lease changed nothing. */
export async function fingerprint(db: Reader): Promise<Record<string, string>> {
  const parts = written.map(
    (table) =>
      sql`(select ${sql.lit(table)}::text as name, coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as hash
          from ${sql.table(table)} t)`,
  )
  const { rows } = await plannedOnce(sql<{ name: string; hash: string }>`${sql.join(parts, sql` union all `)}`).execute(
    db,
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.hash]))
}
