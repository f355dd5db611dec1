import type { SystemClock } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { checkDestination, EgressFailure, type Egress } from '../../../platform/egress/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { Random } from '../../../platform/random.ts'
import type { Vault } from '../../../platform/secrets.ts'
import { cleanText } from '../../../platform/text.ts'
import type { WorkDeps } from '../../../platform/work/index.ts'
import type { Ending } from '../rules/outcome.ts'
import { signedHeaders, type SigningSecrets } from './signing.ts'

/** The total time a receiver has. */
export const attemptTimeoutMs = 15_000

const maxResponseBytes = 64 * 1024
const maxStoredBytes = 16 * 1024

/** What attempts need. `timeoutMs` replaces the 15 s in tests. */
export type AttemptDeps = {
  readonly egress: Egress
  readonly system: SystemClock
  readonly allowPrivate: boolean
  readonly timeoutMs?: number
}

export type DeliveryDeps = WorkDeps &
  AttemptDeps & {
    readonly vault: Vault
    readonly random: Random
    readonly log: Log
    readonly serviceNow: (db: Reader) => Promise<Date>
    readonly judgeAgainListeners?: Set<() => void>
    /** In tests: this many in flight, and one claim per step. */
    readonly singleBatchSize?: number
  }

/** A request. `schemes`: sources' webhooks are https only, even if a stored URL is http from an earlier operator setting. */
export type Post = {
  readonly url: string
  readonly schemes: readonly ('https' | 'http')[]
  readonly id: string
  readonly event: string
  readonly body: Buffer
  readonly secrets: SigningSecrets
}

/** `interrupted`: the service stopped the attempt because it is closing. */
type Attempt = {
  readonly ending: Ending | 'interrupted'
  readonly elapsedMs: number
  readonly response: string | null
}

/** Posts once, signed for `at` (specification «Events», «Authentication» 6; G49, G54); never throws for a receiver. */
export async function attemptPost(deps: AttemptDeps, post: Post, at: Date): Promise<Attempt> {
  const startedMs = deps.system.nowMs()
  const check = checkDestination(post.url, { schemes: post.schemes, allowPrivate: deps.allowPrivate })
  if (!check.ok) return { ending: { kind: 'unanswered', why: 'refused_address' }, elapsedMs: 0, response: check.reason }
  try {
    const answer = await deps.egress.request({
      method: 'POST',
      url: post.url,
      headers: signedHeaders(post, post.secrets, at),
      body: post.body,
      timeoutMs: deps.timeoutMs ?? attemptTimeoutMs,
      maxBytes: maxResponseBytes,
      onTooLarge: 'truncate',
    })
    return {
      ending: { kind: 'answered', status: answer.status, headers: answer.headers },
      elapsedMs: answer.elapsedMs,
      response: excerptOf(answer.body),
    }
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error
    const elapsedMs = deps.system.nowMs() - startedMs
    if (error.kind === 'aborted') return { ending: 'interrupted', elapsedMs, response: null }
    return { ending: { kind: 'unanswered', why: error.kind }, elapsedMs, response: error.message }
  }
}

/** The part of a response that is kept: at most 16 KB of UTF-8 without control characters. */
function excerptOf(body: Uint8Array): string {
  if (body.length === 0) return ''
  const cut = (bytes: Uint8Array) => new TextDecoder().decode(bytes.subarray(0, maxStoredBytes), { stream: true })
  return cut(Buffer.from(cleanText(cut(body), maxStoredBytes).replace(/[\t\n]/g, ' ')))
}
