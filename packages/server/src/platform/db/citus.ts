/**
 * Shards on nodes of their own (docs/scaling.md): in a database with the extension Citus, each schema of a shard is a distributed one, which
 * lies on one of the nodes and is moved whole. `team` is copied to all of them, since everything refers to it. What else is in
 * `public` stays on the coordinator.
 */
import { sql, type Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Whether the database has the extension. */
export async function hasCitus(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select exists (select 1 from pg_extension where extname = 'citus') as there`.execute(db)
  return rows[0]!.there
}

/** Makes schemas distributed that are not yet; on a database with rows in them, the rows go with them. */
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

/**
 * Sessions of the coordinator on the nodes do not hear of the settings of ours: times are to be read in UTC there too, and statements not
 * compiled to machine code first.
 */
async function settleNodes(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  for (const setting of ["timezone = 'UTC'", 'jit = off'])
    await sql`alter database ${sql.id(rows[0]!.name)} set ${sql.raw(setting)}`.execute(db)
}

/** What is not logged cannot be moved while it is written. */
async function logAll(session: Kysely<Database>, shard: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = ${shard}::regnamespace and relkind = 'r' and relpersistence = 'u'`.execute(session)
  for (const { name } of rows) await sql`alter table ${sql.id(shard, name)} set logged`.execute(session)
}

/** A server of the cluster. */
export type Node = { readonly host: string; readonly port: number }

/** Adds a server that has the same database with the extension, empty; shards are moved there, or made there when new. */
export async function addNode(db: Kysely<Database>, { host, port }: Node): Promise<void> {
  await sql`select citus_add_node(${host}::text, ${port}::integer)`.execute(db)
  // A move refuses a server that lacks what is on every one.
  await sql`select replicate_reference_tables()`.execute(db)
}

/** The server that each shard lies on, by the catalogue alone: Citus's own views ask every server how large its tables are. */
export async function nodesOfShards(db: Kysely<Database>): Promise<ReadonlyMap<string, Node>> {
  const { rows } = await sql<Node & { shard: string }>`
    select distinct s.schemaid::regnamespace::text as shard, n.nodename as host, n.nodeport as port
    from pg_dist_schema s join pg_dist_partition t on t.colocationid = s.colocationid
    join pg_dist_shard d on d.logicalrelid = t.logicalrelid join pg_dist_placement p on p.shardid = d.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`.execute(db)
  return new Map(rows.map(({ shard, host, port }) => [shard, { host, port }]))
}

/**
 * Moves a shard to a server while it is worked on: writes wait at the end alone. Throws when it does not lie there afterwards, or when the
 * ledger of a team does not come to its balance, which is asked of one moment.
 */
export async function moveShard(db: Kysely<Database>, shard: string, { host, port }: Node): Promise<void> {
  await sql`select citus_schema_move(${shard}::regnamespace, ${host}::text, ${port}::integer)`.execute(db)
  const now = (await nodesOfShards(db)).get(shard)
  if (now?.host !== host || now.port !== port) throw new Error(`${shard} does not lie on ${host}:${port}`)
  const [account, entry] = [sql.table(`${shard}.credit_account`), sql.table(`${shard}.credit_entry`)]
  const { rows: wrong } = await sql<{ id: string }>`
    select a.team_id as id from ${account} a left join ${entry} e on e.team_id = a.team_id and e.account = a.account
    group by a.team_id, a.account, a.granted, a.spent having a.granted - a.spent <> coalesce(sum(e.amount), 0)`.execute(
    db,
  )
  if (wrong.length > 0)
    throw new Error(`the ledger does not add up after the move: ${wrong.map(({ id }) => id).join()}`)
}
