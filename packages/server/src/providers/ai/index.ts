/** AI vendors behind `port.ts`, loaded with the first question: a fifth of what a start reads. Each key has its own breaker. */
import { sha256 } from '../../platform/secrets.ts'
import { throughBreaker, type VendorBreaker } from '../breaker/breaker.ts'
import type { Held } from '../failure.ts'
import type { AiJudgeOptions } from './judge.ts'
import { AiFailure, type AiJudge, modelInForce } from './port.ts'

export * from './port.ts'
export type { AiLogEntry } from './call.ts'
export type { AiJudgeOptions } from './judge.ts'

/** Opens the judge over the vendors' own wire formats. */
export function createAiJudge(options: AiJudgeOptions): AiJudge {
  let loaded: Promise<AiJudge> | undefined
  const load = () => (loaded ??= import('./judge.ts').then((judge) => judge.createAiJudge(options)))
  return {
    judge: async (question) => (await load()).judge(question),
    check: async (vendor, key, how) => (await load()).check(vendor, key, how),
  }
}

/** Account name of a team's key at an AI vendor; a hash, so the key cannot be read from the name. */
export const aiAccount = (vendor: string, key: string): string =>
  `${vendor}:${sha256(key).toString('hex').slice(0, 24)}`

/** The judge behind the breaker; `check` bypasses it. A refused key does not count there, since it ends the run by itself. */
export function judgeWithBreaker(judge: AiJudge, breaker: VendorBreaker): AiJudge {
  return {
    check: (vendor, key, options) => judge.check(vendor, key, options),
    judge: (question) => {
      const { vendor, key, signal } = question
      const refuse = (held: Held, afterMs: number) =>
        new AiFailure({
          vendor,
          model: modelInForce(vendor, question.model),
          kind: held.reason === 'rate' ? 'rate_limited' : 'unavailable',
          message: `${vendor} ${held.reason === 'rate' ? 'allows no more calls with this key for now' : 'did not answer'}.`,
          retryAfterMs: afterMs,
          held,
        })
      const account = { account: aiAccount(vendor, key), probesItself: true, signal, refuse }
      return throughBreaker(breaker, account, () => judge.judge(question))
    },
  }
}
