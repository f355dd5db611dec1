/**
 * Identifies the caller and counts the call in the team's rate window: one prepared statement, because every request runs it.
 *
 * The window's row serialises a team's calls of a class, which makes the limit exact. To keep this cheap, the table is unlogged,
 * and the update of a key's last use skips a row that another call has locked.
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

/** Runs single statements outside units of work: the pool. */
export type Statements = {
  query<R extends object>(statement: {
    name?: string
    text: string
    values: unknown[]
  }): Promise<{ rows: R[]; rowCount: number | null }>
}

/** A recognised caller; `window.refused`: the rate limit is exceeded. */
export type Authenticated = { readonly team: Team; readonly keyId: string; readonly window: RateWindow }

// A window opened well in the future was opened before the clock was set back, so it is over too.
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

/** How a caller is found: `counted` also counts the call; `recognised` writes nothing, for a read-only database. */
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

type Call = {
  readonly pool: Statements
  readonly bucket: RateBucket
  readonly now: Date
  /** Counts reads when the database cannot write. */
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

/** Recognises a key and counts the call unless it is refused (G5). Null for an invalid or unknown key or a closed team (G4). */
export const authenticateAndCount = async ({
  key,
  ...call
}: Call & { readonly key: string }): Promise<Authenticated | null> =>
  isKeyShaped(key) ? count(call, hashKey(key), ofKey) : null

/** Counts a call of a team recognised by a sign-in token. Null for an unknown or closed team. */
export const countForTeam = ({ teamId, ...call }: Call & { readonly teamId: string }): Promise<Authenticated | null> =>
  count(call, teamId, ofTeam)

/** A key's owner, without counting a call; null for an invalid, unknown or revoked key or a closed team. */
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

/** Takes back a count, if its window is still the current one: another window refused the call (G5). */
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
