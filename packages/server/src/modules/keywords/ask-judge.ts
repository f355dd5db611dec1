/** Asking the AI filter about more posts than one question holds. Network: never inside a unit of work. */
import { postsPerCall, type AiJudge, type AiPost, type AiQuestion, type AiVerdict } from '../../providers/ai/port.ts'

/** Questions under way at once: a vendor counts them against the team. */
const atOnce = 4
const questionMs = 30_000

/** The verdict on each post by its id; the first failure ends it and is thrown. */
export async function judgeAll(
  judge: Pick<AiJudge, 'judge'>,
  about: Pick<AiQuestion, 'vendor' | 'model' | 'key' | 'prompt'>,
  posts: readonly AiPost[],
): Promise<Map<string, AiVerdict>> {
  const questions = Array.from({ length: Math.ceil(posts.length / postsPerCall) }, (_, index) =>
    posts.slice(index * postsPerCall, (index + 1) * postsPerCall),
  )
  const verdicts = new Map<string, AiVerdict>()
  const cancelling = new AbortController()
  let next = 0
  const worker = async (): Promise<void> => {
    for (let asked = questions[next++]; asked !== undefined; asked = questions[next++]) {
      for (const verdict of await judge.judge({
        ...about,
        posts: asked,
        timeoutMs: questionMs,
        signal: cancelling.signal,
      }))
        verdicts.set(verdict.id, verdict)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, questions.length) }, worker))
  } catch (error) {
    next = questions.length
    cancelling.abort()
    throw error
  }
  return verdicts
}
