/** Asking for many at once: a round trip, and a commit, cost the same for one question as for fifty. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** At most so many questions go with one asking. */
const MOST = 100

type Waiting<Q, A> = { readonly question: Q; readonly answered: PromiseWithResolvers<A> }

/**
 * A function that asks `ask` for all that wait, one call at a time: what is put in the same breath goes at once, and
 * those who come meanwhile share the next. Every asking begins after its questions were put, so an answer is never older than its
 * question.
 *
 * `ask` is for nobody in particular: it sees what surrounded the making of the function, not a caller's log context or work in hand.
 * It answers in the order of the questions; when it fails, it fails for all of that asking and for nobody else.
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
    // What is put in the same breath goes together from the first.
    if (!asking) queueMicrotask(() => void forNobody(go))
    asking = true
    return answered.promise
  }
}
