/** One call of an AI vendor: its retries, the meaning of its errors, and the resulting failure. */
import { APICallError, type generateText, NoObjectGeneratedError, NoOutputGeneratedError } from 'ai'
import type { SystemClock } from '../../platform/clock.ts'
import { EgressFailure, type Egress } from '../../platform/egress/types.ts'
import type { Random } from '../../platform/random.ts'
import { readRetryAfter, retried, type Outcome } from '../calls.ts'
import { AiFailure, type AiFailureKind, type AiVendor } from './port.ts'
import { fetchThrough, openModel } from './vendors.ts'

/** One try, for logs and metrics; contains no key, prompt or post. */
export type AiLogEntry = {
  provider: AiVendor
  operation: 'judge' | 'check'
  model: string
  attempt: number
  outcome: 'ok' | Trouble['kind']
  status: number | null
  elapsedMs: number
  /** Dollars charged to the team's own key, by the model table; null when unknown. */
  teamCost: number | null
}

/** What a call needs; `addresses` include the vendors' version paths. */
export type CallOptions = {
  readonly addresses: Readonly<Record<AiVendor, string>>
  readonly egress: Egress
  readonly system: SystemClock
  readonly random: Random
  readonly log?: (entry: AiLogEntry) => void
}

/** Time limit of one exchange with a vendor. */
export const exchangeMs = 30_000

export type CallParameters = {
  readonly vendor: AiVendor
  readonly model: string
  readonly key: string
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
  readonly operation: AiLogEntry['operation']
}

/** A call's result and cost; `cut`: the output limit was reached before the answer was complete. */
type CallResult<T> = { readonly value: T | 'cut'; readonly cost: number | null }

type Model = Parameters<typeof generateText>[0]['model']

type NoAnswerReason = 'cut' | 'unreadable' | 'refused' | 'reasoning'

/** Creates the function that makes one call; it returns an answer or a `NoAnswerReason`, and throws `AiFailure` for everything else. */
export function makeCall({ addresses, egress, system, random, log }: CallOptions) {
  return <T>(
    parameters: CallParameters,
    work: (model: Model) => Promise<CallResult<T>>,
  ): Promise<T | NoAnswerReason> => {
    const { vendor, operation, deadlineMs, signal } = parameters
    const leftMs = () => Math.min(exchangeMs, deadlineMs - system.nowMs())
    const model = openModel[vendor](parameters.model, {
      apiKey: parameters.key,
      baseURL: addresses[vendor],
      fetch: fetchThrough(egress, leftMs, signal),
    })
    return retried(
      { system, random },
      { deadlineMs, signal },
      async (attempt): Promise<Outcome<T | NoAnswerReason, AiFailure>> => {
        if (leftMs() <= 0 || signal?.aborted)
          return { ok: false, again: false, failure: failure(parameters, { kind: 'unavailable', status: null }) }
        const beganMs = system.nowMs()
        const about = { provider: vendor, operation, model: parameters.model, attempt }
        const report = (ending: Pick<AiLogEntry, 'outcome' | 'status' | 'teamCost'>) =>
          log?.({ ...about, elapsedMs: system.nowMs() - beganMs, ...ending })
        try {
          const { value, cost } = await work(model)
          report({ outcome: 'ok', status: 200, teamCost: cost })
          return { ok: true, value }
        } catch (error) {
          const trouble = readTrouble(error, system.nowMs())
          if (trouble === undefined) throw error
          const { kind, status } = trouble
          report({ outcome: kind, status, teamCost: null })
          if (kind === 'unreadable' || kind === 'reasoning' || kind === 'refused') return { ok: true, value: kind }
          const again = kind === 'rate_limited' || kind === 'unavailable'
          return { ok: false, again, failure: failure(parameters, trouble) }
        }
      },
    )
  }
}

const sentences: Record<AiFailureKind, (vendor: AiVendor, model: string) => string> = {
  key: (vendor) => `${vendor} refused the stored key, or its account has no credit.`,
  model: (vendor, model) => `${vendor} does not accept the model ${JSON.stringify(model)} for this filter.`,
  rate_limited: (vendor) => `${vendor} allows no more calls with this key for now.`,
  unavailable: (vendor) => `${vendor} did not answer.`,
  unreadable: (vendor, model) => `${vendor} gave no readable answer with the model ${JSON.stringify(model)}.`,
}

/** The failure of a question. It drops the package's own error, because that contains the prompt. */
export function failure({ vendor, model }: CallParameters, trouble: Trouble): AiFailure {
  const kind = trouble.kind === 'refused' || trouble.kind === 'reasoning' ? 'model' : trouble.kind
  const message = sentences[kind](vendor, model)
  return new AiFailure({ vendor, model, kind, message, retryAfterMs: trouble.retryAfterMs })
}

/** Why a call failed; `refused`: the vendor rejects this question, perhaps any; `reasoning`: it rejects the reasoning setting. */
type Trouble = {
  readonly kind: AiFailureKind | 'refused' | 'reasoning'
  readonly status: number | null
  readonly retryAfterMs?: number | undefined
}

/** Google reports a wrong key as an invalid request; an account without money counts as a wrong key. */
const aboutKey = /api[ _-]?key|API_KEY_INVALID|insufficient_quota|credit balance|billing/i

const aboutReasoning =
  /reasoning[._ ]?effort|thinking[._ ]?(?:level|config|budget)|"?thinking"?[^.]{0,40}not (?:supported|available)/i

/** Classifies an error of a call; undefined when the outside world did not cause it. */
export function readTrouble(error: unknown, nowMs: number): Trouble | undefined {
  if (NoObjectGeneratedError.isInstance(error) || NoOutputGeneratedError.isInstance(error))
    return { kind: 'unreadable', status: 200 }
  const exchange = egressFailureIn(error)
  if (exchange) return { kind: exchange.kind === 'too_large' ? 'unreadable' : 'unavailable', status: null }
  if (!APICallError.isInstance(error)) return undefined
  const status = error.statusCode ?? null
  return {
    kind: kindOf(status, `${error.message}\n${error.responseBody ?? ''}`),
    status,
    retryAfterMs: readRetryAfter(error.responseHeaders?.['retry-after'], nowMs),
  }
}

function kindOf(status: number | null, text: string): Trouble['kind'] {
  if (status === 401 || status === 402 || status === 403) return 'key'
  if ((status === 400 || status === 429) && aboutKey.test(text)) return 'key'
  if (status === 404) return 'model'
  if (status === 429) return 'rate_limited'
  if (status === 400 && aboutReasoning.test(text)) return 'reasoning'
  if (status === 400 || status === 413 || status === 422)
    return /\bmodel\b|invalid_model/i.test(text) ? 'model' : 'refused'
  if (status !== null && status >= 200 && status < 300) return 'unreadable'
  return 'unavailable'
}

function egressFailureIn(error: unknown): EgressFailure | undefined {
  let current = error
  for (let depth = 0; current instanceof Error && depth < 5; depth += 1) {
    if (current instanceof EgressFailure) return current
    current = current.cause
  }
  return undefined
}
