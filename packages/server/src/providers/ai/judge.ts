/**
 * The AI filter's judge (AIF-09): several posts a call; when an answer cannot be read, one call a post.
 *
 * A post whose answer cannot be read even alone is not kept: a stranger's text must not be able to stop a team's run. When that
 * happens to every post of a question, a harmless post of our own tells whether the posts or the model are to blame.
 */
import { generateText } from 'ai'
import type { Ids } from '../../platform/random.ts'
import { askModel, type AiReply, providerOptions, type Talk } from './ask-model.ts'
import { exchangeMs, failure, makeCall, type Asking, type CallOptions } from './call.ts'
import { costOf } from './models-table.ts'
import { type AiJudge, type AiPost, type AiQuestion, type AiVerdict, defaultModels, postsPerCall } from './port.ts'

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

/** Opens the judge over the vendors' own wire formats. */
export function createAiJudge(options: AiJudgeOptions): AiJudge {
  const talk: Talk = {
    call: makeCall(options),
    withoutReasoning: new Set(),
    nonce: () => options.ids.bytes(9).toString('base64url').replaceAll(/[-_]/g, 'x'),
  }
  const begin = (asked: Omit<Asking, 'deadlineMs' | 'model'> & { model: string | null; timeoutMs: number }): Asking => {
    const { vendor, model, key, operation, timeoutMs, signal } = asked
    const deadlineMs = options.system.nowMs() + timeoutMs
    return { vendor, model: model?.trim() || defaultModels[vendor], key, operation, deadlineMs, signal }
  }
  return {
    judge: async (question) => {
      const { posts, vendor, model, key, timeoutMs = questionMs, signal } = question
      if (posts.length < 1 || posts.length > postsPerCall || new Set(posts.map(({ id }) => id)).size !== posts.length)
        throw new RangeError(`a question is about 1 to ${postsPerCall} different posts`)
      return await judge(talk, begin({ vendor, model, key, operation: 'judge', timeoutMs, signal }), question)
    },
    check: (vendor, key, { model = null, signal } = {}) =>
      check(talk, begin({ vendor, model, key, operation: 'check', timeoutMs: exchangeMs, signal })),
  }
}

/** The verdicts of a question, in the order of its posts. */
async function judge(talk: Talk, asking: Asking, { posts, prompt }: AiQuestion): Promise<readonly AiVerdict[]> {
  const ask = (some: readonly AiPost[]) => askModel(talk, asking, { filter: prompt, posts: some })
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

/** Finds out whether a key opens a model. */
async function check(talk: Talk, asking: Asking): Promise<void> {
  // 16 is the least that every vendor takes.
  const reply = await talk.call(asking, async (model) => {
    const { usage } = await generateText({
      model,
      prompt: 'Say ok.',
      maxOutputTokens: 16,
      maxRetries: 0,
      providerOptions,
    })
    return { value: undefined, cost: costOf(asking.vendor, asking.model, usage) }
  })
  if (reply !== undefined && reply !== 'cut') throw failure(asking, { kind: reply, status: null })
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
