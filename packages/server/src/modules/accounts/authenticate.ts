/**
 * The way in: who is calling, and is the team calling too fast. On every request's path, so it is one prepared statement.
 *
 * The row of the window serialises a team's calls of one class, which is what makes the limit exact. Two details keep that
 * from hurting: the table is unlogged, and the note of a key's last use skips a row that another call is already noting.
 */
import { databaseTrouble } from '../../platform/db/trouble.ts'
import { hashKey, isKeyShaped } from './api-key.ts'
import {
  describeWindow,
  readingBuckets,
  sessionFactors,
  sessionLimits,
  toolListFactor,
  windowMs,
  type RateBucket,
  type RateWindow,
} from './rules/rate.ts'
import type { FallbackRateWindows } from './fallback-rate-windows.ts'
import { teamColumns, teamOf, type Team, type TeamRow } from './team.ts'

/** What runs single statements outside units of work: the pool. */
export type Statements = {
  query<R extends object>(statement: {
    name?: string
    text: string
    values: unknown[]
  }): Promise<{ rows: R[]; rowCount: number | null }>
}

/** A caller who was recognised; `window.refused`: the call came too fast. */
export type Authenticated = { readonly team: Team; readonly keyId: string; readonly window: RateWindow }

// A window opened well ahead of this clock was opened by a clock since set back: it is over too.
const over = `(w.opened_at <= $4::timestamptz or w.opened_at > $5::timestamptz)`
const limit = `(select c.call_limit from caller c)`

const teamLimit = `case $2 when 'reads' then t.reads_limit when 'writes' then t.writes_limit
  when 'toolLists' then t.reads_limit * ${toolListFactor}
  when 'sessionReads' then t.reads_limit * ${sessionFactors.sessionReads}
  when 'sessionWrites' then t.writes_limit * ${sessionFactors.sessionWrites}
  ${Object.entries(sessionLimits)
    .map(([bucket, calls]) => `when '${bucket}' then ${calls}`)
    .join(' ')}
  else t.untracked_posts_limit end as call_limit`

const counted = `
  insert into rate_window as w (team_id, bucket, opened_at, used, refused)
  select c.id, $2, $3::timestamptz, 1, false from caller c
  on conflict (team_id, bucket) do update set
    opened_at = case when ${over} then excluded.opened_at else w.opened_at end,
    used = case when ${over} then 1 else least(w.used + 1, ${limit}) end,
    refused = not ${over} and w.used >= ${limit}
  returning w.opened_at, w.used, w.refused`

/** How a caller is found: `counted` counts the call as well, `recognised` writes nothing, for when nothing can be written. */
const ofKey = {
  name: 'authenticate-and-count',
  counted: `
    with caller as (
      select ${teamColumns}, k.id as key_id, ${teamLimit},
        k.last_used_at is null or k.last_used_at <= $4::timestamptz as stale
      from api_key k join team t on t.id = k.team_id
      where k.hash = $1 and k.revoked_at is null and t.closed_at is null
    ), counted as (${counted}
    ), touched as (
      update api_key k set last_used_at = $3::timestamptz
      from (
        select a.team_id, a.id from api_key a join caller c on a.team_id = c.id and a.id = c.key_id
        where c.stale and (a.last_used_at is null or a.last_used_at <= $4::timestamptz)
        for no key update of a skip locked
      ) unused
      where k.team_id = unused.team_id and k.id = unused.id
    )
    select c.*, n.opened_at, n.used, n.refused from caller c cross join counted n`,
  recognised: `
    select ${teamColumns}, k.id as key_id, ${teamLimit}
    from api_key k join team t on t.id = k.team_id
    where k.hash = $1 and k.revoked_at is null and t.closed_at is null`,
}
const ofTeam = {
  name: 'count-for-team',
  counted: `
    with caller as (
      select ${teamColumns}, '' as key_id, ${teamLimit} from team t where t.id = $1 and t.closed_at is null
    ), counted as (${counted}
    )
    select c.*, n.opened_at, n.used, n.refused from caller c cross join counted n`,
  recognised: `select ${teamColumns}, '' as key_id, ${teamLimit} from team t where t.id = $1 and t.closed_at is null`,
}

type Recognised = TeamRow & { readonly key_id: string; readonly call_limit: number }
type Row = Recognised & { readonly opened_at: Date; readonly used: number; readonly refused: boolean }

/** A call to be counted in the window of `bucket` at `now` (service time). */
type Call = {
  readonly pool: Statements
  readonly bucket: RateBucket
  readonly now: Date
  /** Where reads count when the database cannot write. */
  readonly fallbackWindows?: FallbackRateWindows | undefined
}

async function count(
  { pool, bucket, now, fallbackWindows }: Call,
  who: string | Buffer,
  { name, counted, recognised }: typeof ofKey,
): Promise<Authenticated | null> {
  try {
    const earliest = new Date(now.getTime() - windowMs)
    const latest = new Date(now.getTime() + windowMs)
    const values = [who, bucket, now, earliest, latest]
    const [row] = (await pool.query<Row>({ name, text: counted, values })).rows
    if (!row) return null
    const window = describeWindow({ openedAt: row.opened_at, used: row.used, refused: row.refused }, row.call_limit)
    return { team: teamOf(row), keyId: row.key_id, window }
  } catch (error) {
    if (fallbackWindows === undefined || !readingBuckets.includes(bucket) || databaseTrouble(error) !== 'unwritable')
      throw error
    const [row] = (await pool.query<Recognised>({ text: recognised, values: [who, bucket] })).rows
    if (!row) return null
    const window = fallbackWindows.count({ teamId: row.id, bucket }, row.call_limit, now)
    return { team: teamOf(row), keyId: row.key_id, window }
  }
}

/**
 * Recognises a key and counts the call against its team's window. Null for a key that is malformed, unknown, revoked or
 * of a closed team: nothing is counted then (G4). A refused call does not count either (G5).
 */
export const authenticateAndCount = async ({
  key,
  ...call
}: Call & { readonly key: string }): Promise<Authenticated | null> =>
  isKeyShaped(key) ? count(call, hashKey(key), ofKey) : null

/** Counts a call of a team that was recognised by other means than a key: a token of a sign-in. Null for an unknown or closed team. */
export const countForTeam = ({ teamId, ...call }: Call & { readonly teamId: string }): Promise<Authenticated | null> =>
  count(call, teamId, ofTeam)

/** Whose key it is, without counting a call; null for a key that is malformed, unknown, revoked or of a closed team. */
export async function findKeyOwner(
  pool: Statements,
  key: string,
): Promise<{ readonly teamId: string; readonly keyId: string } | null> {
  if (!isKeyShaped(key)) return null
  const { rows } = await pool.query<{ team_id: string; id: string }>({
    name: 'find-key-owner',
    text: `select k.team_id, k.id from api_key k join team t on t.id = k.team_id and t.closed_at is null
      where k.hash = $1 and k.revoked_at is null`,
    values: [hashKey(key)],
  })
  const row = rows[0]
  return row ? { teamId: row.team_id, keyId: row.id } : null
}

/** Takes back one count of a window that was opened at an instant: its call was refused by another window (G5). */
export async function uncount({
  pool,
  teamId,
  bucket,
  window,
}: {
  pool: Statements
  teamId: string
  bucket: RateBucket
  window: RateWindow
}): Promise<void> {
  await pool.query({
    text: 'update rate_window set used = used - 1 where team_id = $1 and bucket = $2 and opened_at = $3 and used > 0',
    values: [teamId, bucket, new Date(window.resetAt.getTime() - windowMs)],
  })
}
