/** Shards on several nodes (docs/scaling.md): each a distributed schema, moved as a whole; `team` is copied to every node. */
import { sql, type Kysely } from 'kysely'
import { queryAll, queryValue } from './query.ts'
import type { Database } from './schema.ts'

/** Whether the Citus extension is installed. */
export const hasCitus = async (db: Kysely<Database>): Promise<boolean> =>
  (await queryValue<boolean>(db)`
    select exists (select 1 from pg_extension where extname = 'citus') as there`)!

/** Distributes schemas that are not yet, with their rows. */
export async function distributeShards(db: Kysely<Database>, shards: readonly string[]): Promise<void> {
  const { rows: done } = await sql<{ name: string }>`select schema_name::text as name from citus_schemas`.execute(db)
  const missing = shards.filter((shard) => !done.some(({ name }) => name === shard))
  if (missing.length === 0) return
  await settleNodes(db)
  const { rows: copied } = await sql`
    select 1 from pg_dist_partition where logicalrelid = 'public.team'::regclass`.execute(db)
  if (copied.length === 0) await sql`select create_reference_table('public.team')`.execute(db)
  for (const shard of missing)
    await db.connection().execute(async (session) => {
      await logAll(session, shard)
      await sql`set citus.enable_unsafe_triggers = on`.execute(session)
      await sql`select citus_schema_distribute(${shard}::regnamespace)`.execute(session)
      await sql`reset citus.enable_unsafe_triggers`.execute(session)
    })
}

/** Settings that the coordinator's sessions on nodes do not inherit: UTC, and no JIT compilation. */
async function settleNodes(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  for (const setting of ["timezone = 'UTC'", 'jit = off'])
    await sql`alter database ${sql.id(rows[0]!.name)} set ${sql.raw(setting)}`.execute(db)
}

/** Citus cannot move an unlogged table while it is written to. */
async function logAll(session: Kysely<Database>, shard: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = ${shard}::regnamespace and relkind = 'r' and relpersistence = 'u'`.execute(session)
  for (const { name } of rows) await sql`alter table ${sql.id(shard, name)} set logged`.execute(session)
}

export type Node = { readonly host: string; readonly port: number }

/** Adds a server that has the database with the extension, empty. Shards can move there, and new ones are made there. */
export async function addNode(db: Kysely<Database>, { host, port }: Node): Promise<void> {
  await sql`select citus_add_node(${host}::text, ${port}::integer)`.execute(db)
  // A move refuses a server without the reference tables.
  await sql`select replicate_reference_tables()`.execute(db)
}

/** Where each shard is, from the catalogue: Citus's own views ask every node for table sizes. */
export async function nodesOfShards(db: Kysely<Database>): Promise<ReadonlyMap<string, Node>> {
  const { rows } = await sql<Node & { shard: string }>`
    select distinct s.schemaid::regnamespace::text as shard, n.nodename as host, n.nodeport as port
    from pg_dist_schema s join pg_dist_partition t on t.colocationid = s.colocationid
    join pg_dist_shard d on d.logicalrelid = t.logicalrelid join pg_dist_placement p on p.shardid = d.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`.execute(db)
  return new Map(rows.map(({ shard, host, port }) => [shard, { host, port }]))
}

/** Moves a shard in use; writes wait at the end only. Throws if it did not arrive, or if a ledger does not match its balance. */
export async function moveShard(db: Kysely<Database>, shard: string, { host, port }: Node): Promise<void> {
  await sql`select citus_schema_move(${shard}::regnamespace, ${host}::text, ${port}::integer)`.execute(db)
  const now = (await nodesOfShards(db)).get(shard)
  if (now?.host !== host || now.port !== port) throw new Error(`${shard} does not lie on ${host}:${port}`)
  const [account, entry] = [sql.table(`${shard}.credit_account`), sql.table(`${shard}.credit_entry`)]
  const wrong = await queryAll<{ id: string }>(db)`
    select a.team_id as id from ${account} a left join ${entry} e on e.team_id = a.team_id and e.account = a.account
    group by a.team_id, a.account, a.granted, a.spent having a.granted - a.spent <> coalesce(sum(e.amount), 0)`
  if (wrong.length > 0)
    throw new Error(`the ledger does not add up after the move: ${wrong.map(({ id }) => id).join()}`)
}
