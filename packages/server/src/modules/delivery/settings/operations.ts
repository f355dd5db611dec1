/** Handlers of `GET`, `PUT …/webhook` (specification «Webhook configuration»; G3, G46, G54, G134). */
import { checkDestination } from '../../../platform/egress/index.ts'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { Vault } from '../../../platform/secrets.ts'
import { readSigningSecrets, type Handlers, type ReadContext } from '../../accounts/index.ts'
import { findServedSource, lockServedSource } from '../../sources/index.ts'
import { clearWebhook, roomOfUnit, type Room } from './clearing.ts'
import { awaitOpenSync } from '../events.ts'
import { presentWebhook, type DeliverySource } from '../present.ts'
import {
  contradictsItself,
  decideSettings,
  defaultSettings,
  namedUrl,
  type SettingsChange,
  type WebhookSettings,
} from '../rules/settings.ts'
import { findWebhook, ownWebhook, saveWebhook, saveWebhooks } from './store.ts'
import { cancelCalledOff, releaseHeld } from '../deliveries.ts'

/** The operations this module serves. */
type DeliveryOperationId =
  | 'getProfileWebhook'
  | 'updateProfileWebhook'
  | 'getCompanyWebhook'
  | 'updateCompanyWebhook'
  | 'getKeywordWebhook'
  | 'updateKeywordWebhook'
  | 'getSourceWebhook'
  | 'updateSourceWebhook'

/**
 * What the handlers need. `allowPrivate` is the operator's switch that permits http and private destinations (G54); `small` replaces how
 * much of what waits a request that clears a URL gives up itself, in tests.
 */
type DeliveryOperationDeps = { readonly vault: Vault; readonly allowPrivate: boolean; readonly small?: number }

type Which = Parameters<typeof findServedSource>[2]

const needsUrl = '`syncEvents` must not be true without a webhook URL: send `webhookUrl` with it'

/** Makes the handlers. */
export function deliveryOperations(deps: DeliveryOperationDeps): Handlers<DeliveryOperationId> {
  const read = async (which: Which, { caller, db, now }: ReadContext) => {
    const source = (await findServedSource(db, caller.teamId, which)) ?? refuse('not_tracked')
    const stored = await findWebhook(db, caller.teamId, source.id)
    const { current } = await readSigningSecrets(db, { vault: deps.vault, teamId: caller.teamId, now })
    return { ...presentWebhook(source, stored), signingSecret: current }
  }
  const write = async (
    tx: Tx,
    { teamId, which }: { readonly teamId: string; readonly which: Which },
    change: SettingsChange,
  ) => {
    refuseUndeliverable(change, deps.allowPrivate)
    const source = (await lockServedSource(tx, teamId, which)) ?? refuse('not_tracked')
    return applyChange(tx, { teamId, source, change, room: roomOfUnit(deps.small) })
  }
  return {
    getProfileWebhook: (input, context) => read({ type: 'person', username: input.username }, context),
    updateProfileWebhook: (input, { caller, unitOfWork }) =>
      unitOfWork((tx) =>
        write(tx, { teamId: caller.teamId, which: { type: 'person', username: input.username } }, input),
      ),
    getCompanyWebhook: (input, context) => read({ type: 'company', username: input.username }, context),
    updateCompanyWebhook: (input, { caller, unitOfWork }) =>
      unitOfWork((tx) =>
        write(tx, { teamId: caller.teamId, which: { type: 'company', username: input.username } }, input),
      ),
    getKeywordWebhook: (input, context) => read({ id: input.id, type: 'keyword' }, context),
    updateKeywordWebhook: (input, { caller, unitOfWork }) =>
      unitOfWork((tx) => write(tx, { teamId: caller.teamId, which: { id: input.id, type: 'keyword' } }, input)),
    getSourceWebhook: (input, context) => read({ id: input.id }, context),
    updateSourceWebhook: (input, { caller, unitOfWork }) =>
      unitOfWork((tx) => write(tx, { teamId: caller.teamId, which: { id: input.id } }, input)),
  }
}

/** Gives sources that are locked the same webhook, as a save of each of them that names every setting does. */
export async function giveWebhook(
  tx: Tx,
  {
    teamId,
    sourceIds,
    settings,
  }: {
    readonly teamId: string
    readonly sourceIds: readonly string[]
    readonly settings: WebhookSettings & { readonly url: string }
  },
): Promise<void> {
  await saveWebhooks(tx, { teamId, ownerIds: sourceIds, settings })
  if (!settings.autoSend) await cancelCalledOff(tx, { teamId, ownerIds: sourceIds })
  if (settings.syncEvents) for (const id of sourceIds) await awaitOpenSync(tx, teamId, id)
  if ((await releaseHeld(tx, { teamId, ownerIds: sourceIds })) > 0) tx.enqueue('delivery', teamId)
}

/** What the request alone shows to be wrong; comes before the 404 (G3). */
export function refuseUndeliverable(change: SettingsChange, allowPrivate: boolean): void {
  const url = namedUrl(change)
  if (typeof url === 'string') {
    const check = checkDestination(url, { schemes: ['https'], allowPrivate })
    if (!check.ok) refuse('invalid_request', {}, `\`webhookUrl\` must be a public https URL. ${check.reason}`)
  }
  if (contradictsItself(change)) refuse('invalid_request', {}, needsUrl)
}

async function applyChange(
  tx: Tx,
  {
    teamId,
    source,
    change,
    room,
  }: {
    readonly teamId: string
    readonly source: DeliverySource
    readonly change: SettingsChange
    readonly room: Room
  },
) {
  const stored = await findWebhook(tx.db, teamId, source.id)
  const decision = decideSettings(stored ?? defaultSettings, change)
  if (decision.kind === 'needs_url') return refuse('invalid_request', {}, needsUrl)
  if (decision.kind === 'unchanged') return presentWebhook(source, stored)
  // A request that names no URL leaves a webhook the agent's that was; one that does makes it the source's own.
  const origin = namedUrl(change) === undefined && stored ? stored.origin : ownWebhook
  const owner = { teamId, ownerId: source.id, origin }
  const save = () => saveWebhook(tx, { owner, settings: decision.settings, effects: decision })
  if (decision.cleared) await clearWebhook(tx, owner, { room, save })
  else await save()
  if (!decision.settings.autoSend) await cancelCalledOff(tx, { teamId, ownerIds: [source.id] })
  if (decision.settings.syncEvents && !stored?.syncEvents) await awaitOpenSync(tx, teamId, source.id)
  if (decision.rearmed && (await releaseHeld(tx, { teamId, ownerIds: [source.id] })) > 0) tx.enqueue('delivery', teamId)
  return presentWebhook(source, decision.settings)
}
