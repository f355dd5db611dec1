import { isFailureOfTheRow } from '../../../platform/task-context.ts'
import type { LeasedDelivery } from './claim.ts'
import type { DeliveryDeps } from './attempt.ts'
import { rescheduleAfterFault } from './record.ts'

export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret'
}

/** Postpones a delivery the service failed at; if that cannot be recorded either, its lease expires. */
export async function recordFault(
  { log, unitOfWork }: Pick<DeliveryDeps, 'log' | 'unitOfWork'>,
  delivery: LeasedDelivery,
  error: unknown,
): Promise<void> {
  const fault = error instanceof UnreadableSecret ? 'unreadable_secret' : 'internal_error'
  const about = { ...logContextOf(delivery), fault }
  try {
    const now = await unitOfWork((tx) => rescheduleAfterFault(tx, delivery, fault))
    log.error('a delivery failed unexpectedly', { ...about, now, error })
  } catch (failure) {
    if (!isFailureOfTheRow(failure)) throw failure
    log.error('a delivery failed unexpectedly, and that could not be recorded', { ...about, error: failure })
  }
}

/** The log fields of one delivery. */
export const logContextOf = ({ teamId, ownerId, id }: LeasedDelivery) => ({ teamId, ownerId, deliveryId: id })
