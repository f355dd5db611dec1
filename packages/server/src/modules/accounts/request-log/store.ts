/** SQL of the request log. */
import { maxRequests, requestDays, type Input, type SessionOperationOf } from '@les/contract'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { camelKeys, type SnakeKeys } from '../../../platform/db/columns.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { countAffected } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'

export type AnsweredCall = {
  readonly teamId: string
  readonly caller: {
    readonly keyId: string
    readonly user?: { readonly id: string; readonly email: string } | undefined
  }
  readonly surface: 'api' | 'mcp'
  readonly operation: string | null
  readonly method: string
  /** Below `/api/v1`, percent-encoded. */
  readonly path: string
  readonly query: readonly (readonly [string, string | null])[]
  readonly body: Readonly<Record<string, unknown>>
  readonly status: number
  readonly code: string | null
  readonly durationMs: number
  readonly requestId: string
  /** Service time of the call. */
  readonly at: Date
}

/** A stored call; `query` is JSON pairs of name and value, `body` is JSON or null. */
export type RequestRow = Omit<AnsweredCall, 'caller' | 'query' | 'body'> & {
  readonly id: string
  readonly query: string
  readonly body: string | null
  readonly callerKind: 'key' | 'user'
  readonly callerId: string
  readonly callerName: string
  readonly standsFor: number
}

/**
 * For each value (text or JSON): may it name a person the team has had erased? One from before (`at`) the newest erasure always
 * may, since its free text was not searched.
 */
export type NamesErased = (
  db: Reader,
  said: readonly { readonly teamId: string; readonly value: unknown; readonly at?: Date }[],
) => Promise<readonly boolean[]>

/** Replaces a path that names an erased person. */
export const erasedPath = '(erased)'

const callsOf = (teamId: RawBuilder<unknown>) => sql`hashtextextended('calls|' || ${teamId}::text, 0)`

/** Waits for erasures that are searching these teams' logs and answers, so that a later read of the block list has them. */
export async function shareLog(db: Reader, teamIds: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${callsOf(sql`id`)}) from unnest(${[...teamIds]}::uuid[]) as id`.execute(
    db,
  )
}

/** Waits for log entries and stored answers of a team that are being written, and blocks new ones until the unit ends. */
export async function lockLog(tx: Tx, teamId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${callsOf(sql`${teamId}`)})`.execute(tx.db)
}

/** Inserts rows in one statement, except those of deleted teams. */
export async function insertRequests(db: Kysely<Database>, rows: readonly RequestRow[]): Promise<void> {
  const of = <K extends keyof RequestRow>(name: K) => rows.map((row) => row[name])
  await sql`
    insert into request_log (team_id, id, at, surface, operation, method, path, query, body, status, code, duration_ms,
      caller_kind, caller_id, caller_name, request_id, stands_for)
    select n.*
    from unnest(${of('teamId')}::uuid[], ${of('id')}::uuid[], ${of('at')}::timestamptz[], ${of('surface')}::text[],
      ${of('operation')}::text[], ${of('method')}::text[], ${of('path')}::text[], ${of('query')}::text[],
      ${of('body')}::text[], ${of('status')}::smallint[], ${of('code')}::text[], ${of('durationMs')}::integer[],
      ${of('callerKind')}::text[], ${of('callerId')}::text[], ${of('callerName')}::text[], ${of('requestId')}::text[],
      ${of('standsFor')}::integer[])
      as n (team_id, id, at, surface, operation, method, path, query, body, status, code, duration_ms, caller_kind,
        caller_id, caller_name, request_id, stands_for)
    join team t on t.id = n.team_id
    on conflict do nothing`.execute(db)
}

/** A row as read, with the key's name. */
export type ReadRow = RequestRow & { readonly keyName: string | null; readonly masked: string | null }

const toRow = (row: SnakeKeys<ReadRow>): ReadRow => camelKeys(row)

/** Filter of the request log; `statuses` is an inclusive range. */
type RequestFilter = Omit<Input<SessionOperationOf<'listRequests'>>, 'status' | 'cursor' | 'limit'> & {
  readonly statuses?: readonly [number, number] | undefined
}

const columns = sql`p.*, k.name as key_name, k.masked`
const key = sql`left join api_key k on p.caller_kind = 'key' and k.team_id = p.team_id and k.id::text = p.caller_id`

/** A team's calls before id `before` and since `oldest`, newest first. */
export async function listRequestRows(
  db: Reader,
  {
    teamId,
    filter,
    page,
  }: { teamId: string; filter: RequestFilter; page: { before: string | null; oldest: Date; limit: number } },
): Promise<ReadRow[]> {
  const { operation, statuses, code, keyId, requestId, surface, since, until } = filter
  const wanted = [
    sql`r.at >= ${page.oldest}::timestamptz`,
    ...(page.before === null ? [] : [sql`r.id < ${page.before}::uuid`]),
    ...(operation === undefined ? [] : [sql`r.operation = ${operation}`]),
    ...(statuses === undefined ? [] : [sql`r.status between ${statuses[0]} and ${statuses[1]}`]),
    ...(statuses !== undefined && statuses[0] >= 400 ? [sql`r.status >= 400`] : []),
    ...(code === undefined ? [] : [sql`r.code = ${code}`]),
    ...(keyId === undefined ? [] : [sql`r.caller_kind = 'key' and r.caller_id = ${keyId.toLowerCase()}`]),
    ...(requestId === undefined ? [] : [sql`r.request_id = ${requestId}`]),
    ...(surface === undefined ? [] : [sql`r.surface = ${surface}`]),
    ...(since === undefined ? [] : [sql`r.at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`r.at < ${until}::timestamptz`]),
  ]
  const { rows } = await sql<SnakeKeys<ReadRow>>`
    with page as materialized (select * from request_log r
      where r.team_id = ${teamId} and ${sql.join(wanted, sql` and `)} order by r.id desc limit ${page.limit})
    select ${columns} from page p ${key} order by p.id desc`.execute(db)
  return rows.map(toRow)
}

/** A team's call by id. */
export async function findRequestRow(db: Reader, teamId: string, id: string): Promise<ReadRow | undefined> {
  const { rows } = await sql<SnakeKeys<ReadRow>>`
    select ${columns} from request_log p ${key} where p.team_id = ${teamId} and p.id = ${id}::uuid`.execute(db)
  return rows[0] && toRow(rows[0])
}

const dayMs = 86_400_000

/** Deletes calls older than 30 days, and the oldest above 100,000 per team; at most `limit` of each per run. */
export async function purgeRequests(tx: Tx, limit: number): Promise<number> {
  const before = new Date(tx.now.getTime() - requestDays * dayMs)
  const old = await countAffected(tx.db)`
    delete from request_log
    where (team_id, id) in (select team_id, id from request_log where at < ${before}::timestamptz
      order by at limit ${limit})`
  const surplus = await countAffected(tx.db)`
    delete from request_log where (team_id, id) in (
      select r.team_id, r.id from team t
      cross join lateral (select id from request_log
        where team_id = t.id order by id desc offset ${maxRequests} limit 1) edge
      join request_log r on r.team_id = t.id and r.id <= edge.id
      limit ${limit})`
  return old + surplus
}
