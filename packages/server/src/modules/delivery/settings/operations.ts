/** Handlers of `GET`, `PUT …/webhook` (specification «Webhook configuration»; G3, G46, G54, G134). */
import { checkDestination } from '../../../platform/egress/index.ts'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { Vault } from '../../../platform/secrets.ts'
import { readSigningSecrets, type Handlers, type ReadContext } from '../../accounts/index.ts'
import { findServedSource, lockServedSource } from '../../sources/index.ts'
import { presentWebhook, type DeliverySource } from '../present.ts'
import { contradictsItself, decideSettings, defaultSettings, namedUrl, type SettingsChange } from '../rules/settings.ts'
import { applyWebhook } from './apply.ts'
import { findWebhook, ownWebhook } from './store.ts'

/** `allowPrivate`: the operator permits http and private addresses (G54). */
type DeliveryOperationDeps = { readonly vault: Vault; readonly allowPrivate: boolean }

type SourceQuery = Parameters<typeof findServedSource>[2]
type Writing = Parameters<Handlers<'updateSourceWebhook'>['updateSourceWebhook']>[1]

const needsUrl = '`syncEvents` must not be true without a webhook URL: send `webhookUrl` with it'

/** Makes the handlers. */
export function deliveryOperations(deps: DeliveryOperationDeps) {
  const read = async (which: SourceQuery, { caller, db, now }: ReadContext) => {
    const source = (await findServedSource(db, caller.teamId, which)) ?? refuse('not_tracked')
    const stored = await findWebhook(db, caller.teamId, source.id)
    const { current } = await readSigningSecrets(db, { vault: deps.vault, teamId: caller.teamId, now })
    return { ...presentWebhook(source, stored), signingSecret: current }
  }
  const write = ({ caller: { teamId }, unitOfWork }: Writing, which: SourceQuery, change: SettingsChange) =>
    unitOfWork(async (tx) => {
      refuseUndeliverable(change, deps.allowPrivate)
      const source = (await lockServedSource(tx, teamId, which)) ?? refuse('not_tracked')
      return applyChange(tx, { teamId, source }, change)
    })
  return {
    getProfileWebhook: (input, context) => read({ type: 'person', username: input.username }, context),
    updateProfileWebhook: (input, context) => write(context, { type: 'person', username: input.username }, input),
    getCompanyWebhook: (input, context) => read({ type: 'company', username: input.username }, context),
    updateCompanyWebhook: (input, context) => write(context, { type: 'company', username: input.username }, input),
    getKeywordWebhook: (input, context) => read({ type: 'keyword', id: input.id }, context),
    updateKeywordWebhook: (input, context) => write(context, { type: 'keyword', id: input.id }, input),
    getSourceWebhook: (input, context) => read({ id: input.id }, context),
    updateSourceWebhook: (input, context) => write(context, { id: input.id }, input),
  } satisfies Partial<Handlers>
}

/** Refuses what is wrong in the request alone; call it before looking the source up (G3). */
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
  { teamId, source }: { readonly teamId: string; readonly source: DeliverySource },
  change: SettingsChange,
) {
  const stored = await findWebhook(tx.db, teamId, source.id)
  const decision = decideSettings(stored ?? defaultSettings, change)
  if (decision.kind === 'needs_url') return refuse('invalid_request', {}, needsUrl)
  if (decision.kind === 'unchanged') return presentWebhook(source, stored)
  // Without a URL in the request an agent's webhook stays the agent's; with one it becomes the source's own.
  const origin = namedUrl(change) === undefined && stored ? stored.origin : ownWebhook
  const { settings, namesUrl } = decision
  await applyWebhook(tx, { teamId, ownerIds: [source.id], origin, settings, namesUrl })
  return presentWebhook(source, settings)
}
