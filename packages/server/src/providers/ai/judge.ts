/**
 * The AI filter's judge (AIF-09): several posts a call; when an answer cannot be read, one call a post.
 *
 * A post whose answer cannot be read even alone is not kept: a stranger's text must not be able to stop a team's run. When that
 * happens to every post of a question, a harmless post of our own tells whether the posts or the model are to blame.
 */
import { generateText, NoObjectGeneratedError, Output } from 'ai'
import type { Ids } from '../../platform/random.ts'
import { exchangeMs, failure, makeCall, type AiLogEntry, type Asking, type CallOptions } from './call.ts'
import { costOf, modelOf } from './models-table.ts'
import {
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

/** What the judge needs. */
export type AiJudgeOptions = CallOptions & { readonly ids: Pick<Ids, 'bytes'> }

const questionMs = 60_000
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

type Verdicts = readonly { readonly keep: boolean; readonly reason: string }[]
/** Room for a model that thinks before it answers, and for one whose thoughts filled that. */
const roomFor = (posts: number): number => 2_000 + 300 * posts
const moreRoom = 4

/** Verdicts, or how the answer could not be used; everything worse is thrown. */
type AiReply = Verdicts | 'unreadable' | 'refused'

/** Opens the judge over the vendors' own wire formats. */
export function createAiJudge(options: AiJudgeOptions): AiJudge {
  const { system } = options
  const call = makeCall(options)
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
