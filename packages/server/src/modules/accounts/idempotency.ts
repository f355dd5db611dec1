/**
 * Idempotency keys and stored answers (G109). An answer is stored in its effect's transaction under a unique key; this constraint
 * makes an effect happen once. The lock only lets a concurrent equal request be refused at once.
 */
import { sql } from 'kysely'
import { countAffected } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { sha256, type Vault } from '../../platform/secrets.ts'
import type { Statements } from './authenticate.ts'
import { canonicalJson, withoutConsent } from './rules/canonical.ts'
import { findTeamSecrets } from './secrets.ts'

/** Lease of a locked key, in system time. */
const idempotencyLockMs = 120_000
/** How long an answer is replayed, in service time. */
export const replayMs = 86_400_000

/** The scope of an Idempotency-Key within a team. */
export function scopeOf(method: string, path: string, key: string): Buffer {
  return sha256(`${method}\n${path}\n${key}`)
}

/** A hash of the request, query and body, without consent fields. */
export function requestHash(query: unknown, body: unknown): Buffer {
  return sha256(canonicalJson([withoutConsent(query), withoutConsent(body)]))
}

type KeyLock = { readonly teamId: string; readonly scope: Buffer; readonly owner: string }

/** Locks a request's key; false while an equal request holds it. */
export async function lockIdempotencyKey(pool: Statements, lock: KeyLock, nowMs: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    text: `insert into idempotency_flight as f (team_id, scope, owner, until_ms) values ($1, $2, $3, $4)
      on conflict (team_id, scope) do update set owner = excluded.owner, until_ms = excluded.until_ms
      where f.until_ms <= $5 or f.until_ms > $6`,
    values: [lock.teamId, lock.scope, lock.owner, nowMs + idempotencyLockMs, nowMs, nowMs + 2 * idempotencyLockMs],
  })
  return rowCount === 1
}

/** Releases the lock unless another request has taken it over. */
export async function unlockIdempotencyKey(pool: Statements, lock: KeyLock): Promise<void> {
  await pool.query({
    text: 'delete from idempotency_flight where team_id = $1 and scope = $2 and owner = $3',
    values: [lock.teamId, lock.scope, lock.owner],
  })
}

type StoredAnswer = {
  readonly hash: Buffer
  readonly status: number
  readonly body: unknown
  readonly isErased: boolean
}

const boundTo = (scope: Buffer) => `answer|${scope.toString('hex')}`

/** The stored answer of a scope, if it has not expired at `now`. */
export async function findAnswer(
  db: Reader,
  { vault, teamId, scope, now }: { vault: Vault; teamId: string; scope: Buffer; now: Date },
): Promise<StoredAnswer | null> {
  const { rows } = await sql<{ hash: Buffer; status: number; sealed: Buffer | null }>`
    select body_hash as hash, status, sealed from idempotency_answer
    where team_id = ${teamId} and scope = ${scope} and expires_at > ${now}`.execute(db)
  if (!rows[0]) return null
  const { hash, status, sealed } = rows[0]
  // An erasure has removed the answer.
  if (sealed === null) return { hash, status, body: null, isErased: true }
  const team = await findTeamSecrets(db, teamId)
  if (!team) return null
  const body = JSON.parse(vault.openFor(team, boundTo(scope), sealed).toString()) as unknown
  return { hash, status, body, isErased: false }
}

/** Stores the unit's answer; false when an equal request has stored one first, and this unit must then not commit. */
export async function recordAnswer(
  tx: Tx,
  { vault, teamId, answer }: { vault: Vault; teamId: string; answer: StoredAnswer & { readonly scope: Buffer } },
): Promise<boolean> {
  const team = await findTeamSecrets(tx.db, teamId)
  if (!team) throw new Error('an answer for a team that does not exist')
  const { scope, hash, status, isErased, body } = answer
  const sealed = isErased ? null : vault.sealFor(team, boundTo(scope), JSON.stringify(body))
  const { numAffectedRows } = await sql`
    insert into idempotency_answer as a (team_id, scope, body_hash, status, sealed, expires_at)
    values (${teamId}, ${scope}, ${hash}, ${status}, ${sealed}, ${new Date(tx.now.getTime() + replayMs)})
    on conflict (team_id, scope) do update set body_hash = excluded.body_hash, status = excluded.status,
      sealed = excluded.sealed, expires_at = excluded.expires_at
    where a.expires_at <= ${tx.now}`.execute(tx.db)
  return numAffectedRows === 1n
}

/** Deletes at most `limit` expired answers; returns how many. */
export const purgeIdempotency = (db: Tx['db'], now: Date, limit: number) =>
  countAffected(db)`
    delete from idempotency_answer where (team_id, scope) in (
      select team_id, scope from idempotency_answer where expires_at <= ${now} order by expires_at limit ${limit})`
