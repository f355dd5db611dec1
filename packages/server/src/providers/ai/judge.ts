/**
 * The AI filter's judge (AIF-09): several posts per call; when the answer cannot be read, one call per post.
 *
 * A post whose own answer cannot be read is not kept: a stranger's text must not stop a team's run. If that happens to every post
 * of a question, a harmless control post shows whether the posts or the model are to blame.
 */
import { generateText, NoObjectGeneratedError, Output } from 'ai'
import type { Ids } from '../../platform/random.ts'
import { exchangeMs, failure, makeCall, type CallParameters, type CallOptions } from './call.ts'
import { type AiJudge, type AiPost, type AiQuestion, type AiVerdict, modelInForce, postsPerCall } from './port.ts'
import { type Answer, answerSchema, buildPrompt, onlyJsonIn, readAnswer } from './question.ts'
import { costOf, modelOf } from './vendors.ts'

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

/** Opens the judge over the vendors' own wire formats. */
export function createAiJudge(options: AiJudgeOptions): AiJudge {
  const context: JudgeContext = {
    call: makeCall(options),
    withoutReasoning: new Set(),
    nonce: () => options.ids.bytes(9).toString('base64url').replaceAll(/[-_]/g, 'x'),
  }
  type Asked = Omit<CallParameters, 'deadlineMs' | 'model'> & { model: string | null; timeoutMs: number }
  const begin = ({ model, timeoutMs, ...asked }: Asked): CallParameters => ({
    ...asked,
    model: modelInForce(asked.vendor, model),
    deadlineMs: options.system.nowMs() + timeoutMs,
  })
  return {
    judge: async (question) => {
      const { posts, vendor, model, key, timeoutMs = questionMs, signal } = question
      if (posts.length < 1 || posts.length > postsPerCall || new Set(posts.map(({ id }) => id)).size !== posts.length)
        throw new RangeError(`a question is about 1 to ${postsPerCall} different posts`)
      return await judge(context, begin({ vendor, model, key, operation: 'judge', timeoutMs, signal }), question)
    },
    check: (vendor, key, { model = null, signal } = {}) =>
      check(context, begin({ vendor, model, key, operation: 'check', timeoutMs: exchangeMs, signal })),
  }
}

async function judge(
  context: JudgeContext,
  parameters: CallParameters,
  { posts, prompt }: AiQuestion,
): Promise<readonly AiVerdict[]> {
  const ask = (some: readonly AiPost[]) => askModel(context, parameters, prompt, some)
  const together = await ask(posts)
  if (typeof together !== 'string') return posts.map(({ id }, index) => ({ id, ...together[index]! }))
  // If the vendor also rejects a harmless post, the cause is the model or our request, not these posts.
  if (together === 'refused' && (await ask([control])) === 'refused')
    throw failure(parameters, { kind: 'model', status: null })
  const alone = await eachAlone(posts, ask)
  if (alone.every((reply) => typeof reply === 'string')) {
    const reply = await ask([control])
    if (typeof reply === 'string')
      throw failure(parameters, { kind: reply === 'refused' ? 'model' : 'unreadable', status: null })
  }
  return posts.map(({ id }, index) => {
    const reply = alone[index]!
    return { id, ...(typeof reply === 'string' ? unread : reply[0]!) }
  })
}

async function check(context: JudgeContext, parameters: CallParameters): Promise<void> {
  const reply = await context.call(parameters, async (model) => {
    const { usage } = await generateText({
      model,
      prompt: 'Say ok.',
      maxOutputTokens: 16,
      maxRetries: 0,
      providerOptions,
    })
    return { value: undefined, cost: costOf(parameters.vendor, parameters.model, usage) }
  })
  if (reply !== undefined && reply !== 'cut') throw failure(parameters, { kind: reply, status: null })
}

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

type JudgeContext = {
  readonly call: ReturnType<typeof makeCall>
  /** Models that refused the setting that turns reasoning off; it is left out for them. */
  readonly withoutReasoning: Set<string>
  readonly nonce: () => string
}

// Vendors must not store strangers' posts.
const providerOptions = { openai: { store: false } }

// Otherwise the packages print advice to the console.
;(globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false

type Verdicts = readonly { readonly keep: boolean; readonly reason: string }[]
/** Output tokens, with room for reasoning; a cut answer is asked for again with `moreRoom` times as many. */
const roomFor = (posts: number): number => 2_000 + 300 * posts
const moreRoom = 4

type AiReply = Verdicts | 'unreadable' | 'refused'

/** Asks about some posts; throws `AiFailure` for everything but an answer or a refusal of these posts. */
async function askModel(
  { call, withoutReasoning, nonce }: JudgeContext,
  parameters: CallParameters,
  filter: string,
  posts: readonly AiPost[],
): Promise<AiReply> {
  const { instructions, prompt, ids } = buildPrompt(filter, posts, nonce)
  const named = `${parameters.vendor} ${parameters.model}`
  const within = (maxOutputTokens: number) => {
    const known = modelOf(parameters.vendor, parameters.model)
    const reasoning = withoutReasoning.has(named) ? null : (known?.reasoning ?? null)
    return call<Answer>(parameters, async (model) => {
      const result = await generateText({
        model,
        instructions,
        prompt,
        output: Output.object({ schema: answerSchema, name: 'verdicts' }),
        maxOutputTokens,
        // `retried` counts the tries and waits between them.
        maxRetries: 0,
        providerOptions,
        // A verdict needs no reasoning, and reasoning tokens cost as much as output.
        ...(reasoning === null ? {} : { reasoning }),
      }).catch(readAgain)
      if ('cut' in result) return { value: 'cut', cost: costOf(parameters.vendor, parameters.model, result.cut) }
      const cost = costOf(parameters.vendor, parameters.model, result.usage)
      return { value: result.finishReason === 'length' ? 'cut' : result.output, cost }
    })
  }
  const room = roomFor(posts.length)
  let first = await within(room)
  // The model table is wrong about this model: leave the setting out from here on.
  if (first === 'reasoning' && !withoutReasoning.has(named)) {
    withoutReasoning.add(named)
    first = await within(room)
  }
  const answer = first === 'cut' ? await within(room * moreRoom) : first
  if (answer === 'cut' || answer === 'reasoning') return answer === 'cut' ? 'unreadable' : 'refused'
  return typeof answer === 'string' ? answer : (readAnswer(ids, answer) ?? 'unreadable')
}

const noUsage = { inputTokens: undefined, outputTokens: undefined }

type Usage = Parameters<typeof costOf>[2]
type Read = { readonly output: Answer; readonly usage: Usage; readonly finishReason: 'stop' }

/** Reads answers the package rejects: the usage of a cut one, the only JSON value of a complete one (G166). Rethrows the rest. */
function readAgain(error: unknown): { readonly cut: Usage } | Read {
  if (!NoObjectGeneratedError.isInstance(error)) throw error
  const usage = error.usage ?? noUsage
  if (error.finishReason === 'length') return { cut: usage }
  const read = answerSchema.safeParse(onlyJsonIn(error.text ?? ''))
  if (!read.success) throw error
  return { output: read.data, usage, finishReason: 'stop' }
}
