/** One call of an AI vendor: its tries, what each is logged as, and the failure that a question ends with. */
import type { generateText } from 'ai'
import type { SystemClock } from '../../platform/clock.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Random } from '../../platform/random.ts'
import { decideRetry } from '../network/retry.ts'
import { readTrouble, type Trouble } from './failure.ts'
import { fetchThrough, openModel } from './models.ts'
import { AiFailure, type AiFailureKind, type AiVendor } from './port.ts'

/** One try of one call, for logs and metrics; carries no key, no prompt and no post. */
export type AiLogEntry = {
  provider: AiVendor
  operation: 'judge' | 'check'
  model: string
  attempt: number
  outcome: 'ok' | Trouble['kind']
  status: number | null
  elapsedMs: number
  /** Dollars that the team's own key pays, by the table of models; null when they are not known. */
  teamCost: number | null
}

/** What a call needs; the addresses include the vendors' version paths. */
export type CallOptions = {
  readonly addresses: Readonly<Record<AiVendor, string>>
  readonly egress: Egress
  readonly system: SystemClock
  readonly random: Random
  readonly log?: (entry: AiLogEntry) => void
}

/** Milliseconds for one exchange with a vendor. */
export const exchangeMs = 30_000

/** What one call of a question is made with. */
export type Asking = {
  readonly vendor: AiVendor
  readonly model: string
  readonly key: string
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
  readonly operation: AiLogEntry['operation']
}

/** What a call has brought, what it cost, and whether its room was used up before the answer was whole. */
export type Done<T> = { readonly value: T | 'cut'; readonly cost: number | null }

type Model = Parameters<typeof generateText>[0]['model']

/** How a call ended that brought nothing: its answer was cut, cannot be read, or was refused. */
export type Useless = 'cut' | 'unreadable' | 'refused' | 'reasoning'

/** Makes the function that puts one call; it throws `AiFailure` for everything but an answer and what is `Useless`. */
export function makeCall({ system, ...options }: CallOptions) {
  return call

  /** One call with at most two repetitions within 5 s (design, units of time). */
  async function call<T>(asking: Asking, work: (model: Model) => Promise<Done<T>>): Promise<T | Useless> {
    const startedMs = system.nowMs()
    const leftMs = () => Math.min(exchangeMs, asking.deadlineMs - system.nowMs())
    const endpoint = {
      apiKey: asking.key,
      baseURL: options.addresses[asking.vendor],
      fetch: fetchThrough(options.egress, leftMs, asking.signal),
    }
    const model = openModel[asking.vendor](asking.model, endpoint)
    for (let tries = 1; ; tries += 1) {
      if (leftMs() <= 0 || asking.signal?.aborted) throw failure(asking, { kind: 'unavailable', status: null })
      const beganMs = system.nowMs()
      try {
        const done = await work(model)
        report(asking, { attempt: tries, beganMs }, { outcome: 'ok', status: 200, teamCost: done.cost })
        return done.value
      } catch (error) {
        const trouble = readTrouble(error, system.nowMs())
        if (trouble === undefined) throw error
        report(asking, { attempt: tries, beganMs }, { outcome: trouble.kind, status: trouble.status, teamCost: null })
        if (trouble.kind === 'unreadable' || trouble.kind === 'reasoning' || trouble.kind === 'refused')
          return trouble.kind
        await waitFor(asking, trouble, { tries, startedMs })
      }
    }
  }

  /** Waits until the next try; throws the failure when there is none. */
  async function waitFor(
    asking: Asking,
    trouble: Trouble,
    { tries, startedMs }: { readonly tries: number; readonly startedMs: number },
  ): Promise<void> {
    const nowMs = system.nowMs()
    const again = trouble.kind === 'rate_limited' || trouble.kind === 'unavailable'
    const waitMs = again
      ? decideRetry({
          tries,
          elapsedMs: nowMs - startedMs,
          remainingMs: asking.deadlineMs - nowMs,
          retryAfterMs: trouble.retryAfterMs,
          random: options.random.next(),
        })
      : null
    if (waitMs === null) throw failure(asking, trouble)
    await system.sleep(waitMs, asking.signal).catch(() => {
      throw failure(asking, trouble)
    })
  }

  function report(
    { vendor, operation, model }: Asking,
    { attempt, beganMs }: { readonly attempt: number; readonly beganMs: number },
    ending: Pick<AiLogEntry, 'outcome' | 'status' | 'teamCost'>,
  ): void {
    options.log?.({ provider: vendor, operation, model, attempt, elapsedMs: system.nowMs() - beganMs, ...ending })
  }
}

const sentences: Record<AiFailureKind, (vendor: AiVendor, model: string) => string> = {
  key: (vendor) => `${vendor} refused the stored key, or its account has no credit.`,
  model: (vendor, model) => `${vendor} does not accept the model ${JSON.stringify(model)} for this filter.`,
  rate_limited: (vendor) => `${vendor} allows no more calls with this key for now.`,
  unavailable: (vendor) => `${vendor} did not answer.`,
  unreadable: (vendor, model) => `${vendor} gave no readable answer with the model ${JSON.stringify(model)}.`,
}

/** The failure of a question; without the package's own error, which carries the prompt. */
export function failure({ vendor, model }: Asking, trouble: Trouble): AiFailure {
  const kind = trouble.kind === 'refused' || trouble.kind === 'reasoning' ? 'model' : trouble.kind
  return new AiFailure({
    vendor,
    model,
    kind,
    message: sentences[kind](vendor, model),
    retryAfterMs: trouble.retryAfterMs,
  })
}
