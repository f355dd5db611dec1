/**
 * Replays statements recorded by tests on PostgreSQL against Citus, and compares rows, error classes and constraints.
 *
 *   LES_RECORD=DIR npx vitest run FILES
 *   LES_TEST_CITUS_URL=… node scripts/citus-compare.ts DIR [--all]
 *
 * Statements run in recorded order on as many connections as recorded. Each differing statement is reported once; `--all` also
 * reports those after the first failure, which may be its consequence. Exits with 1 on differences. A recording with a statement
 * that fails inside a unit of work only here is replayed with a savepoint before each statement.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { clientConfig, openDatabase } from '../packages/server/src/platform/db/open.ts'
import { citusDatabase } from '../packages/server/test/world/citus.ts'
import { migrate } from '../packages/server/src/platform/db/migrate.ts'
import { answerOf, failureOf, type Answer, type Recorded } from '../packages/server/test/world/recorder.ts'

const { positionals, values: flags } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' } } })
const [folder] = positionals
if (!folder) throw new Error('a folder of recorded statements is needed')

/** Statements about the machine, which differ between any two servers. */
const ofTheMachine =
  /xmin|pg_stat|pg_locks|pg_backend_pid|pg_database_size|pg_relation_size|pg_total_relation_size|pg_class|pg_tables|pg_namespace|pg_extension|information_schema|to_regclass|pg_catalog\./
/** Statements that only tests use: databases, plans, settings, triggers. */
const leftOut =
  /^(?:create|drop|alter) database|^create schema|^explain|search_path|session_replication_role|\bpoison\b/i
/** The oracle and snapshots of tests, which read every table. */
const looksAtAll =
  /^(?:\/\* planned once \*\/ )?(?:\(with broken|select pg_relation_size|select name, (?:count|coalesce)\()/
/** Lock timeouts do not reach the nodes; there the statement timeout ends the wait. */
const timeLimits: readonly string[] = ['55P03', '57014']

const patienceMs = 300

/** Some tests name `public` for tables that are in a shard here. */
let inShard: (text: string) => string = (text) => text

const shapeOf = (text: string): string =>
  text
    .replaceAll(/\$\d+(?:, \$\d+)+/g, '$…')
    .replaceAll(/\s+/g, ' ')
    .trim()

function differenceOf(plain: Answer, citus: Answer): string | undefined {
  if ('message' in citus) {
    if (!('message' in plain)) return `fails: ${citus.code} ${citus.message}`
    if (plain.constraint !== citus.constraint) return `constraint ${plain.constraint} is ${citus.constraint}`
    return plain.code === citus.code || [plain, citus].every(({ code }) => timeLimits.includes(code))
      ? undefined
      : `code ${plain.code} is ${citus.code} (${plain.constraint ?? plain.message})`
  }
  if ('message' in plain) return `does not fail: ${plain.code} ${plain.message}`
  const onlyIn = (one: { rows: string[] }, other: { rows: string[] }): string =>
    one.rows
      .filter((row) => !other.rows.includes(row))
      .join('\n')
      .slice(0, 600)
  if (plain.rows.toSorted().join('\n') === citus.rows.toSorted().join('\n')) return undefined
  return `rows: ${onlyIn(plain, citus)} | ${onlyIn(citus, plain)}`
}

type Difference = { readonly statement: Recorded; readonly difference: string; readonly isLate: boolean }
type Compared = {
  readonly asked: number
  readonly byChance: number
  readonly leftOut: number
  readonly differences: readonly Difference[]
  /** A statement failed only here, and later ones in its unit of work because of it. */
  readonly isSpoilt: boolean
}

/** Replays one recording. Rows are not compared after a test has generated random ids. */
async function compare(file: string, url: string, hasSavepoints: boolean): Promise<Compared> {
  const clients = new Map<number, { client: pg.Client; inTransaction: boolean; busy: Promise<void> }>()
  const differences: Difference[] = []
  let isSpoilt = false
  let isRandom = false
  let asked = 0
  let byChance = 0
  let left = 0
  const ask = async (its: { client: pg.Client; inTransaction: boolean }, statement: Recorded): Promise<void> => {
    const { name } = statement
    const text = inShard(statement.text)
    const isControl = /^(?:begin|commit|rollback|start transaction)/i.test(text)
    const mayFail = its.inTransaction && !isControl
    if (mayFail && hasSavepoints) await its.client.query('savepoint compared')
    const values = statement.values.map((value) =>
      value !== null && typeof value === 'object' ? Buffer.from(value.bytes, 'base64') : value,
    )
    const answer = await its.client
      .query({ text, values, ...(name === undefined ? {} : { name }) })
      .then(answerOf, failureOf)
    // A statement that fails only here must not abort its unit of work.
    if (mayFail && 'message' in answer && !('message' in statement.answer)) {
      if (hasSavepoints) await its.client.query('rollback to savepoint compared')
      isSpoilt = true
    }
    if (isControl) its.inTransaction = /^(?:begin|start)/i.test(text)
    isRandom ||= /gen_random_uuid|random\(\)/.test(text)
    const difference = ofTheMachine.test(text) ? undefined : differenceOf(statement.answer, answer)
    if (isRandom) byChance += 1
    if (difference === undefined || (isRandom && difference.startsWith('rows'))) return
    differences.push({ statement, difference, isLate: differences.length > 0 })
  }
  const recorded = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded)
  for (const statement of recorded.toSorted((one, other) => one.place - other.place)) {
    const text = statement.text.trim()
    if (leftOut.test(text) || looksAtAll.test(text)) {
      left += 1
      continue
    }
    if (isSpoilt && !hasSavepoints) break
    let its = clients.get(statement.connection)
    if (!its) {
      const client = new pg.Client(clientConfig({ connectionString: url }))
      client.on('error', () => {})
      await client.connect()
      // Tests have one shard, in `public`; here it is distributed.
      await client.query('set statement_timeout = 20000; set search_path = les_0, public')
      its = { client, inTransaction: false, busy: Promise.resolve() }
      clients.set(statement.connection, its)
    }
    asked += 1
    await its.busy
    its.busy = ask(its, statement)
    // Another open transaction may hold a lock that this statement needs, so it is given `patienceMs`; otherwise it is awaited.
    const mayWait = [...clients.values()].some((other) => other !== its && other.inTransaction)
    await (mayWait ? Promise.race([its.busy, sleep(patienceMs)]) : its.busy)
  }
  await Promise.all([...clients.values()].map(({ busy }) => busy))
  for (const { client } of clients.values()) await client.end()
  return { asked, byChance, leftOut: left, differences, isSpoilt }
}

const database = await citusDatabase(`les_compare_${process.pid}`)
const connection = { connectionString: database.url }
const laidOut = openDatabase(connection, { poolSize: 1, isSharded: true, onError: () => {} })
await migrate(laidOut.bare, 2)
const { rows: tables } = await laidOut.pool.query<{ name: string }>(
  `select format('%I.%I', schemaname, tablename) as name from pg_tables
   where schemaname in ('les_0', 'public', 'sign_in') and tablename not like 'kysely%'`,
)

const { rows: ofTeams } = await laidOut.pool.query<{ name: string }>(
  `select tablename as name from pg_tables where schemaname = 'les_0'`,
)
const saidPublic = new RegExp(`"?public"?\\.(?="?(?:${ofTeams.map(({ name }) => name).join('|')})\\b)`, 'gi')
inShard = (text) => text.replaceAll(saidPublic, 'les_0.')

const told = new Map<string, number>()
let behind = 0
const sum = { asked: 0, byChance: 0, leftOut: 0 }
for (const name of readdirSync(folder)) {
  if (!name.startsWith('les_')) continue
  const from = async (hasSavepoints: boolean): Promise<Compared> => {
    await laidOut.pool.query(`truncate ${tables.map((table) => table.name).join(', ')} cascade`)
    return compare(join(folder, name), database.url, hasSavepoints)
  }
  const first = await from(false)
  const compared = first.isSpoilt ? await from(true) : first
  for (const count of ['asked', 'byChance', 'leftOut'] as const) sum[count] += compared[count]
  for (const { statement, difference, isLate } of compared.differences) {
    if (isLate && difference.startsWith('rows') && !flags.all) {
      behind += 1
      continue
    }
    const key = `${shapeOf(statement.text)} ${difference.replaceAll(/[\d"'].*/g, '').slice(0, 80)}`
    const times = (told.get(key) ?? 0) + 1
    told.set(key, times)
    if (times === 1)
      console.log(
        `${name}: ${difference}\n    ${shapeOf(statement.text).slice(0, 1500)}\n    ${JSON.stringify(statement.values).slice(0, 300)}\n`,
      )
  }
}
await laidOut.close()
await database.drop()
console.log(
  `${sum.asked} statements asked (the rows of ${sum.byChance} behind ids by chance not compared), ${sum.leftOut} left out, ${told.size} differ, ${behind} answers behind these as well`,
)
process.exitCode = told.size > 0 ? 1 : 0
