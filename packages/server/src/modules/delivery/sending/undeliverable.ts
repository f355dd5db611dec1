/** Leased deliveries that must not be sent: they, and some thousands that wait like them, are ended or held. */
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { releaseRows } from '../../../platform/work/index.ts'
import { cancelCalledOff, endExcluded, holdWaiting } from '../deliveries.ts'
import type { Verdict } from '../rules/endpoint.ts'
import { endCleared } from '../settings/clearing.ts'
import { lockWebhooks } from '../settings/store.ts'
import { deliveryRows, type LeasedDelivery } from './claim.ts'
import { endDeliveriesOf } from './untracked.ts'

/**
 * Puts leased deliveries of one endpoint where they belong. Each kind is judged again by the statement that moves it, because a PUT may
 * have come in between; what is left is claimed again.
 */
export async function holdBack(tx: Tx, verdict: Verdict, leased: readonly LeasedDelivery[]): Promise<void> {
  const { teamId, ownerId } = leased[0]!
  const owners = { teamId, ownerIds: [ownerId] }
  if (verdict === 'hold') {
    const isDisabled = (await lockWebhooks(tx, teamId, [ownerId])).get(ownerId)?.disabledAt != null
    await releaseRows(tx, deliveryRows, leased)
    if (isDisabled) await holdWaiting(tx, owners)
    return
  }
  if (verdict === 'cancel_untracked') await endDeliveriesOf(tx, teamId, [ownerId])
  if (verdict === 'cancel_cleared') await endCleared(tx, { teamId, ownerId })
  if (verdict === 'cancel_called_off') await cancelCalledOff(tx, owners)
  if (verdict === 'end_excluded') await endExcluded(tx, { teamId, leased })
  await releaseRows(tx, deliveryRows, leased)
}
