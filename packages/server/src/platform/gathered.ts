import { AsyncLocalStorage } from 'node:async_hooks'

const MOST = 100

type Waiting<Q, A> = { readonly question: Q; readonly answered: PromiseWithResolvers<A> }

/**
 * Batches concurrent questions into calls of `ask`: a round trip costs the same for one question as for fifty. One call runs at a
 * time and begins after its questions were put, so no answer is older than its question. `ask` runs in the async context in which
 * `gathered` was called, not in a caller's. It answers in the order of the questions; its failure rejects only them.
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
    // As a microtask, so that questions of the same tick share the first call.
    if (!asking) queueMicrotask(() => void forNobody(go))
    asking = true
    return answered.promise
  }
}
