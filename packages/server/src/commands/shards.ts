/** `les-server shards`: lists and adds shards, and moves teams between them (docs/scaling.md). */
import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import { findDatabase } from '../backup/place.ts'
import type { Config } from '../config/config.ts'
import { readProcessConfig } from '../config/env.ts'
import { systemClock } from '../platform/clock.ts'
import { addNode, hasCitus, moveShard, nodesOfShards, type Node } from '../platform/db/citus.ts'
import { listShards, migrate } from '../platform/db/migrate.ts'
import { openDatabase } from '../platform/db/open.ts'
import type { Database } from '../platform/db/schema.ts'
import { isShardName } from '../platform/db/shards.ts'
import { machineIds } from '../platform/random.ts'
import { findTeamPlace, moveTeam, undoMove, type MoveParts } from '../platform/shards/move.ts'
import { listOpenMoves, MoveRefused, type OpenMove } from '../platform/shards/moves.ts'
import { estimateMove, proposeMoves, readShards } from '../platform/shards/overview.ts'
import { parseWords, report, UsageError, type Output } from './report.ts'

type Write = Output['out']

const usage = `les-server shards list                      what each holds, whether it answers, and which teams are on their way
les-server shards add                       one more, empty; restart the processes, then move teams there
les-server shards move TEAM-ID SHARD        moves a team while it works; begun again, it goes on where it stopped
                       --dry-run            only says what would be moved
                       --undo               instead: undoes a move that has not switched (without SHARD)
les-server shards rebalance [--by teams|rows] [--yes]
                                            says which moves would spread teams evenly; --yes: makes them, one by one

On a Citus, whose servers hold whole shards:
les-server shards add --node HOST:PORT      takes a server in
les-server shards move SHARD HOST:PORT      moves a shard to a server while it works, and checks its ledgers afterwards
`

const options = {
  'dry-run': { type: 'boolean' },
  undo: { type: 'boolean' },
  by: { type: 'string' },
  node: { type: 'string' },
  yes: { type: 'boolean' },
} as const

type ShardsAsked =
  | { readonly verb: 'list' }
  | { readonly verb: 'add' }
  | { readonly verb: 'move'; readonly teamId: string; readonly to: string; readonly dryRun: boolean }
  | { readonly verb: 'undo'; readonly teamId: string }
  | { readonly verb: 'add node'; readonly node: Node }
  | { readonly verb: 'move shard'; readonly shard: string; readonly node: Node }
  | { readonly verb: 'rebalance'; readonly by: 'teams' | 'rows'; readonly yes: boolean }

/** The options of each form; others are refused, since an ignored option would look obeyed. */
const taken: Readonly<Record<ShardsAsked['verb'], readonly (keyof typeof options)[]>> = {
  list: [],
  add: [],
  'add node': ['node'],
  move: ['dry-run'],
  undo: ['undo'],
  'move shard': [],
  rebalance: ['by', 'yes'],
}

/** Parses the words after `shards`; throws `UsageError` with the usage. */
export function readShardsWords(words: readonly string[]): ShardsAsked {
  const { values, positionals } = parse(words)
  const asked = readForm(positionals, values)
  const other = Object.keys(values).find((option) => !(taken[asked.verb] as readonly string[]).includes(option))
  if (other !== undefined) throw new UsageError(`--${other} does not go with these words\n\n${usage}`)
  return asked
}

function readForm(positionals: readonly string[], values: ReturnType<typeof parse>['values']): ShardsAsked {
  const [verb, what, to] = positionals
  const by = values.by ?? 'teams'
  if (positionals.length === 1) {
    if (verb === 'list') return { verb }
    if (verb === 'add') return values.node === undefined ? { verb } : { verb: 'add node', node: readNode(values.node) }
    if (verb === 'rebalance' && (by === 'teams' || by === 'rows')) return { verb, by, yes: values.yes ?? false }
  }
  if (verb === 'move' && positionals.length === 2 && values.undo) return { verb: 'undo', teamId: what!.toLowerCase() }
  if (verb === 'move' && positionals.length === 3)
    return isShardName(what!)
      ? { verb: 'move shard', shard: what!, node: readNode(to!) }
      : { verb, teamId: what!.toLowerCase(), to: to!, dryRun: values['dry-run'] ?? false }
  throw new UsageError(usage)
}

function readNode(text: string): Node {
  const [, host, port] = /^([^\s:]+):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined) throw new UsageError(`${text} is no server: write HOST:PORT\n\n${usage}`)
  return { host, port: Number(port) }
}

const parse = (words: readonly string[]) =>
  parseWords(usage, () => parseArgs({ args: [...words], allowPositionals: true, options }))

const whole = new Intl.NumberFormat('en')
const megabytes = (bytes: number): string => `${whole.format(Math.round(bytes / 1_000_000))} MB`

function describeMove({ teamId, from, to, state, rowsCopied }: OpenMove): string {
  const how = {
    copying: `${whole.format(rowsCopied)} rows copied; go on with: shards move ${teamId} ${to}`,
    switched: `works in ${to}; its old rows go after ten minutes`,
    undoing: 'is being undone',
  }[state]
  return `${teamId}  ${from} -> ${to}  ${how}\n`
}

async function severalShards(db: Kysely<Database>): Promise<readonly string[]> {
  const shards = await listShards(db)
  if (shards.length === 0)
    throw new MoveRefused(
      'the database has one shard: stop all processes, set LES_SHARDS to a number above 1, and start them (docs/scaling.md)',
    )
  return shards
}

async function list(db: Kysely<Database>, write: Write): Promise<void> {
  const shards = await listShards(db)
  if (shards.length === 0) {
    write('The database has one shard: everything is in the schema public.\n')
    return
  }
  const nodes = (await hasCitus(db)) ? await nodesOfShards(db) : new Map<string, Node>()
  for (const { shard, teams, rows, bytes, answers } of await readShards(db, shards)) {
    const node = nodes.get(shard)
    const at = node ? `${node.host}:${node.port}  ` : ''
    const holds = `${whole.format(teams)} teams, about ${whole.format(rows)} rows, ${megabytes(bytes)}`
    write(`${shard.padEnd(9)}${at}${answers ? 'answers' : 'SILENT '}  ${holds}\n`)
    if (!answers)
      write('         -> its teams wait, others are served: see in pg_stat_activity what holds its tables\n')
  }
  const moves = await listOpenMoves(db)
  if (moves.length > 0) write(`\nOn their way:\n${moves.map(describeMove).join('')}`)
}

async function add(db: Kysely<Database>, write: Write): Promise<void> {
  const shards = await severalShards(db)
  const now = await migrate(db, shards.length + 1)
  write(
    `There is a shard ${now.at(-1)!} now. Restart the processes one after another (LES_SHARDS may say ${now.length}): ` +
      'from then on new teams go there, and teams can be moved there (shards rebalance).\n',
  )
}

async function move(parts: MoveParts, asked: Extract<ShardsAsked, { verb: 'move' }>, write: Write): Promise<void> {
  const { teamId, to, dryRun } = asked
  const shards = await severalShards(parts.db)
  if (!shards.includes(to)) throw new MoveRefused(`there is no shard ${to}: there are ${shards.join(', ')}`)
  const { shard, name } = await findTeamPlace(parts, teamId)
  if (!dryRun) {
    write(`Moving ${name} from ${shard} to ${to}\n`)
    await moveTeam(parts, teamId, to)
    write(`Done. The old rows go after ten minutes, by the clock of the service.\n`)
    return
  }
  const { counts, rows, sealedSeconds } = await estimateMove(parts.db, teamId, shard)
  const widest = Math.max(0, ...Object.keys(counts).map((table) => table.length))
  const seal = `sealed for ${sealedSeconds.toFixed(1)} s at most`
  write(`${name} would go from ${shard} to ${to}: ${whole.format(rows)} rows; ${seal}\n`)
  for (const [table, count] of Object.entries(counts)) write(`  ${table.padEnd(widest)}  ${whole.format(count)}\n`)
  if (sealedSeconds > 5) write('It may not be done within a seal of 5 s: choose a quiet hour.\n')
}

async function rebalance(
  parts: MoveParts,
  { by, yes }: Extract<ShardsAsked, { verb: 'rebalance' }>,
  write: Write,
): Promise<void> {
  const proposed = await proposeMoves(parts.db, await severalShards(parts.db), by)
  if (proposed.length === 0) {
    write('Teams are spread as evenly as moves of whole teams can.\n')
    return
  }
  for (const { teamId, from, to } of proposed) {
    write(`shards move ${teamId} ${to}   (from ${from})\n`)
    if (yes) await moveTeam(parts, teamId, to)
  }
  write(yes ? `${proposed.length} teams moved.\n` : 'Nothing was moved: add --yes to make these moves.\n')
}

async function requireCitus(db: Kysely<Database>, wanted: boolean): Promise<void> {
  if ((await hasCitus(db)) === wanted) return
  throw new MoveRefused(
    wanted
      ? 'the database has no extension Citus: servers are added and shards moved between them on a Citus alone (docs/scaling.md)'
      : 'on a Citus teams stay in their shard: move the whole shard with les-server shards move SHARD HOST:PORT',
  )
}

async function takeNode(db: Kysely<Database>, node: Node, write: Write): Promise<void> {
  await requireCitus(db, true)
  await addNode(db, node)
  write(`${node.host}:${node.port} is one of the servers now: move shards there.\n`)
}

async function moveToNode(db: Kysely<Database>, shard: string, node: Node, write: Write): Promise<void> {
  await requireCitus(db, true)
  const shards = await severalShards(db)
  if (!shards.includes(shard)) throw new MoveRefused(`there is no shard ${shard}: there are ${shards.join(', ')}`)
  await moveShard(db, shard, node)
  write(`${shard} lies on ${node.host}:${node.port} now, and every ledger in it adds up.\n`)
}

/** Runs a command on a database. */
export async function runShards(parts: MoveParts, asked: ShardsAsked, write: Write): Promise<void> {
  const { db } = parts
  if (asked.verb === 'list') return list(db, write)
  if (asked.verb === 'add') return add(db, write)
  if (asked.verb === 'add node') return takeNode(db, asked.node, write)
  if (asked.verb === 'move shard') return moveToNode(db, asked.shard, asked.node, write)
  await requireCitus(db, false)
  if (asked.verb === 'move') return move(parts, asked, write)
  if (asked.verb === 'rebalance') return rebalance(parts, asked, write)
  await undoMove(parts, asked.teamId)
  write('Undone: the team is where it was, and what was copied is gone.\n')
}

async function onDatabase(config: Config, asked: ShardsAsked, write: Write): Promise<void> {
  const place = await findDatabase(config)
  const at = config.databaseDirectUrl ? { connectionString: config.databaseDirectUrl } : place.connection
  const database = openDatabase(at, { poolSize: 4, isSharded: true, onError: () => {} })
  try {
    const processId = machineIds().uuid(new Date(systemClock.nowMs()))
    const say = (line: string) => write(`  ${line}\n`)
    await runShards({ db: database.bare, system: systemClock, processId, say }, asked, write)
  } finally {
    await database.close()
    await place.close()
  }
}

/** Returns 0, or 1 when it was refused or failed, or 2 for an invalid command line. */
export const runShardsCommand = (words: readonly string[], { out, err }: Output): Promise<number> =>
  report('shards', { err }, async () => {
    if (words.includes('--help') || words.includes('-h')) return out(usage)
    await onDatabase(readProcessConfig(), readShardsWords(words), out)
  })
