import pg from 'pg'
import { clientConfig } from '../../src/platform/db/open.ts'
import { inDatabase } from './global-setup.ts'

/** URL of the Citus coordinator; undefined when the run has none. */
export const citusUrl: string | undefined = process.env.LES_TEST_CITUS_URL

type Node = { readonly host: string; readonly port: number }

async function ask<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(clientConfig({ connectionString: url }))
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

const at = (url: string, { host, port }: Node): string => {
  const there = new URL(url)
  there.hostname = host
  there.port = String(port)
  return there.href
}

const named = (url: string, database: string): string =>
  (inDatabase({ connectionString: url }, database) as { connectionString: string }).connectionString

export type CitusDatabase = {
  readonly url: string
  readonly workers: readonly Node[]
  /** Workers of the cluster that this database does not use yet. */
  readonly spare: readonly Node[]
  /** The URL of the same database on a worker. */
  urlAt(node: Node): string
  /** Refuses all connections at a worker, as if it were down, or allows them again. */
  setDown(node: Node, isDown: boolean): Promise<void>
  drop(): Promise<void>
}

/** Creates a database on every node and joins the first `workers` workers to it. */
export async function citusDatabase(name: string, workers = 2): Promise<CitusDatabase> {
  const admin = citusUrl!
  const all = await ask<Node & { group: number }>(
    admin,
    'select nodename as host, nodeport as port, groupid as group from pg_dist_node order by groupid',
  )
  const [coordinator, ...others] = all
  for (const node of all) {
    await ask(at(admin, node), `drop database if exists ${name} with (force)`)
    await ask(at(admin, node), `create database ${name}`)
    await ask(named(at(admin, node), name), 'create extension citus')
  }
  const url = named(admin, name)
  await ask(url, 'select citus_set_coordinator_host($1, $2)', [coordinator!.host, coordinator!.port])
  const used = others.slice(0, workers)
  for (const { host, port } of used) await ask(url, 'select citus_add_node($1, $2)', [host, port])
  // As in production, tables of teams live on workers only.
  await ask(url, `select citus_set_node_property($1, $2, 'shouldhaveshards', false)`, [
    coordinator!.host,
    coordinator!.port,
  ])
  return {
    url,
    workers: used,
    spare: others.slice(workers),
    urlAt: (node) => named(at(admin, node), name),
    setDown: async (node, isDown) => {
      const there = at(admin, node)
      await ask(there, `set citus.enable_ddl_propagation = off; alter database ${name} allow_connections ${!isDown}`)
      if (isDown) await ask(there, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    },
    drop: async () => {
      for (const node of all) await ask(at(admin, node), `drop database if exists ${name} with (force)`)
    },
  }
}
