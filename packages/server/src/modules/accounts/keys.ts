/** API keys: `GET /keys`, `POST /keys` and `DELETE /keys/{id}` (G107), and the SQL of `api_key`. */
import { bounds, type Answer, type OperationOf } from '@les/contract'
import { sql } from 'kysely'
import { countAffected, queryAll } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Ids } from '../../platform/random.ts'
import { refuse } from '../../platform/refusal.ts'
import { formatKey, hashKey, keyBytes, maskKey } from './api-key.ts'
import type { Handlers } from './handler.ts'
import { lockTeam } from './team.ts'

const listActiveKeys = (db: Reader, teamId: string) =>
  queryAll<Answer<OperationOf<'listKeys'>>['keys'][number]>(db)`
    select id, name, masked as "maskedKey", created_at as "createdAt", last_used_at as "lastUsedAt" from api_key
    where team_id = ${teamId} and revoked_at is null order by created_at, id`

const revokeActiveKey = async (tx: Tx, teamId: string, id: string): Promise<boolean> =>
  (await countAffected(tx.db)`update api_key set revoked_at = ${tx.now}
    where team_id = ${teamId} and id = ${id} and revoked_at is null`) === 1

/** Creates a key; only the result has the plaintext. */
export async function addKey(
  tx: Tx,
  { ids, teamId, name }: { ids: Ids; teamId: string; name: string },
): Promise<{ id: string; key: string }> {
  const key = formatKey(ids.bytes(keyBytes))
  const id = tx.newId()
  await sql`insert into api_key (team_id, id, name, hash, masked, created_at)
    values (${teamId}, ${id}, ${name}, ${hashKey(key)}, ${maskKey(key)}, ${tx.now})`.execute(tx.db)
  return { id, key }
}

/** Creates a key of an existing team; refuses `key_limit_reached` at the limit, which the team lock makes exact. */
export async function makeKey(
  tx: Tx,
  { ids, teamId, name }: { ids: Ids; teamId: string; name: string },
): Promise<{ id: string; key: string }> {
  if (!(await lockTeam(tx, teamId))) refuse('not_found')
  if ((await listActiveKeys(tx.db, teamId)).length >= bounds.keysPerTeam) refuse('key_limit_reached')
  return await addKey(tx, { ids, teamId, name })
}

export function accountHandlers({ ids }: { ids: Ids }): Handlers<'listKeys' | 'createKey' | 'revokeKey'> {
  return {
    listKeys: async (_input, { caller, db }) => {
      const keys = await listActiveKeys(db, caller.teamId)
      return {
        keys,
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
