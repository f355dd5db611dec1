/**
 * The life of a delivery (G49, G134; WHK-13..WHK-17, WHK-27): one event for one owner, inserted once, where it is decided.
 *
 *   pending    waits for `due_at`. A claim leases it for 60 s of system time under a fence; it is then shown as `sending`, and
 *              its attempt runs outside any transaction. A pushed lead is serialised at its first claim. It is not sent when
 *              its endpoint is disabled                                 -> held, with thousands waiting for the same endpoint
 *              its source is untracked                                  -> failed; the lead becomes failed
 *              it is automatic and autoSend was switched off            -> cancelled; the lead stays pending
 *              the URL was cleared after it was queued                  -> cancelled; the lead becomes no_webhook
 *              its person was excluded after it was queued              -> excluded; the lead gets its earlier status
 *              After an attempt, if the fence is still ours:
 *              2xx                                                      -> sent; the lead becomes sent
 *              410, or only failures for 5 days                         -> held; the endpoint is disabled
 *              anything else, attempts left                             -> pending, due per the schedule
 *              anything else, after the tenth attempt                   -> failed; the lead becomes failed
 *              Without an outcome:
 *              the lease expires (the worker died)                      -> claimed again, same id and body
 *              the service itself fails, up to four times in a row      -> pending, due after 1, 5, 30 min and 2 h
 *              the service itself fails a fifth time                    -> held
 *              the service closes                                       -> pending, attempt not counted
 *   held       a PUT that names the URL, or a replay                    -> pending with a fresh schedule
 *              (pushed lead in enrichment) the enrichment ends          -> pending; cancelled if pushed as ICP only, not
 *                                                                          matching, and not going automatically
 *              (`sync.completed`) no lead of its source is pending      -> pending
 *              the source is untracked                                  -> failed; the lead becomes failed
 *              the URL is cleared                                       -> cancelled
 *   sent, failed, cancelled, excluded   final. A push reopens all but `sent`, a replay by a person `sent` and `failed`: same id
 *              and body, fresh schedule. A delivery that ended during its attempt still becomes sent if the receiver accepts it.
 *
 * After a crash between the receiver's answer and its record, it is sent again under the same id: at least once, never lost.
 */
import { defineWork } from '../../../platform/work/index.ts'
import { deliveryRows } from './claim.ts'
import type { DeliveryDeps } from './attempt.ts'
import { DeliveryLoop } from './loop.ts'

/** The step that sends due deliveries until none is left or `closing` aborts. One loop per process: other calls nudge it. */
export function deliverStep(deps: DeliveryDeps): (closing?: AbortSignal) => Promise<'worked' | 'idle'> {
  let running: DeliveryLoop | undefined
  deps.judgeAgainListeners?.add(() => running?.judgeAgain())
  return async (closing) => {
    if (deps.singleBatchSize !== undefined) return new DeliveryLoop(deps, closing).run()
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

/** The work of sending. It claims many at once and records unexpected failures per delivery itself. */
export const deliveryWork = defineWork({ kind: 'delivery', rows: [deliveryRows], step: deliverStep, unexpected: {} })
