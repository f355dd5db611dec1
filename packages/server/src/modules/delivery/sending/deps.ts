import type { SystemClock } from '../../../platform/clock.ts'
import type { Egress } from '../../../platform/egress/index.ts'
import type { Reader, UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../../platform/faults.ts'
import type { Log } from '../../../platform/log.ts'
import type { Random } from '../../../platform/random.ts'
import type { Vault } from '../../../platform/secrets.ts'

/** What sending deliveries needs. */
export type DeliveryDeps = {
  /** For reads outside units of work. */
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly egress: Egress
  readonly vault: Vault
  readonly system: SystemClock
  readonly random: Random
  readonly faultPoint: FaultPointHook
  readonly allowPrivate: boolean
  readonly log: Log
  readonly processId: string
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly judgeAgainListeners?: Set<() => void>
  /** Replaces the 15 s of an attempt in tests. */
  readonly timeoutMs?: number
  /** In tests: this many in flight, and one claim per step. */
  readonly singleBatchSize?: number
}
