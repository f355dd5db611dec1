/** SQL of teams, keys and credentials. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Insertable, Updateable } from 'kysely'
import { teamOf, type Team } from './team.ts'
import type { TeamTable } from './schema.ts'

const columns = [
  'id',
  'name',
  'plan',
  'status',
  'trial_ends_at',
  'reads_limit',
  'writes_limit',
  'untracked_posts_limit',
  'keyword_daily_ceiling',
  'lead_cap',
  'capture_allowed',
  'source_cap',
  'vendor_calls_per_day',
  'created_at',
] as const

/** A team by id; null when there is none. */
export async function findTeam(db: Reader, id: string): Promise<Team | null> {
  const row = await db.selectFrom('team').select(columns).where('id', '=', id).executeTakeFirst()
  return row ? teamOf(row) : null
}

/** Names of teams, by id; for pages of the operator. */
export async function readTeamNames(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('team')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A team by id, locked until the unit ends; first in the lock order. Rows that refer to the team can still be made meanwhile. */
export async function lockTeam(tx: Tx, id: string): Promise<Team | null> {
  const row = await tx.db.selectFrom('team').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row ? teamOf(row) : null
}

/** Stores a new team. */
export async function insertTeam(tx: Tx, row: Insertable<TeamTable>): Promise<void> {
  await tx.db.insertInto('team').values(row).execute()
}

/** Changes columns of a team. */
export async function updateTeam(tx: Tx, id: string, change: Updateable<TeamTable>): Promise<void> {
  if (Object.keys(change).length > 0) await tx.db.updateTable('team').set(change).where('id', '=', id).execute()
}

/** A team's wrapped data key and sealed signing secrets. */
export type TeamSecrets = {
  readonly id: string
  readonly dataKey: Buffer
  readonly signingSecret: Buffer
  readonly previousSigningSecret: Buffer | null
  readonly previousSecretUntil: Date | null
}

/** Reads them; null when there is no such team. */
export async function findTeamSecrets(db: Reader, id: string): Promise<TeamSecrets | null> {
  const row = await db
    .selectFrom('team')
    .select(['id', 'data_key', 'signing_secret', 'previous_signing_secret', 'previous_secret_until'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    dataKey: row.data_key,
    signingSecret: row.signing_secret,
    previousSigningSecret: row.previous_signing_secret,
    previousSecretUntil: row.previous_secret_until,
  }
}

/** An active key, without its secret. */
export type ActiveKey = {
  readonly id: string
  readonly name: string
  readonly masked: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** A team's active keys, oldest first. */
export async function listActiveKeys(db: Reader, teamId: string): Promise<ActiveKey[]> {
  return await db
    .selectFrom('api_key')
    .select(['id', 'name', 'masked', 'created_at', 'last_used_at'])
    .where('team_id', '=', teamId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** How many keys of a team are active. */
export async function countActiveKeys(db: Reader, teamId: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_key')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Stores a new key. */
export async function insertKey(
  tx: Tx,
  key: { teamId: string; id: string; name: string; hash: Buffer; masked: string },
): Promise<void> {
  await tx.db
    .insertInto('api_key')
    .values({
      team_id: key.teamId,
      id: key.id,
      name: key.name,
      hash: key.hash,
      masked: key.masked,
      created_at: tx.now,
      last_used_at: null,
      revoked_at: null,
    })
    .execute()
}

/** Revokes an active key; false when the team has no such key or it was revoked before. */
export async function revokeActiveKey(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('api_key')
    .set({ revoked_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A sealed credential; null when none is stored. */
export async function findCredential(db: Reader, teamId: string, kind: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('team_credential')
    .select('sealed')
    .where('team_id', '=', teamId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.sealed ?? null
}

/** Of which third parties a team has a key stored. */
export async function listCredentialKinds(db: Reader, teamId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('team_credential')
    .select('kind')
    .where('team_id', '=', teamId)
    .orderBy('kind')
    .execute()
  return rows.map((row) => row.kind)
}

/** The same, with the instant at which each was stored. */
export async function listCredentials(db: Reader, teamId: string): Promise<{ kind: string; storedAt: Date }[]> {
  const rows = await db
    .selectFrom('team_credential')
    .select(['kind', 'stored_at'])
    .where('team_id', '=', teamId)
    .execute()
  return rows.map((row) => ({ kind: row.kind, storedAt: row.stored_at }))
}

/** Stores or replaces a sealed credential. */
export async function upsertCredential(
  tx: Tx,
  { teamId, kind, sealed }: { readonly teamId: string; readonly kind: string; readonly sealed: Buffer },
): Promise<void> {
  await tx.db
    .insertInto('team_credential')
    .values({ team_id: teamId, kind, sealed, stored_at: tx.now })
    .onConflict((conflict) => conflict.columns(['team_id', 'kind']).doUpdateSet({ sealed, stored_at: tx.now }))
    .execute()
}

/** Forgets a credential. */
export async function deleteCredential(tx: Tx, teamId: string, kind: string): Promise<void> {
  await tx.db.deleteFrom('team_credential').where('team_id', '=', teamId).where('kind', '=', kind).execute()
}
