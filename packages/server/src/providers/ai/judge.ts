/**
 * The AI filter's judge (AIF-09): several posts a call; when an answer cannot be read, one call a post.
 *
 * A post whose answer cannot be read even alone is not kept: a stranger's text must not be able to stop a team's run. When that
 * happens to every post of a question, a harmless post of our own tells whether the posts or the model are to blame.
 */
import { generateText, NoObjectGeneratedError, Output } from 'ai'
import type { SystemClock } from '../../platform/clock.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Random, Ids } from '../../platform/random.ts'
import { decideRetry } from '../network/retry.ts'
import { readTrouble, type Trouble } from './failure.ts'
import { fetchThrough, openModel } from './models.ts'
import { costOf, modelOf } from './models-table.ts'
import {
  AiFailure,
  type AiFailureKind,
  type AiJudge,
  type AiPost,
  type AiQuestion,
  type AiVendor,
  type AiVerdict,
  defaultModels,
  postsPerCall,
} from './port.ts'
import { layOut } from './prompt.ts'
import { type Answer, answerSchema, readAnswer } from './verdicts.ts'

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

/** What the judge needs; the addresses include the vendors' version paths. */
export type AiJudgeOptions = {
  readonly addresses: Readonly<Record<AiVendor, string>>
  readonly egress: Egress
  readonly system: SystemClock
  readonly ids: Pick<Ids, 'bytes'>
  readonly random: Random
  readonly log?: (entry: AiLogEntry) => void
}

const questionMs = 60_000
const exchangeMs = 30_000
const singlesAtOnce = 4
const control: AiPost = {
  id: 'control',
  text: 'Good morning everyone, have a nice week.',
  author: null,
  headline: null,
}
const unread: Omit<AiVerdict, 'id'> = {
  keep: false,
  reason: 'The AI gave no readable verdict on this post.',
  unread: true,
}

// Strangers' posts are nothing to keep at a vendor.
const providerOptions = { openai: { store: false } }

// The packages print advice to the console otherwise.
;(globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false

/** What one call of a question is made with. */
type Asking = {
  readonly vendor: AiVendor
  readonly model: string
  readonly key: string
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
  readonly operation: AiLogEntry['operation']
}
type Verdicts = readonly { readonly keep: boolean; readonly reason: string }[]
/** Room for a model that thinks before it answers, and for one whose thoughts filled that. */
const roomFor = (posts: number): number => 2_000 + 300 * posts
const moreRoom = 4

/** What a call has brought, what it cost, and whether its room was used up before the answer was whole. */
type Done<T> = { readonly value: T | 'cut'; readonly cost: number | null }

/** Verdicts, or how the answer could not be used; everything worse is thrown. */
type AiReply = Verdicts | 'unreadable' | 'refused'

/** Opens the judge over the vendors' own wire formats. */
export function createAiJudge(options: AiJudgeOptions): AiJudge {
  const { system } = options
  /** Models that refused to be told not to think. */
  const untold = new Set<string>()
  const nonce = () => options.ids.bytes(9).toString('base64url').replaceAll(/[-_]/g, 'x')

  return { judge, check }

  async function judge(question: AiQuestion): Promise<readonly AiVerdict[]> {
    const { posts } = question
    if (posts.length < 1 || posts.length > postsPerCall || new Set(posts.map(({ id }) => id)).size !== posts.length)
      throw new RangeError(`a question is about 1 to ${postsPerCall} different posts`)
    const asking = begin(
      question.vendor,
      question.model,
      question.key,
      'judge',
      question.timeoutMs ?? questionMs,
      question.signal,
    )
    const ask = (some: readonly AiPost[]) => askModel(asking, question.prompt, some)
    const together = await ask(posts)
    if (typeof together !== 'string') return posts.map(({ id }, index) => ({ id, ...together[index]! }))
    // A vendor that rejects a harmless question too rejects the model or how it is asked, not these posts.
    if (together === 'refused' && (await ask([control])) === 'refused')
      throw failure(asking, { kind: 'model', status: null })
    const alone = await eachAlone(posts, ask)
    if (alone.every((reply) => typeof reply === 'string')) {
      const reply = await ask([control])
      if (typeof reply === 'string')
        throw failure(asking, { kind: reply === 'refused' ? 'model' : 'unreadable', status: null })
    }
    return posts.map(({ id }, index) => {
      const reply = alone[index]!
      return { id, ...(typeof reply === 'string' ? unread : reply[0]!) }
    })
  }

  async function check(
    vendor: AiVendor,
    key: string,
    how: { model?: string | null; signal?: AbortSignal } = {},
  ): Promise<void> {
    const asking = begin(vendor, how.model ?? null, key, 'check', exchangeMs, how.signal)
    // 16 is the least that every vendor takes.
    const reply = await call(asking, async (model) => {
      const { usage } = await generateText({
        model,
        prompt: 'Say ok.',
        maxOutputTokens: 16,
        maxRetries: 0,
        providerOptions,
      })
      return { value: undefined, cost: costOf(vendor, asking.model, usage) }
    })
    if (reply !== undefined && reply !== 'cut') throw failure(asking, { kind: reply, status: null })
  }

  function begin(
    vendor: AiVendor,
    model: string | null,
    key: string,
    operation: AiLogEntry['operation'],
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Asking {
    return {
      vendor,
      model: model?.trim() || defaultModels[vendor],
      key,
      operation,
      deadlineMs: system.nowMs() + timeoutMs,
      signal,
    }
  }

  /** Puts a question about some posts; throws `AiFailure` for everything but an answer or a refusal of these posts. */
  async function askModel(asking: Asking, filter: string, posts: readonly AiPost[]): Promise<AiReply> {
    const { instructions, prompt, ids } = layOut(filter, posts, nonce)
    const named = `${asking.vendor} ${asking.model}`
    const within = (maxOutputTokens: number) => {
      const reasoning = untold.has(named) ? null : (modelOf(asking.vendor, asking.model)?.reasoning ?? null)
      return call<Answer>(asking, async (model) => {
        const result = await generateText({
          model,
          instructions,
          prompt,
          output: Output.object({ schema: answerSchema, name: 'verdicts' }),
          maxOutputTokens,
          // Tries are counted here, with our own waits.
          maxRetries: 0,
          providerOptions,
          // A verdict needs no thoughts, and they are paid for like an answer.
          ...(reasoning === null ? {} : { reasoning }),
        }).catch(cutAnswer)
        if ('cut' in result) return { value: 'cut', cost: costOf(asking.vendor, asking.model, result.cut) }
        const cost = costOf(asking.vendor, asking.model, result.usage)
        return { value: result.finishReason === 'length' ? 'cut' : result.output, cost }
      })
    }
    const room = roomFor(posts.length)
    let first = await within(room)
    // The table was wrong about this model: it is asked as it is from now on.
    if (first === 'reasoning' && !untold.has(named)) {
      untold.add(named)
      first = await within(room)
    }
    const answer = first === 'cut' ? await within(room * moreRoom) : first
    if (answer === 'cut' || answer === 'reasoning') return answer === 'cut' ? 'unreadable' : 'refused'
    return typeof answer === 'string' ? answer : (readAnswer(ids, answer) ?? 'unreadable')
  }

  /** One call with at most two repetitions within 5 s (design, units of time). */
  async function call<T>(
    asking: Asking,
    work: (model: Parameters<typeof generateText>[0]['model']) => Promise<Done<T>>,
  ): Promise<T | 'cut' | 'unreadable' | 'refused' | 'reasoning'> {
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
      const report = (outcome: AiLogEntry['outcome'], status: number | null, cost: number | null = null) =>
        options.log?.({
          provider: asking.vendor,
          operation: asking.operation,
          model: asking.model,
          attempt: tries,
          outcome,
          status,
          elapsedMs: system.nowMs() - beganMs,
          teamCost: cost,
        })
      try {
        const done = await work(model)
        report('ok', 200, done.cost)
        return done.value
      } catch (error) {
        const trouble = readTrouble(error, system.nowMs())
        if (trouble === undefined) throw error
        report(trouble.kind, trouble.status)
        if (trouble.kind === 'unreadable' || trouble.kind === 'reasoning') return trouble.kind
        if (trouble.kind === 'refused' && asking.operation === 'judge') return trouble.kind
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
    }
  }
}

/** Every post by itself, a few at a time, in their order; the first failure ends it. */
async function eachAlone(
  posts: readonly AiPost[],
  ask: (some: readonly AiPost[]) => Promise<AiReply>,
): Promise<readonly AiReply[]> {
  const reply: AiReply[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < posts.length; index = next++) {
      reply[index] = await ask([posts[index]!]).catch((error: unknown) => {
        next = posts.length
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(singlesAtOnce, posts.length) }, worker))
  return reply
}

const noUsage = { inputTokens: undefined, outputTokens: undefined }

/** What a half answer has used, which the package throws as unreadable; everything else is thrown on. */
function cutAnswer(error: unknown): { readonly cut: Parameters<typeof costOf>[2] } {
  if (NoObjectGeneratedError.isInstance(error) && error.finishReason === 'length')
    return { cut: error.usage ?? noUsage }
  throw error
}

const sentences: Record<AiFailureKind, (vendor: AiVendor, model: string) => string> = {
  key: (vendor) => `${vendor} refused the stored key, or its account has no credit.`,
  model: (vendor, model) => `${vendor} does not accept the model ${JSON.stringify(model)} for this filter.`,
  rate_limited: (vendor) => `${vendor} allows no more calls with this key for now.`,
  unavailable: (vendor) => `${vendor} did not answer.`,
  unreadable: (vendor, model) => `${vendor} gave no readable answer with the model ${JSON.stringify(model)}.`,
}

/** The failure of a question; without the package's own error, which carries the prompt. */
function failure({ vendor, model }: Asking, trouble: Trouble): AiFailure {
  const kind = trouble.kind === 'refused' || trouble.kind === 'reasoning' ? 'model' : trouble.kind
  return new AiFailure({
    vendor,
    model,
    kind,
    message: sentences[kind](vendor, model),
    retryAfterMs: trouble.retryAfterMs,
  })
}
