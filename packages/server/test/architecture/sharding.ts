/** What a database sharded by team requires of tables and statements (docs/scaling.md, decision 0024). */

/** Tables that teams share, each with how it is handled when teams are spread over several databases. */
export const sharedTables: Readonly<Record<string, string>> = {
  team: 'its own id is the team',
  company: 'what is known of companies, the same for all teams of a shard',
  service_world: 'one row: which world the database belongs to',
  service_clock: 'one row: service time',
  armed_fault: 'faults armed by tests',
  master_key_check: 'one row: the canary of the master key',
  company_lookup: 'which company is just being looked up, for whichever team of the shard asked first',
  vendor_slot: 'budgets of vendor accounts, which all teams share',
  vendor_minute: 'the same',
  vendor_limit: 'the same',
  vendor_balance: 'what vendor accounts have left',
  vendor_cost_day: 'what vendors cost the operator',
  vendor_breaker: 'which vendors are held',
}

/** Unique keys of team tables that do not contain the team, each with why. */
export const keysWithoutTeam: Readonly<Record<string, string>> = {
  result_feed_secret: 'the secret of an address names its team, as a key does: in the same table when sharded',
  api_key_hash: 'a key names its team: looked up before the team is known, in a table of its own when sharded',
}

/** A table as declared. */
export type Table = {
  readonly name: string
  readonly hasTeam: boolean
  readonly keys: readonly { readonly name: string; readonly columns: string }[]
  readonly references: readonly { readonly columns: string; readonly table: string }[]
}

const keysOf = (table: string, body: string) => [
  ...[...body.matchAll(/primary key \(([^)]*)\)/g)].map(([, columns]) => ({
    name: `${table}_pkey`,
    columns: columns!,
  })),
  ...[...body.matchAll(/^\s*"?(\w+)"? [^\n]*primary key/gm)].map(([, column]) => ({
    name: `${table}_pkey`,
    columns: column!,
  })),
  ...[...body.matchAll(/(?:constraint (\w+) )?unique \(([^)]*)\)/g)].map(([, name, columns]) => ({
    name: name ?? `${table}_unique`,
    columns: columns!,
  })),
]

const referencesOf = (body: string) => [
  ...[...body.matchAll(/foreign key \(([^)]*)\) references ([\w."]+)/g)].map(([, columns, table]) => ({
    columns: columns!,
    table: table!,
  })),
  ...[...body.matchAll(/^\s*"?(\w+)"? [^\n]*? references ([\w."]+)/gm)]
    .filter(([line]) => !line.includes('foreign key'))
    .map(([, columns, table]) => ({ columns: columns!, table: table! })),
]

/** Reads tables of the schema `public` and their keys from a schema dump. */
export function readTables(schema: string): Table[] {
  const statements = schema.split(/;\n/).map((one) => one.replace(/^(?:\s*--[^\n]*\n|\s)+/, ''))
  const tables = new Map<string, Table>()
  for (const statement of statements) {
    const made =
      /^create (?:unlogged )?table (\w+) \(([\s\S]*)\)[^)]*$|^create (?:unlogged )?table (\w+) \(([\s\S]*)\) with \([^)]*\)$/.exec(
        statement,
      )
    const name = made?.[1] ?? made?.[3]
    if (name !== undefined) {
      const body = made![2] ?? made![4]!
      tables.set(name, {
        name,
        hasTeam: /^\s*team_id\b/m.test(body),
        keys: keysOf(name, body),
        references: referencesOf(body),
      })
    }
    const index = /^create unique index (\w+) on (\w+) (?:using \w+ )?\((.*?)\)(?: |$)/.exec(statement)
    const table = index && tables.get(index[2]!)
    if (table) tables.set(table.name, { ...table, keys: [...table.keys, { name: index[1]!, columns: index[3]! }] })
  }
  return [...tables.values()]
}

/** What a database sharded by team does not allow in these tables. */
export function faultsOf(tables: readonly Table[]): string[] {
  const shared = new Set(Object.keys(sharedTables))
  return tables.flatMap(({ name, hasTeam, keys, references }) => {
    if (shared.has(name)) return []
    if (!hasTeam) return [`${name} has no team_id and is not among the shared tables`]
    return [
      ...keys
        .filter(({ name: key, columns }) => !/\bteam_id\b/.test(columns) && !(key in keysWithoutTeam))
        .map(({ name: key }) => `${key} of ${name} holds no team_id`),
      ...references
        .filter(({ columns, table }) => !shared.has(table) && !/\bteam_id\b/.test(columns))
        .map(({ table }) => `${name} refers to ${table} without the team`),
    ]
  })
}

/** Statements across all teams, by pattern, each with how a sharded database does the same. */
export const statementsWithoutTeam: readonly { readonly shape: RegExp; readonly why: string }[] = [
  { shape: /\bwork_turn\b/, why: 'whose turn it is: on each shard for its own teams' },
  { shape: /team_id <> all\(\$/, why: 'rounds of the clock find what is due and then go team by team: on each shard' },
  {
    shape: /\bfrom team t left join retention_turn r\b/,
    why: 'whose old rows are gone through next, and how late that is: on each shard for its own teams',
  },
  {
    // One statement asks for all periodic tasks that are due, in any combination.
    shape: /\) as "(?:renew|stop|open|write off|release|give up|queue|let go|sum up|add up|purge) [a-z ]+"/,
    why: 'whether a round of the clock may find something: on each shard',
  },
  { shape: /\bfrom task_put_off where task = \$/, why: 'which teams such a round leaves out: on each shard' },
  {
    shape:
      /^\s*delete from "?(?:vendor_page|kept_answer|idempotency_(?:answer|flight)|tool_spend_answer|request_log)\b/,
    why: 'purges by age, in batches: on each shard',
  },
  {
    shape: /^\s*delete from "?(?:delivery_attempt|lead_export|planned_send|result_inbox|serving_cost)\b/,
    why: 'purges by age, in batches: on each shard',
  },
  { shape: /^\s*select kind, min\(due_at\) as oldest/, why: 'what waits, for metrics: summed over shards' },
  {
    shape: /from \(select expires_at from credit_hold (?:where .*)?limit \$/,
    why: 'credits set aside, for metrics: summed over shards',
  },
  {
    shape: /^\s*select team_id as "teamId", account from credit_account where .* order by team_id, account limit \$/,
    why: 'the ledger check goes over accounts in pages: on each shard',
  },
  {
    shape: /^\s*select team_id as "teamId", id as "pushId" from push where counted and /,
    why: 'pushes are compared with their leads in pages: on each shard',
  },
  {
    shape: /from agent_person\s+where company_urn = any\(\$/,
    why: 'who works for a company whose record, shared by all teams, was written: on each shard',
  },
  {
    shape: /\bupdate exclusion e set key = held\.key\s+from unnest\([^)]*\) as held \(slug, key\)/,
    why: 'which teams exclude a page whose record, shared by all teams, gets another slug: on each shard',
  },
  {
    shape: /^\s*select team_id as "teamId", id from erasure e where exists/,
    why: 'the receipts of all teams, for the operator: merged from the shards',
  },
  {
    shape: /\bfrom team_move (?:m )?where\b/,
    why: 'which teams are just moving: in `public`',
  },
  { shape: /\(with broken as materialized \(/, why: 'the oracle of the tests' },
]

/** The tables of teams that a statement names. */
export function tablesNamed(statement: string, ofTeams: ReadonlySet<string>): string[] {
  const text = statement.toLowerCase().replaceAll('"', '')
  const named = [...text.matchAll(/\b(?:from|join|update|into)\s+(?:only\s+)?(\w+)/g)].map(([, name]) => name!)
  return [...new Set(named)].filter((name) => ofTeams.has(name))
}

const namings: readonly RegExp[] = [
  /\bteam_id\s*(?:=|in)\s*(?:any\s*)?\(?\s*\$\d/,
  /\bfrom team t where t\.id = \$\d/,
  /\binsert into \w+(?: as \w+)? \(\s*team_id\b/,
  /\bunnest\([^)]*\)[^(]*\((?:[^)]*\b)?team_id\b/,
]

/** Whether a statement on team tables says which team it is about. */
export function saysWhichTeam(statement: string): boolean {
  const text = statement.toLowerCase().replaceAll('"', '')
  return namings.some((naming) => naming.test(text))
}
