/** API keys of a team: `GET`, `POST /keys` and `DELETE /keys/{id}` (G107), and the SQL of `api_key`. */
import { bounds } from '@les/contract'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Ids } from '../../platform/random.ts'
import { refuse } from '../../platform/refusal.ts'
import { formatKey, hashKey, keyBytes, maskKey } from './api-key.ts'
import type { Handlers } from './handler.ts'
import { lockTeam } from './team.ts'

/** An active key, without its secret. */
type ActiveKey = {
  readonly id: string
  readonly name: string
  readonly masked: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** A team's active keys, oldest first. */
async function listActiveKeys(db: Reader, teamId: string): Promise<ActiveKey[]> {
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
async function countActiveKeys(db: Reader, teamId: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_key')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Stores a new key. */
async function insertKey(
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
async function revokeActiveKey(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('api_key')
    .set({ revoked_at: tx.now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Makes a key; the plaintext is in the answer and nowhere else. */
export async function addKey(
  tx: Tx,
  { ids, teamId, name }: { ids: Ids; teamId: string; name: string },
): Promise<{ id: string; key: string }> {
  const key = formatKey(ids.bytes(keyBytes))
  const id = tx.newId()
  await insertKey(tx, { teamId, id, name, hash: hashKey(key), masked: maskKey(key) })
  return { id, key }
}

/** Makes a key of an existing team; refuses `key_limit_reached` at the limit. The lock on the team makes the limit exact. */
export async function makeKey(
  tx: Tx,
  { ids, teamId, name }: { ids: Ids; teamId: string; name: string },
): Promise<{ id: string; key: string }> {
  if (!(await lockTeam(tx, teamId))) refuse('not_found')
  if ((await countActiveKeys(tx.db, teamId)) >= bounds.keysPerTeam) refuse('key_limit_reached')
  return await addKey(tx, { ids, teamId, name })
}

type AccountOperationId = 'listKeys' | 'createKey' | 'revokeKey'

/** Makes the handlers; `ids` is where keys come from. */
export function accountHandlers({ ids }: { ids: Ids }): Handlers<AccountOperationId> {
  return {
    listKeys: async (_input, { caller, db }) => {
      const keys = await listActiveKeys(db, caller.teamId)
      return {
        keys: keys.map((key) => ({
          id: key.id,
          name: key.name,
          maskedKey: key.masked,
          createdAt: key.created_at,
          lastUsedAt: key.last_used_at,
        })),
        quota: { used: keys.length, max: bounds.keysPerTeam, remaining: Math.max(0, bounds.keysPerTeam - keys.length) },
      }
    },
    createKey: (input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const { id, key } = await makeKey(tx, { ids, teamId: caller.teamId, name: input.name })
        return { id, name: input.name, key, createdAt: tx.now }
      }),
    revokeKey: (input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const { id } = input
        if (id === null || !(await revokeActiveKey(tx, caller.teamId, id)))
          return refuse('not_found', {}, 'Not found: no active API key has that id')
        return { ok: true as const, id, revoked: true as const }
      }),
  }
}
