/** Handlers of `/hooks`: REST hooks of automation platforms (DST-16). */
import { bounds, eventExamples, type Answer, type OperationOf } from '@les/contract'
import { checkDestination } from '../../../platform/egress/index.ts'
import type { Ids } from '../../../platform/random.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { Vault } from '../../../platform/secrets.ts'
import { sealForTeam, writeSigningSecret, type Handlers } from '../../accounts/index.ts'
import { lockWebhooks } from '../settings/store.ts'
import { dropReceiver, insertReceiver, listHooks, placeOfHookSecret, type Hook } from './receivers.ts'

/** `allowPrivate`: the operator permits http and private addresses (G54). */
type HookDeps = { readonly vault: Vault; readonly ids: Pick<Ids, 'bytes'>; readonly allowPrivate: boolean }

type Shown = Answer<OperationOf<'listHooks'>>['hooks'][number]

const secretBytes = 32

const present = (hook: Hook): Shown => ({
  ...hook,
  event: hook.event as Shown['event'],
  state: hook.disabledAt !== null ? 'disabled' : hook.failingSince !== null ? 'failing' : 'active',
})

/** Makes the handlers. */
export function hookOperations({ vault, ids, allowPrivate }: HookDeps) {
  return {
    createHook: async ({ targetUrl: url, event }, { caller: { teamId }, unitOfWork }) => {
      const check = checkDestination(url, { schemes: ['https'], allowPrivate })
      if (!check.ok) refuse('invalid_request', {}, `\`targetUrl\` must be a public https URL. ${check.reason}`)
      return unitOfWork(async (tx) => {
        if ((await listHooks(tx.db, teamId)).length >= bounds.hooksPerTeam) refuse('hook_limit_reached')
        const id = tx.newId()
        const plain = writeSigningSecret(ids.bytes(secretBytes))
        const secret = await sealForTeam(tx.db, { vault, teamId, place: placeOfHookSecret(id), plain })
        await insertReceiver(tx, { teamId, ownerId: id, kind: 'hook', url, events: [event], secret, isPaused: false })
        return { id, secret: plain }
      })
    },
    listHooks: async (_input, { caller: { teamId }, db }) => ({ hooks: (await listHooks(db, teamId)).map(present) }),
    deleteHook: ({ id }, { caller: { teamId }, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const hook = id === null ? undefined : (await lockWebhooks(tx, teamId, [id])).get(id)
        if (id === null || hook?.kind !== 'hook' || hook.url === null) return refuse('not_found', {}, 'No such hook')
        await dropReceiver(tx, { teamId, ownerId: id })
        return { ok: true as const, id, deleted: true as const }
      }),
    sampleHook: async ({ event = 'lead.detected' }) => [{ ...eventExamples[event], event, sample: true as const }],
  } satisfies Partial<Handlers>
}
