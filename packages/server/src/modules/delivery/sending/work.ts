/**
 * Deliveries (G49, G134; WHK-13..WHK-17, WHK-27). A row is one event for one owner, made in the unit of work that decides that it
 * goes out; it is never made twice, so what is sent is not sent again.
 *
 *   pending    waits for `due_at`. Claimed, it is leased for 60 s of system time under a fence; its attempt goes on outside any
 *              transaction, and is shown as `sending`. A pushed lead is serialised when it is first claimed. A claimed one is not sent when
 *              its endpoint is disabled                                       -> held, with thousands that wait for that endpoint
 *              its source is untracked                                        -> failed, and so is the lead
 *              autoSend was switched off, and no push or person asked for it  -> cancelled; the lead stays pending
 *              the URL was cleared after it was queued                        -> cancelled; the lead becomes no_webhook
 *              its person was excluded after it was queued                    -> excluded; the lead is what it was before
 *              After an attempt, if the fence is still ours:
 *              2xx                                                            -> sent; the lead becomes sent
 *              410, or the endpoint only failed for 5 days                    -> held, and the endpoint is disabled
 *              anything else, attempts left                                   -> pending, due per the schedule from now on
 *              anything else, after the tenth attempt                         -> failed; the lead becomes failed
 *              Without one:
 *              the lease runs out (the worker died)                           -> claimed again: the same id, the same bytes
 *              the service itself fails at it, four times in a row            -> pending, due 1, 5, 30 min and 2 h later
 *              the same, the fifth time                                       -> held
 *              the service closes                                             -> pending, the attempt not counted
 *   held       a PUT that names the URL, or a replay                          -> pending with a fresh schedule
 *              (a pushed lead not enriched yet) its enrichment ends           -> pending; cancelled when it was pushed as ICP
 *                                                                                only, does not match, and would not go by itself
 *              (a `sync.completed`) no lead of its source waits any more      -> pending
 *              source untracked                                               -> failed, and so is the lead
 *              URL cleared by a PUT                                           -> cancelled
 *   sent, failed, cancelled, excluded   final; only a push brings all but the first back, and only a replay that a person asks for at the
 *              dashboard brings sent and failed ones back: the same id, the same bytes, a fresh schedule. What ended while its attempt was
 *              under way becomes sent all the same when the receiver accepts it, because it is.
 *
 * A crash after the receiver answered and before that is recorded sends once more under the same id: at least once, never lost.
 */
import { defineWork } from '../../../platform/work/index.ts'
import { deliveryRows } from './claim.ts'
import type { DeliveryDeps } from './deps.ts'
import { DeliveryLoop } from './loop.ts'

/**
 * Makes the step that works due deliveries until none is left or `closing` says to take no more; `idle` when there was none. A process has
 * one loop: a step that is asked for while it runs makes it look again.
 */
export function deliverStep(deps: DeliveryDeps): (closing?: AbortSignal) => Promise<'worked' | 'idle'> {
  let running: DeliveryLoop | undefined
  deps.senders?.add(() => running?.judgeAgain())
  return async (closing) => {
    if (deps.atMost !== undefined) return new DeliveryLoop(deps, closing).run()
    if (running) {
      running.nudge()
      return 'idle'
    }
    running = new DeliveryLoop(deps, closing)
    try {
      return await running.run()
    } finally {
      running = undefined
    }
  }
}

/** Deliveries, as work; many are worked on at once, and each records its own unexpected failures. */
export const deliveryWork = defineWork({ kind: 'delivery', rows: [deliveryRows], step: deliverStep, unexpected: {} })
