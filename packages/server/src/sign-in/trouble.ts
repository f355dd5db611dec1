/** Database trouble inside the sign-in library, which swallows errors: they are remembered here. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { databaseTrouble } from '../platform/db/trouble.ts'

const under = new AsyncLocalStorage<{ error: unknown }>()

/** Remembers an error that the library logs, when it is database trouble. */
export function remember(error: unknown): void {
  const store = under.getStore()
  if (store && databaseTrouble(error) !== null) store.error = error
}

/**
 * Runs work of the library; throws the remembered trouble when `failed` says that the answer is a failure, so that callers try
 * again.
 */
export async function tellingTrouble<T>(work: () => Promise<T>, failed: (answer: T) => boolean): Promise<T> {
  const store: { error: unknown } = { error: undefined }
  const answer = await under.run(store, work).catch((error: unknown) => {
    throw store.error ?? error
  })
  if (store.error !== undefined && failed(answer)) throw store.error
  return answer
}
