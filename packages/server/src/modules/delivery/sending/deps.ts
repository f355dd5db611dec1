/** What sending works with. */
import type { SystemClock } from '../../../platform/clock.ts'
import type { Egress } from '../../../platform/egress/index.ts'
import type { Reader, UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../../platform/faults.ts'
import type { Log } from '../../../platform/log.ts'
import type { Random } from '../../../platform/random.ts'
import type { Vault } from '../../../platform/secrets.ts'

/** What deliveries are made with. */
export type DeliveryDeps = {
  /** The root handle, for reads outside units of work. */
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly egress: Egress
  readonly vault: Vault
  readonly system: SystemClock
  readonly random: Random
  readonly faultPoint: FaultPointHook
  readonly allowPrivate: boolean
  readonly log: Log
  /** The uuid of this process, written on its leases. */
  readonly processId: string
  readonly serviceNow: (db: Reader) => Promise<Date>
  /** Who is called when what waits in memory is to be judged again; loops enter themselves. */
  readonly senders?: Set<() => void>
  /** Instead of 15 s for one attempt, in tests of slow receivers. */
  readonly timeoutMs?: number
  /** Instead of many at once: so many in flight, and one claim a step. */
  readonly atMost?: number
}
