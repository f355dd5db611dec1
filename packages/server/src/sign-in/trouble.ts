import { AsyncLocalStorage } from 'node:async_hooks'
import { databaseTrouble } from '../platform/db/trouble.ts'

const under = new AsyncLocalStorage<{ error: unknown }>()

/** Remembers an error that the library logs, when it is database trouble. */
export function remember(error: unknown): void {
  const store = under.getStore()
  if (store && databaseTrouble(error) !== null) store.error = error
}

/** Runs library work, which swallows errors; when its answer has `failed`, throws the database trouble that was remembered. */
export async function rethrowingDatabaseTrouble<T>(work: () => Promise<T>, failed: (answer: T) => boolean): Promise<T> {
  const store: { error: unknown } = { error: undefined }
  const answer = await under.run(store, work).catch((error: unknown) => {
    throw store.error ?? error
  })
  if (store.error !== undefined && failed(answer)) throw store.error
  return answer
}
