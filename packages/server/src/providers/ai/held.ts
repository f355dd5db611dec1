/**
 * The AI vendors behind breakers, one for each key of a team. A key that is refused ends a run by itself and is no
 * matter of the breaker.
 */
import { sha256 } from '../../platform/secrets.ts'
import { throughBreaker, type VendorBreaker } from '../breaker/port.ts'
import { troubleOf } from '../breaker/rules/breaker.ts'
import { defaultModels, AiFailure, type AiJudge } from './port.ts'

/** Name of a team's account at an AI vendor; the key cannot be read from it. */
export const aiAccount = (vendor: string, key: string): string =>
  `${vendor}:${sha256(key).toString('hex').slice(0, 24)}`

/** The judge, asked through the breaker; trying out a key goes past it. */
export function heldJudge(judge: AiJudge, breaker: VendorBreaker): AiJudge {
  return {
    check: (vendor, key, options) => judge.check(vendor, key, options),
    judge: (question) =>
      throughBreaker(
        breaker,
        {
          account: aiAccount(question.vendor, question.key),
          probesItself: true,
          read: (error) =>
            error instanceof AiFailure &&
            !question.signal?.aborted &&
            (error.kind === 'unavailable' || error.kind === 'rate_limited')
              ? troubleOf({ kind: error.kind, retryAfterMs: error.retryAfterMs })
              : null,
          refuse: (held, afterMs) =>
            new AiFailure({
              vendor: question.vendor,
              model: question.model?.trim() || defaultModels[question.vendor],
              kind: held.reason === 'rate' ? 'rate_limited' : 'unavailable',
              message:
                held.reason === 'rate'
                  ? `${question.vendor} allows no more calls with this key for now.`
                  : `${question.vendor} did not answer.`,
              retryAfterMs: afterMs,
              held,
            }),
          mark: (error, held) => (error instanceof AiFailure ? error.whileHeld(held) : error),
        },
        () => judge.judge(question),
      ),
  }
}
