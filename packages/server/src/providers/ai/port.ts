/** What the service asks of the AI vendors, in the service's own words (specification, the AI filter of keyword searches). */
import { type FailureDetails, OutsideFailure } from '../failure.ts'

/** Vendors of AI that a team may store a key of (G64). */
export type AiVendor = 'openai' | 'anthropic' | 'google' | 'mistral'

/** All of them, in the order in which they are shown. */
export const aiVendors = ['openai', 'anthropic', 'google', 'mistral'] as const satisfies readonly AiVendor[]

/** The model in force when a search names none: a small current one of each vendor (G64, AIF-04). */
export const defaultModels: Readonly<Record<AiVendor, string>> = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-5-5',
  google: 'gemini-3.5-flash-lite',
  mistral: 'mistral-small-latest',
}

/** The model that a question is put to. */
export const modelInForce = (vendor: AiVendor, model: string | null | undefined): string =>
  model?.trim() || defaultModels[vendor]

/** Posts of one question at most (AIF-09). */
export const postsPerCall = 10

/** A post as the filter sees it; its text is foreign and is never followed. */
export type AiPost = {
  readonly id: string
  readonly text: string
  readonly author: string | null
  readonly headline: string | null
}

/** A question about 1 to 10 posts with different ids. */
export type AiQuestion = {
  readonly vendor: AiVendor
  /** Null or blank: the vendor's default. */
  readonly model: string | null
  /** The team's own key. */
  readonly key: string
  /** The team's words: which posts to keep. */
  readonly prompt: string
  readonly posts: readonly AiPost[]
  /** For the whole question with everything asked again inside, in milliseconds; 60,000 when left out. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * What became of a post; the reason is at most 200 characters of one line, and may be empty. `unread`: no verdict on it
 * could be read, and it is not kept for that.
 */
export type AiVerdict = { readonly id: string; readonly keep: boolean; readonly reason: string; readonly unread?: true }

/** Why there is no verdict. */
export type AiFailureKind =
  /** The team's key was refused (401, 403). */
  | 'key'
  /** The vendor does not know the model, or refuses the question as put to this model. */
  | 'model'
  /** Too many calls, also after waiting; `retryAfterMs` when the vendor said how long. */
  | 'rate_limited'
  /** No answer: 5xx, a cut connection, a time-out. */
  | 'unavailable'
  /** Answers came, and none could be read, not even for one post alone. */
  | 'unreadable'

/** A vendor gave no verdict (AIF-10); its message may be shown to the team: it carries no key, no prompt and no post. */
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

/** Judges posts with a team's own key. */
export interface AiJudge {
  /**
   * One verdict per post, in the order of the posts; asked one post a call when the answer for several cannot be read
   * (AIF-09). Throws `AiFailure`.
   */
  judge(question: AiQuestion): Promise<readonly AiVerdict[]>
  /** Tries a key with the cheapest call there is; resolves when the vendor accepts it, else throws `AiFailure`. */
  check(vendor: AiVendor, key: string, options?: { model?: string | null; signal?: AbortSignal }): Promise<void>
}
