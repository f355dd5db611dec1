/** Handlers of `GET`, `POST /keys` and `DELETE /keys/{id}` (specification «Account», G107). */
import { bounds } from '@les/contract'
import type { Handlers } from './handler.ts'
import type { Ids } from '../../platform/random.ts'
import { refuse } from '../../platform/refusal.ts'
import { makeKey } from './actions.ts'
import { listActiveKeys, revokeActiveKey } from './store.ts'

/** The operations this module serves. */
export type AccountOperationId = 'listKeys' | 'createKey' | 'revokeKey'

/** Makes the handlers; `ids` is where keys come from. */
export function accountHandlers({ ids }: { readonly ids: Ids }): Handlers<AccountOperationId> {
  return {
    listKeys: async (_input, { caller, db }) => {
      const keys = await listActiveKeys(db, caller.teamId)
      return {
        keys: keys.map((key) => ({
          id: key.id,
          name: key.name,
          maskedKey: key.masked,
          createdAt: key.created_at.toISOString(),
          lastUsedAt: key.last_used_at?.toISOString() ?? null,
        })),
        quota: { used: keys.length, max: bounds.keysPerTeam, remaining: Math.max(0, bounds.keysPerTeam - keys.length) },
      }
    },
    createKey: (input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const { id, key } = await makeKey(tx, { ids, teamId: caller.teamId, name: input.name })
        return { id, name: input.name, key, createdAt: tx.now.toISOString() }
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
