/** Trouble of the database while the sign-in library works: it swallows what went wrong, so the error is remembered here. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { databaseTrouble } from '../platform/db/trouble.ts'

const under = new AsyncLocalStorage<{ error: unknown }>()

/** Remembers an error that the library logs, when it is trouble of the database. */
export function remember(error: unknown): void {
  const store = under.getStore()
  if (store && databaseTrouble(error) !== null) store.error = error
}

/**
 * Runs a piece of the library's work; throws the trouble it met when the work failed for it (`failed` judges its
 * answer), so that callers are asked to come back.
 */
export async function tellingTrouble<T>(work: () => Promise<T>, failed: (answer: T) => boolean): Promise<T> {
  const store: { error: unknown } = { error: undefined }
  const answer = await under.run(store, work).catch((error: unknown) => {
    throw store.error ?? error
  })
  if (store.error !== undefined && failed(answer)) throw store.error
  return answer
}
