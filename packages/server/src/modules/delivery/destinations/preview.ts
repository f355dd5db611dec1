/** What a push to a destination would send, before it is sent. */
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { countAsked, countQueueable } from './queue.ts'
import { findDestination } from './store.ts'

/** Counts what `pushDestination` without filters would answer; undefined when there is no such destination. */
export async function previewDestinationPush(
  db: Reader,
  teamId: string,
  id: string | null,
): Promise<{ queued: number; considered: number; excluded: number } | undefined> {
  const destination = await findDestination(db, teamId, id)
  if (destination === undefined) return undefined
  return {
    queued: await countQueueable(db, destination),
    ...(await countAsked(db, destination, {})),
  }
}
