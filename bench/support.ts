import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { compose, type Overrides, type Service } from '../packages/server/src/composition/compose.ts'
import type { Config } from '../packages/server/src/config/config.ts'
import { createTeam } from '../packages/server/src/modules/accounts/index.ts'
import { openAccount } from '../packages/server/src/modules/credits/index.ts'
import { startEmbeddedPostgres } from '../packages/server/src/platform/db/embedded.ts'
import { openDatabase, type ConnectionSettings } from '../packages/server/src/platform/db/open.ts'
import { openLog } from '../packages/server/src/platform/log.ts'
import type { Network, Page, Post, Reaction } from '../packages/server/src/providers/ports.ts'
import { temporaryFolder } from '../packages/server/test/world/folder.ts'
import { promises, type PromiseName, type Promised } from './promises.ts'

/** A service on its own embedded database, with fsync on as shipped. */
export type Stage = {
  readonly service: Service
  readonly connection: ConnectionSettings
  /** For filling tables, without a statement timeout. */
  readonly tools: ReturnType<typeof openDatabase>
  team(): Promise<{ id: string; apiKey: string; signingSecret: string }>
  close(): Promise<void>
}

/** Opens a stage; nothing runs in the background unless `roles` says so. */
export async function openStage(options: { config?: Partial<Config>; overrides?: Overrides } = {}): Promise<Stage> {
  const dataDir = await temporaryFolder('les-bench-')
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '2000' },
  })
  const config: Config = {
    port: 0,
    host: '127.0.0.1',
    roles: ['http'],
    databaseUrl: null,
    dataDir,
    masterKey: randomBytes(32),
    operatorToken: 'bench',
    securityContact: null,
    vendors: { kind: 'sandbox' },
    allowPrivateDestinations: true,
    signUp: 'off',
    agentEnabled: true,
    keywordCutoverAt: new Date('2026-11-01T00:00:00.000Z'),
    clock: { mode: 'system' },
    faults: false,
    seedDemo: false,
    metricsPort: null,
    operatorPort: null,
    logLevel: 'silent',
    publicUrl: null,
    trustedProxies: [],
    mail: null,
    ...options.config,
  }
  const service = await compose(config, openLog('silent'), { connection: postgres.connection, ...options.overrides })
  await service.start()
  const tools = openDatabase(postgres.connection, { poolSize: 2, onError: () => {} })
  await tools.pool.query('create extension if not exists pg_stat_statements')
  return {
    service,
    connection: postgres.connection,
    tools,
    team: () =>
      service.unitOfWork(async (tx) => {
        const limits = { reads: 1_000_000_000, writes: 1_000_000_000 }
        const made = await createTeam(tx, service, { name: 'Bench', plan: 'growth', status: 'active', limits })
        await openAccount(tx, made.team.id, { status: 'active', allowance: 10_000_000 })
        return { id: made.team.id, apiKey: made.apiKey, signingSecret: made.signingSecret }
      }),
    close: async () => {
      await tools.close()
      await service.stop()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Reads `--name value` from the command line. */
export function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}

/** Seconds that `work` takes. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** For example 0.95 for the 95th percentile. */
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN

/** The 50th percentile. */
export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** Waits `ms` milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Repeats a step in `lanes` parallel lanes until it is idle. */
export async function workAll(step: () => Promise<'worked' | 'idle'>, lanes: number): Promise<void> {
  const lane = async (): Promise<void> => {
    while ((await step()) === 'worked');
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** Statements since the last reset of `pg_stat_statements`, without transaction control; each is a round trip. */
export async function countStatements({ tools }: Stage): Promise<number> {
  const { rows } = await tools.pool.query(
    `select coalesce(sum(calls), 0)::int as statements
     from pg_stat_statements
     where query !~* '^(begin|commit|rollback)' and query not like '%pg_stat_statements%'`,
  )
  return (rows[0] as { statements: number }).statements
}

/** Resets `pg_stat_statements`. */
export const resetStatements = ({ tools }: Stage) => tools.pool.query('select pg_stat_statements_reset()')

/** Prints the most expensive statements since the last reset. */
export async function printStatements({ tools }: Stage): Promise<void> {
  const { rows } = await tools.pool.query(
    `select calls::int as calls, total_exec_time::int as "totalMs", regexp_replace(query, '\\s+', ' ', 'g') as text
     from pg_stat_statements where query not like '%pg_stat_statements%' order by total_exec_time desc limit 12`,
  )
  for (const { calls, totalMs, text } of rows)
    console.log(`${String(totalMs).padStart(8)} ms ${String(calls).padStart(8)} calls  ${text.slice(0, 140)}`)
}

/** Fills tables without their non-unique indexes, which are created afterwards: a million leads in a minute or two. */
export async function fillQuickly(
  { tools }: Stage,
  tables: readonly string[],
  fill: () => Promise<unknown>,
): Promise<void> {
  const client = await tools.pool.connect()
  try {
    const { rows } = await client.query(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made from pg_index i
       where i.indrelid = any($1::regclass[]) and not i.indisunique`,
      [tables],
    )
    for (const { name } of rows) await client.query(`drop index ${name}`)
    await fill()
    await client.query(`set maintenance_work_mem = '512MB'`)
    for (const { made } of rows) await client.query(made)
    await client.query('reset maintenance_work_mem')
    for (const table of tables) await client.query(`vacuum analyze ${table}`)
  } finally {
    client.release()
  }
}

/** Creates a tracked source of a person that has no due work; returns its id. */
export async function addSource({ service, tools }: Stage, teamId: string, name: string): Promise<string> {
  const id = service.ids.uuid(new Date())
  await sql`
    insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at)
    values (${teamId}, ${id}, 'person', ${name}, sha256(${name}::bytea), 'active', 'engagers', true, true, now())
  `.execute(tools.bare)
  return id
}

/** Creates a source with a webhook; returns the source's id. */
export async function addWebhook(stage: Stage, teamId: string, name: string, url: string): Promise<string> {
  const id = await addSource(stage, teamId, name)
  await sql`
    insert into webhook (team_id, owner_id, owner_kind, url, url_set_at)
    values (${teamId}, ${id}, 'source', ${url}, now())`.execute(stage.tools.bare)
  return id
}

const words = {
  first:
    'Anna Ben Carla David Elena Felix Grace Hugo Ines Jonas Karim Laura Mehmet Nadia Oscar Priya Rosa Sofia Tom Zoe',
  last: 'Abel Brandt Costa Dubois Eriksen Fischer Gupta Haas Ivanov Jensen Kim Lopez Meyer Novak Okafor Patel Rossi Weber',
  title:
    'CEO|Account Executive|Marketing Manager|Software Engineer|Sales Manager|Data Scientist|Founder|Recruiter|Finance Analyst',
  country:
    'United States|Germany|France|India|United Kingdom|Spain|Brazil|Netherlands|Poland|Canada|Italy|Japan|Kenya|Uruguay',
  industry:
    'Software Development|Financial Services|Advertising Services|Higher Education|Manufacturing|Robotics Engineering',
}

/** SQL for a pseudo-random word by number; earlier words are more frequent. */
function word(name: keyof typeof words, number: string) {
  const list = words[name].split(words[name].includes('|') ? '|' : ' ')
  const nth = `(abs(hashint4(${number})) % ${list.length ** 2}) % (1 + abs(hashint4(${number} + 7)) % ${list.length})`
  return sql.raw(`(array[${list.map((each) => `'${each}'`).join(',')}])[1 + ${nth}]`)
}

const textColumns = ['name', 'job_title', 'company_name', 'company_domain', 'country', 'company_industry']

/** The id of a filled team's source number `n`. */
export const filledSource = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Fills a team with leads over sources in bulk; values are realistic: a few common ones and a long tail. */
export async function fillLeads(stage: Stage, teamId: string, leads: number, sources: number): Promise<void> {
  const db = stage.tools.bare
  await sql`
    insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at)
    select ${teamId}, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'person', 'author-' || n,
      sha256(('author-' || n)::bytea), 'active', 'engagers', true, true, now()
    from generate_series(0, ${sources - 1}::int) n`.execute(db)
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        reaction, post_urn, post_url, post_posted_at, name, headline, linkedin_url, job_title, country,
      company_name, company_domain, company_industry, enrichment, webhook_status, is_icp, created_at)
    select ${teamId}, ('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, s.id, s.id,
      case when n % 50 = 0 then 'post' when n % 9 = 0 then 'company' when n % 7 = 0 then 'keyword' else 'profile' end,
      'ACoAA' || p, 'reaction:urn:li:activity:' || n,
      case when n % 6 = 0 then 'Comment' when n % 500 = 1 then 'Author' else 'Like' end, 'Like',
      'urn:li:activity:' || n % 40000, 'https://www.linkedin.com/feed/update/urn:li:activity:' || n % 40000, now(),
      ${word('first', 'p')} || ' ' || ${word('last', 'p + 3')} || ' ' || p, 'Headline ' || p,
      'https://www.linkedin.com/in/ACoAA' || p, ${word('title', 'p + 5')},
      case when p % 20 = 0 then null else ${word('country', 'p + 11')} end,
      'Company ' || p % 19997, 'company' || p % 19997 || '.example', ${word('industry', 'p % 19997')}, 'completed',
      case when n % 11 = 0 then 'sent' when n % 4000 = 0 then 'failed' when n % 3 = 0 then 'pending' else 'no_webhook' end,
      case when n % 4 = 0 then true when n % 4 = 1 then false end,
      now() - ((${leads}::int - n) * 5 || ' seconds')::interval
    from generate_series(1, ${leads}::int) n
    cross join lateral (select abs(hashint4(n)) % ${Math.ceil(leads * 0.4)}::int as p) person
    cross join lateral (select ('00000000-0000-7000-8000-' || lpad((n % ${sources})::text, 12, '0'))::uuid as id) s
  `.execute(db)
  await sql`
    update source s set lead_rows = c.rows, leads_completed = c.rows
    from (select source_id, count(*) as rows from lead where team_id = ${teamId} group by 1) c
    where s.team_id = ${teamId} and s.id = c.source_id`.execute(db)
  for (const column of textColumns)
    await sql`
      insert into lead_text (team_id, field, key, folded)
      select distinct on (key) team_id, ${column}, key, folded
      from (select team_id, ${sql.id(`${column}_key`)} as key, ${sql.id(`${column}_folded`)} as folded
        from lead where team_id = ${teamId}) l
      where key is not null`.execute(db)
}

/**
 * Copies a table's rows by bare multi-row inserts into a table with the same indexes but without triggers and references, with as
 * many rows at once and lanes as the measured work: the limit of the database. Returns seconds.
 */
async function bareInserts(stage: Stage, table: string, order: string, atOnce: number, lanes: number): Promise<number> {
  const db = stage.service.database.root
  await sql.raw(`create table bare_${table} (like ${table} including all)`).execute(db)
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_name = ${table} and is_generated = 'NEVER'`.execute(db)
  const names = sql.raw(columns.map(({ name }) => name).join(', '))
  // Sends no generated columns and no nulls.
  const { rows } = await sql<{ row: string }>`
    select jsonb_strip_nulls(to_jsonb(r))::text as row
    from (select ${names} from ${sql.raw(table)} t order by ${sql.raw(order)}) r`.execute(db)
  const chunks = Array.from({ length: Math.ceil(rows.length / atOnce) }, (_, nth) => {
    const those = rows.slice(nth * atOnce, (nth + 1) * atOnce)
    return `[${those.map(({ row }) => row).join(',')}]`
  })
  const bare = sql.raw(`bare_${table}`)
  const lane = async (): Promise<void> => {
    for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop())
      await sql`
        insert into ${bare} (${names})
        select ${names} from jsonb_populate_recordset(null::${bare}, ${chunk}::jsonb)`.execute(db)
  }
  chunks.reverse()
  return seconds(() => Promise.all(Array.from({ length: lanes }, lane)))
}

/** Seconds of bare inserts into all four tables of captured people; a unit writes one page of each of four posts. */
export async function bareCapture(stage: Stage, perPage: number, lanes: number): Promise<number> {
  let took = 0
  for (const [table, order] of [
    ['lead', 'created_at, id'],
    ['person', 'urn'],
    ['credit_entry', 'id'],
    ['enrichment_task', 'person_urn'],
  ] as const)
    took += await bareInserts(stage, table, order, 4 * perPage, lanes)
  return took
}

const unused = (): never => {
  throw new Error('not part of this benchmark')
}

/** A network whose calls all throw; benchmarks override what they use. */
export const notAsked: Network = {
  roleOf: () => 'primary',
  callsAtOnce: () => 100,
  resolveHandle: unused,
  profile: unused,
  company: unused,
  post: unused,
  replies: unused,
  posts: unused,
  reactions: unused,
  comments: unused,
  searchPosts: unused,
}

/** A post with a number of reactions. */
export const postOf = (urn: string, author: string, reactions: number): Post => ({
  urn,
  url: `https://example.com/${urn}`,
  text: 'A post about sales',
  author: { kind: 'person', urn: 'ACoAAauthor', name: author, url: null, headline: null },
  postedAt: '2026-11-20T00:00:00.000Z',
  contentType: null,
  totalReactionCount: reactions,
  commentsCount: 0,
  aliases: [],
})

export const likeOf = (urn: string, nth: number): Reaction => ({
  actor: {
    kind: 'person',
    urn,
    name: `Person ${nth}`,
    headline: 'Head of Growth at Example',
    handle: null,
    linkedinUrl: `https://www.linkedin.com/in/${urn}`,
    avatarUrl: null,
  },
  reaction: 'Like',
})

/** People with posts whose pages of reactions are all by different people. */
export const networkOfReactions = ({
  posts,
  pages,
  perPage,
}: Readonly<Record<'posts' | 'pages' | 'perPage', number>>): Network => ({
  ...notAsked,
  posts: async (of): Promise<Page<Post>> => {
    const name = of.kind === 'person' ? of.handle : of.slug
    const number = BigInt(Number(name.replace(/\D/g, '')) * 100)
    const items = Array.from({ length: posts }, (_, nth) =>
      postOf(`urn:li:activity:${7_000_000_000_000_000_000n + number + BigInt(nth)}`, name, pages * perPage),
    )
    return { items, next: null, total: null, cutShort: false, source: 'primary' }
  },
  reactions: async (post, at): Promise<Page<Reaction>> => {
    const page = at === null ? 0 : Number(at.cursor.page)
    const items = Array.from({ length: perPage }, (_, nth) => likeOf(`ACoAA${post.urn.slice(-6)}${page}x${nth}`, nth))
    const next = page + 1 < pages ? { page: page + 1 } : null
    return { items, next, total: pages * perPage, cutShort: false, source: 'primary' }
  },
})

/** A measured promise: in words, its `value`, and what it was compared with in the same run. */
export type Figure = { readonly measured: string; readonly beside: string; readonly value: number }
type Kept = Figure & { readonly at: string; readonly load: number | null; readonly machine: string }

const root = join(import.meta.dirname, '..')
const keptFile = join(root, 'docs/generated/benchmarks.json')
const shownFile = join(root, 'docs/benchmarks.md')

function isKept({ least = -Infinity, most = Infinity }: Promised, { value }: Figure): boolean {
  return value >= least && value <= most
}

function rowOf(name: PromiseName, figure: Kept | undefined): string {
  const promise: Promised = promises[name]
  const command = promise.command === '' ? '' : `\`${promise.command}\``
  const cells =
    figure === undefined
      ? [promise.what, promise.floor, 'not measured since', '', '', '', command, '']
      : [
          promise.what,
          promise.floor,
          figure.measured,
          figure.beside,
          String(Number(figure.value.toPrecision(3))),
          isKept(promise, figure) ? 'yes' : 'no',
          command,
          figure.load === null ? figure.at.slice(0, 10) : `${figure.at.slice(0, 10)}, load ${figure.load.toFixed(1)}`,
        ]
  return `| ${cells.join(' | ')} |`
}

/** Prints figures; `--keep` also writes them into the table of docs/benchmarks.md. */
export function report(figures: Readonly<Partial<Record<PromiseName, Figure>>>): void {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}`
  const made = { at: new Date().toISOString(), load: Math.round(loadavg()[0]! * 10) / 10, machine }
  const all = JSON.parse(readFileSync(keptFile, 'utf8')) as Partial<Record<PromiseName, Kept>>
  const names = Object.keys(promises) as PromiseName[]
  console.log(machine)
  for (const name of names) {
    const figure = figures[name]
    if (figure === undefined) continue
    all[name] = { ...figure, ...made }
    console.log(rowOf(name, all[name]))
  }
  if (!process.argv.includes('--keep')) return
  writeFileSync(keptFile, `${JSON.stringify(all, null, 2)}\n`)
  const page = readFileSync(shownFile, 'utf8')
  const head = page.slice(0, page.indexOf('| promise |'))
  const titles = ['promise', 'floor', 'measured', 'beside it in the same run', 'value', 'kept', 'command', 'when']
  const lines = [titles, titles.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |`)
  writeFileSync(
    shownFile,
    `${[head + lines[0], lines[1], ...names.map((name) => rowOf(name, all[name]))].join('\n')}\n`,
  )
}
