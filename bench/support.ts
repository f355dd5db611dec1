/** What the benchmarks share: a database of their own, a composed service, a table of figures. */
import { writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { cpus } from 'node:os'
import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { compose, type Overrides, type Service } from '../packages/server/src/composition/compose.ts'
import type { Config } from '../packages/server/src/config/config.ts'
import { createTeam } from '../packages/server/src/modules/accounts/index.ts'
import { openAccount } from '../packages/server/src/modules/credits/index.ts'
import type { ConnectionSettings } from '../packages/server/src/platform/db/open.ts'
import { startEmbeddedPostgres } from '../packages/server/src/platform/db/embedded.ts'
import { openDatabase } from '../packages/server/src/platform/db/open.ts'
import { openLog } from '../packages/server/src/platform/log.ts'
import { temporaryFolder } from '../packages/server/test/world/folder.ts'

/** What another process needs to serve from the database of a stage. */
export type Beside = { readonly connection: ConnectionSettings; readonly masterKey: Buffer }

/** A service on an embedded database with fsync on, as it ships. */
export type Stage = {
  readonly service: Service
  readonly beside: Beside
  /** For filling tables: statements there take as long as they take. */
  readonly tools: ReturnType<typeof openDatabase>
  team(credits?: number): Promise<{ id: string; apiKey: string; signingSecret: string }>
  close(): Promise<void>
}

/**
 * Opens a stage; nothing works by itself unless `roles` says so. A folder in `keep` is used again as it was left, and stays; its
 * service then has the master key zero, so that the keys of its teams still hold. `beside`: on the database of a stage of another
 * process, which stays.
 */
export async function openStage(
  options: { config?: Partial<Config>; overrides?: Overrides; keep?: string | null; beside?: Beside } = {},
): Promise<Stage> {
  const keep = options.keep ?? null
  const dataDir = keep ?? (await temporaryFolder('les-bench-'))
  const postgres = options.beside
    ? { connection: options.beside.connection, stop: async () => {} }
    : await startEmbeddedPostgres({
        dataDir,
        log: () => {},
        settings: { ...keepingStatements, track_io_timing: 'on' },
      })
  const masterKey = options.beside?.masterKey ?? (keep === null ? randomBytes(32) : Buffer.alloc(32))
  const config: Config = {
    port: 0,
    host: '127.0.0.1',
    roles: ['http'],
    databaseUrl: null,
    dataDir,
    masterKey,
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
    beside: { connection: postgres.connection, masterKey },
    tools,
    team: (credits = 10_000_000) =>
      service.unitOfWork(async (tx) => {
        const limits = { reads: 1_000_000_000, writes: 1_000_000_000 }
        const made = await createTeam(tx, service, {
          name: 'Bench',
          plan: 'growth',
          status: 'active',
          limits,
        })
        await openAccount(tx, made.team.id, { status: 'active', allowance: credits })
        return { id: made.team.id, apiKey: made.apiKey, signingSecret: made.signingSecret }
      }),
    close: async () => {
      await tools.close()
      await service.stop()
      await postgres.stop()
      if (keep === null) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** One line of the table: a figure, the limit measured in the same run, and the ratio against what is aimed at. */
export type Figure = {
  readonly name: string
  readonly measured: string
  readonly limit: string
  readonly ratio: number | null
  readonly aim: string
  /** Null where nothing is aimed at. */
  readonly reached: boolean | null
  /** One of many alike: left out of the table of all benchmarks, which has their sum. */
  readonly isDetail?: true
}

/** What a benchmark measured, and on what machine. */
export type Measured = { readonly title: string; readonly machine: string; readonly figures: readonly Figure[] }

/** Prints figures as a Markdown table with the machine on top; and keeps them for whoever runs all benchmarks. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}`
  const file = process.env.BENCH_FIGURES
  if (file !== undefined) writeFileSync(file, JSON.stringify({ title, machine, figures } satisfies Measured))
  console.log(`\n## ${title}\n\n${machine}\n`)
  console.log('| figure | measured | limit in the same run | ratio | aim | reached |\n|---|---|---|---|---|---|')
  for (const each of figures)
    console.log(
      `| ${each.name} | ${each.measured} | ${each.limit} | ${each.ratio === null ? '' : each.ratio.toFixed(2)} ` +
        `| ${each.aim} | ${each.reached === null ? '' : each.reached ? 'yes' : 'no'} |`,
    )
}

/** Seconds of processor time so far: of this process, and of the database with all its connections (Linux; elsewhere zero). */
export type CpuSeconds = { readonly service: number; readonly database: number }

/** Reads what the processors have spent. The difference of two readings is what the work between them cost, whoever else is about. */
export async function cpuSeconds(stage: Stage): Promise<CpuSeconds> {
  const { user, system } = process.cpuUsage()
  const { rows } = await stage.tools.pool.query(`select pid from pg_stat_activity union select pg_backend_pid()`)
  const postmaster = (await stage.tools.pool.query(`select pg_read_file('postmaster.pid') as text`)).rows[0].text.split(
    '\n',
  )[0] as string
  const ticks = async (pid: string, fields: readonly number[]): Promise<number> => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.reduce((sum, field) => sum + Number(values[field] ?? 0), 0)
  }
  // Fields 14 to 17 of proc(5), from the third on: user, system, and those of children that have ended.
  const each = await Promise.all([
    ticks(postmaster, [11, 12, 13, 14]),
    ...(rows as { pid: number }[]).map(({ pid }) => ticks(String(pid), [11, 12])),
  ])
  return { service: (user + system) / 1e6, database: each.reduce((sum, one) => sum + one, 0) / 100 }
}

/** What work cost: seconds by the clock, and of the processors. */
export async function cost(stage: Stage, work: () => Promise<unknown>): Promise<CpuSeconds & { seconds: number }> {
  const before = await cpuSeconds(stage)
  const took = await seconds(work)
  const after = await cpuSeconds(stage)
  return { seconds: took, service: after.service - before.service, database: after.database - before.database }
}

/** What a row and a page cost, in words: `statements` are those of all pages. */
export function pageCost(
  spent: CpuSeconds,
  statements: number,
  { rows, pages }: { readonly rows: number; readonly pages: number },
): string {
  const each = (seconds: number) => `${((seconds / rows) * 1e6).toFixed(0)} us`
  return (
    `processor time of a lead row: service ${each(spent.service)}, database ${each(spent.database)}; ` +
    `a page of ${rows / pages}: ${(statements / pages).toFixed(1)} statements`
  )
}

/** A statement as the database counted it. */
export type StatementCost = {
  readonly calls: number
  readonly totalMs: number
  readonly rows: number
  readonly text: string
}

/** A connection, or a pool of them, to a database that keeps `pg_stat_statements`. */
type Asked = { query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> }

/** Settings of a database that keeps them. */
export const keepingStatements = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '2000',
} as const

/** Begins the count of statements anew. */
export const resetStatements = (pool: Asked) => pool.query('select pg_stat_statements_reset()')

/** What the database spent its time on since the last reset, the costliest first. */
export async function topStatements(pool: Asked, most = 20): Promise<StatementCost[]> {
  const { rows } = await pool.query(
    `select calls::int as calls, total_exec_time as "totalMs", rows::int as rows, regexp_replace(query, '\\s+', ' ', 'g') as text
     from pg_stat_statements where query not like '%pg_stat_statements%' order by total_exec_time desc limit $1`,
    [most],
  )
  return rows as StatementCost[]
}

/** Statements asked since the last reset, `begin` and `commit` apart: each is a round trip. */
export async function countStatements(pool: Asked): Promise<number> {
  const { rows } = await pool.query(
    `select coalesce(sum(calls), 0)::int as statements
     from pg_stat_statements
     where query !~* '^(begin|commit|rollback)' and query not like '%pg_stat_statements%'`,
  )
  return (rows[0] as { statements: number }).statements
}

/** Prints them as a Markdown table. */
export function printStatements(title: string, statements: readonly StatementCost[]): void {
  console.log(`\n### ${title}\n\n| total ms | calls | ms a call | rows | statement |\n|---|---|---|---|---|`)
  for (const { calls, totalMs, rows, text } of statements)
    console.log(
      `| ${totalMs.toFixed(0)} | ${calls} | ${(totalMs / calls).toFixed(3)} | ${rows} | \`${text.replaceAll('|', '\\|').slice(0, 160)}\` |`,
    )
}

/**
 * Fills tables without their indexes, but for those of keys, and makes them afterwards, as a restore would: a million leads
 * in a minute or two instead of ten.
 */
export async function fillQuickly(
  stage: Stage,
  tables: readonly string[],
  fill: () => Promise<unknown>,
): Promise<void> {
  const client = await stage.tools.pool.connect()
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

/** Seconds that `work` takes. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/**
 * Writes the rows of a table again by bare multi-row inserts into one of the same shape, with its indexes and without its triggers
 * and references, as many rows at once and as many lanes as the work had: what the database itself can do. Seconds.
 */
async function bareInserts(
  stage: Stage,
  table: string,
  order: string,
  { atOnce, lanes }: { readonly atOnce: number; readonly lanes: number },
): Promise<number> {
  const db = stage.service.database.root
  await sql.raw(`create table bare_${table} (like ${table} including all)`).execute(db)
  const { rows: columns } = await sql<{
    name: string
  }>`select column_name as name from information_schema.columns
    where table_name = ${table} and is_generated = 'NEVER'`.execute(db)
  const names = sql.raw(columns.map((column) => column.name).join(', '))
  // No more is sent than is written: neither what the table makes itself of other columns, nor what is null.
  const { rows: all } = await sql<{
    row: string
  }>`select jsonb_strip_nulls(to_jsonb(r))::text as row
    from (select ${names} from ${sql.raw(table)} t order by ${sql.raw(order)}) r`.execute(db)
  const chunks = Array.from(
    { length: Math.ceil(all.length / atOnce) },
    (_, index) =>
      `[${all
        .slice(index * atOnce, (index + 1) * atOnce)
        .map((each) => each.row)
        .join(',')}]`,
  )
  return seconds(() =>
    Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        for (let index = lane; index < chunks.length; index += lanes)
          await sql`insert into ${sql.raw(`bare_${table}`)} (${names}) select ${names}
            from jsonb_populate_recordset(null::${sql.raw(`bare_${table}`)}, ${chunks[index]!}::jsonb)`.execute(db)
      }),
    ),
  )
}

/** Middle value of repeated measurements. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Reads `--name value` from the command line. */
export function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}

/**
 * The rows of all four tables that captured people are written to, written again by bare inserts: seconds of the leads, and of people,
 * charges and enrichment tasks. A unit of work writes a page of each of four posts.
 */
export async function bareCapture(
  stage: Stage,
  { perPage, lanes }: { readonly perPage: number; readonly lanes: number },
): Promise<{ leads: number; others: number }> {
  const by = { atOnce: 4 * perPage, lanes }
  const leads = await bareInserts(stage, 'lead', 'created_at, id', by)
  const others =
    (await bareInserts(stage, 'person', 'urn', by)) +
    (await bareInserts(stage, 'credit_entry', 'id', by)) +
    (await bareInserts(stage, 'enrichment_task', 'person_urn', by))
  return { leads, others }
}
