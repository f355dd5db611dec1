/** Lets at most `limit` calls of an account run, keeps `queue` more waiting, and refuses the rest. */
export type Admission = {
  enter(account: string, limit: number, queue: number): Promise<boolean>
  leave(account: string): void
}

/** Makes an admission with nobody inside. */
export function createAdmission(): Admission {
  const accounts = new Map<string, { inside: number; queued: Array<() => void> }>()
  const of = (account: string): { inside: number; queued: Array<() => void> } => {
    const state = accounts.get(account) ?? { inside: 0, queued: [] }
    accounts.set(account, state)
    return state
  }
  return {
    async enter(account, limit, queue) {
      const state = of(account)
      if (state.inside < limit) {
        state.inside += 1
        return true
      }
      if (state.queued.length >= queue) return false
      const { promise, resolve } = Promise.withResolvers<void>()
      state.queued.push(resolve)
      await promise
      return true
    },
    leave(account) {
      const state = of(account)
      const next = state.queued.shift()
      if (next) next()
      else state.inside -= 1
    },
  }
}
