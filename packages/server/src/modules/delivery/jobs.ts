/**
 * Deliveries (G49, G134; WHK-13..WHK-17, WHK-27). A row is one event for one owner, made in the unit of work that decides that it
 * goes out; it is never made twice, so what is sent is not sent again.
 *
 *   pending    waits for `due_at`; a pushed lead is serialised when it is first claimed.
 *              claimed, URL set, source tracked, endpoint not disabled        -> sending: a lease is put beside it
 *              claimed, endpoint disabled                                     -> held (with thousands that wait for that endpoint)
 *              source untracked                                               -> failed, and so is the lead; beyond thousands when claimed
 *              autoSend switched off, and no push or person asked for it      -> cancelled; the lead stays pending
 *              URL cleared by a PUT                                           -> cancelled, beyond thousands by the clock (clearing.ts);
 *                                                                                the lead becomes no_webhook
 *   sending    pending, under a lease (`delivery_lease`) of 60 s of system time and a fence; the POST happens outside any
 *              transaction. Afterwards, if the fence is still ours:
 *              2xx                                                            -> sent; the lead becomes sent
 *              410, or the endpoint only failed for 5 days                    -> held, and the endpoint is disabled
 *              anything else, attempts left                                   -> pending, due per the schedule from now on
 *              anything else, after the tenth attempt                         -> failed; the lead becomes failed
 *              the lease runs out (the worker died)                           -> claimed again: the same id, the same bytes
 *              the service itself fails at it, four times in a row            -> pending, due 1, 5, 30 min and 2 h later
 *              the same, the fifth time                                       -> held
 *              the service closes                                             -> pending, the attempt not counted
 *              URL cleared by a PUT                                           -> cancelled; a receiver that accepts it all the
 *                                                                                same makes it sent, because it is
 *   held       a PUT that names the URL, or a replay                          -> pending with a fresh schedule, beyond thousands
 *                                                                                by the clock
 *              (a pushed lead not enriched yet) its enrichment ends           -> pending; cancelled when it was pushed as ICP
 *                                                                                only, does not match, and would not go by itself
 *              (a `sync.completed`) no lead of its source waits any more      -> pending
 *              source untracked                                               -> failed, and so is the lead
 *              URL cleared by a PUT                                           -> cancelled
 *   sent, failed, cancelled   final; only a push brings failed and cancelled ones back, and only a replay that a person asks for at the
 *              dashboard brings sent and failed ones back: the same id, the same bytes, a fresh schedule.
 *
 * Many are worked at once (pump.ts): what several endpoints have due is leased in one unit of work that is SQL alone, for quick
 * endpoints ahead of what is sent (pace.ts), made ready team by team outside of it, and sent side by side; what has come back by then
 * is recorded in one unit for all that were accepted and one for all that were not. Endpoints keep their five attempts in flight, and
 * one that is slow holds up nobody but itself.
 *
 * A crash after the receiver answered and before that is recorded sends once more under the same id: at least once, never lost.
 */
import type { SystemClock } from '../../platform/clock.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Reader, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Log } from '../../platform/log.ts'
import type { Random } from '../../platform/random.ts'
import type { Vault } from '../../platform/secrets.ts'
import { defineWork } from '../../platform/work/index.ts'
import { deliveryRows } from './lease-store.ts'
import { Pace } from './pace.ts'
import { Positions } from './positions.ts'
import { Pump } from './pump.ts'
import { Recorder } from './recorder.ts'

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
  readonly newOwnerId: string
  readonly serviceNow: (db: Reader) => Promise<Date>
  /** Instead of 15 s for one attempt, in tests of slow receivers. */
  readonly timeoutMs?: number
  /** Instead of many at once: so many in flight, and one claim a step. */
  readonly atMost?: number
}

/** Makes the step that works due deliveries until none is left or `closing` says to take no more; `idle` when there was none. */
export function deliverStep(deps: DeliveryDeps): (closing?: AbortSignal) => Promise<'worked' | 'idle'> {
  const pace = new Pace()
  const recorder = new Recorder(deps, pace)
  const positions = new Positions()
  return (closing) => new Pump(deps, { pace, recorder, positions }, closing).run()
}

/** Deliveries, as work; many are worked on at once, and each records its own unexpected failures. */
export const deliveryWork = defineWork({ kind: 'delivery', rows: [deliveryRows], step: deliverStep, unexpected: {} })
