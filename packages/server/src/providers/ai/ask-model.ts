/** One question about some posts to a model: asked again with more room when an answer was cut, and without a word about thinking. */
import { generateText, NoObjectGeneratedError, Output } from 'ai'
import type { Asking, makeCall } from './call.ts'
import { onlyJsonIn } from './json-in-text.ts'
import { costOf, modelOf } from './models-table.ts'
import type { AiPost } from './port.ts'
import { layOut } from './prompt.ts'
import { type Answer, answerSchema, readAnswer } from './verdicts.ts'

/** What questions are asked with. */
export type Talk = {
  readonly call: ReturnType<typeof makeCall>
  /** Models that refused the setting that turns reasoning off: it is left out for them. */
  readonly withoutReasoning: Set<string>
  readonly nonce: () => string
}

// Strangers' posts are nothing to keep at a vendor.
export const providerOptions = { openai: { store: false } }

// The packages print advice to the console otherwise.
;(globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false

type Verdicts = readonly { readonly keep: boolean; readonly reason: string }[]
/** Room for a model that thinks before it answers, and for one whose thoughts filled that. */
const roomFor = (posts: number): number => 2_000 + 300 * posts
const moreRoom = 4

/** Verdicts, or how the answer could not be used; everything worse is thrown. */
export type AiReply = Verdicts | 'unreadable' | 'refused'

/** Puts a question about some posts; throws `AiFailure` for everything but an answer or a refusal of these posts. */
export async function askModel(
  { call, withoutReasoning, nonce }: Talk,
  asking: Asking,
  { filter, posts }: { readonly filter: string; readonly posts: readonly AiPost[] },
): Promise<AiReply> {
  const { instructions, prompt, ids } = layOut(filter, posts, nonce)
  const named = `${asking.vendor} ${asking.model}`
  const within = (maxOutputTokens: number) => {
    const reasoning = withoutReasoning.has(named) ? null : (modelOf(asking.vendor, asking.model)?.reasoning ?? null)
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
      }).catch(readAgain)
      if ('cut' in result) return { value: 'cut', cost: costOf(asking.vendor, asking.model, result.cut) }
      const cost = costOf(asking.vendor, asking.model, result.usage)
      return { value: result.finishReason === 'length' ? 'cut' : result.output, cost }
    })
  }
  const room = roomFor(posts.length)
  let first = await within(room)
  // The table was wrong about this model: it is asked as it is from now on.
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

/**
 * What the package throws as unreadable: of a half answer what it has used, and of a whole one the JSON in it, if it is the only one
 * (G166). Everything else is thrown on.
 */
function readAgain(error: unknown): { readonly cut: Usage } | Read {
  if (!NoObjectGeneratedError.isInstance(error)) throw error
  const usage = error.usage ?? noUsage
  if (error.finishReason === 'length') return { cut: usage }
  const read = answerSchema.safeParse(onlyJsonIn(error.text ?? ''))
  if (!read.success) throw error
  return { output: read.data, usage, finishReason: 'stop' }
}
