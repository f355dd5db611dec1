/** Batches concurrent questions: a round trip, and a commit, cost the same for one question as for fifty. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** The default for the most questions in one call. */
const MOST = 100

type Waiting<Q, A> = { readonly question: Q; readonly answered: PromiseWithResolvers<A> }

/**
 * Wraps the batch function `ask` so that callers ask one question each. One `ask` runs at a time: questions put in the same tick
 * go together, later ones share the next call. A call starts after its questions were put, so an answer is never older than its
 * question.
 *
 * `ask` runs in the async context in which the wrapper was made, not in a caller's. It answers in the order of the questions; its
 * failure rejects the questions of that call only.
 */
export function gathered<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
  most = MOST,
): (question: Q) => Promise<A> {
  const waiting: Waiting<Q, A>[] = []
  let asking = false
  const forNobody = AsyncLocalStorage.snapshot()
  const go = async (): Promise<void> => {
    while (waiting.length > 0) {
      const now = waiting.splice(0, most)
      try {
        const answers = await ask(now.map(({ question }) => question))
        for (const [index, { answered }] of now.entries()) answered.resolve(answers[index]!)
      } catch (error) {
        for (const { answered } of now) answered.reject(error)
      }
    }
    asking = false
  }
  return (question) => {
    const answered = Promise.withResolvers<A>()
    waiting.push({ question, answered })
    // A microtask later, so that questions put in the same tick share the first call too.
    if (!asking) queueMicrotask(() => void forNobody(go))
    asking = true
    return answered.promise
  }
}
