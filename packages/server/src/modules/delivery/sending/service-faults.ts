/** What the service itself fails at: it is found out which of many deliveries is to blame, and that one waits (`rescheduleAfterFault` in record.ts). */
import { isOfTheWork } from '../../../platform/task-context.ts'
import type { LeasedDelivery } from './claim.ts'
import type { DeliveryDeps } from './deps.ts'
import { rescheduleAfterFault } from './record.ts'

/** A secret that deliveries are signed by does not open. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret'
}

/** Works on several together; when one of them is to blame for a failure, on each by itself, and hands over those that fail alone. */
export async function oneByOne<T>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<void>,
  failed: (item: T, error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await work(items)
  } catch (error) {
    if (!isOfTheWork(error)) throw error
    if (items.length === 1) return failed(items[0]!, error)
    for (const item of items) await oneByOne([item], work, failed)
  }
}

/** Has a delivery wait that the service itself failed at; one of which not even that can be written is left to its lease. */
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
    if (!isOfTheWork(failure)) throw failure
    log.error('a delivery failed unexpectedly, and that could not be recorded', { ...about, error: failure })
  }
}

/** What the lines of the log about one of many deliveries say of it. */
export const logContextOf = ({ teamId, ownerId, id }: LeasedDelivery) => ({ teamId, ownerId, deliveryId: id })
