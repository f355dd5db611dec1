/** The port of AI vendors (specification: the AI filter of keyword searches). */
import { type FailureDetails, OutsideFailure } from '../failure.ts'

/** AI vendors for which a team may store a key (G64), in display order. */
export const aiVendors = ['openai', 'anthropic', 'google', 'mistral'] as const
export type AiVendor = (typeof aiVendors)[number]

/** Default model when a search names none: a small current one of each vendor (G64, AIF-04). */
export const defaultModels: Readonly<Record<AiVendor, string>> = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-5-5',
  google: 'gemini-3.5-flash-lite',
  mistral: 'mistral-small-latest',
}

/** The model to ask: the given name, or the vendor's default. */
export const modelInForce = (vendor: AiVendor, model: string | null | undefined): string =>
  model?.trim() || defaultModels[vendor]

/** Most posts per question (AIF-09). */
export const postsPerCall = 10

/** A post as the filter sees it; its text is untrusted and never followed as an instruction. */
export type AiPost = {
  readonly id: string
  readonly text: string
  readonly author: string | null
  readonly headline: string | null
}

/** A question about 1 to 10 posts with distinct ids. */
export type AiQuestion = {
  readonly vendor: AiVendor
  /** Null or blank: the vendor's default. */
  readonly model: string | null
  readonly key: string
  /** The team's filter: which posts to keep. */
  readonly prompt: string
  readonly posts: readonly AiPost[]
  /** For the whole question including repeats; default 60,000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** The verdict on a post; `reason` is one line of 0 to 200 characters. `unread`: no readable verdict, so the post is not kept. */
export type AiVerdict = { readonly id: string; readonly keep: boolean; readonly reason: string; readonly unread?: true }

/** Why there is no verdict. */
export type AiFailureKind =
  /** The team's key was refused (401, 403), or its account has no credit. */
  | 'key'
  /** The vendor does not know the model, or the model does not accept the question as asked. */
  | 'model'
  /** Too many calls, even after waiting; `retryAfterMs` if the vendor gave a wait. */
  | 'rate_limited'
  /** No answer: 5xx, broken connection, time-out. */
  | 'unavailable'
  /** Answers were unreadable, even for single posts. */
  | 'unreadable'

/** A vendor gave no verdict (AIF-10). The message may be shown to the team: it contains no key, prompt or post. */
export class AiFailure extends OutsideFailure {
  override readonly name = 'AiFailure'
  readonly vendor: AiVendor
  readonly model: string
  override readonly kind: AiFailureKind
  constructor(
    about: FailureDetails & { readonly vendor: AiVendor; readonly model: string; readonly kind: AiFailureKind },
  ) {
    super(about)
    this.vendor = about.vendor
    this.model = about.model
    this.kind = about.kind
  }
}

export interface AiJudge {
  /** One verdict per post, in order; one call per post when a joint answer cannot be read (AIF-09). Throws `AiFailure`. */
  judge(question: AiQuestion): Promise<readonly AiVerdict[]>
  /** Tries a key with the cheapest call; throws `AiFailure` unless the vendor accepts it. */
  check(vendor: AiVendor, key: string, options?: { model?: string | null; signal?: AbortSignal }): Promise<void>
}
