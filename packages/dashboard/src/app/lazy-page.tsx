/** Pages that are fetched when they are first shown, or before, while nothing else is to be done. */
import { use, type ComponentType, type ReactNode } from 'react'

type PageModule = { readonly Page: ComponentType }

/**
 * A page could not be fetched; the frame around it stays. `retry` looks whether the service is back, fetches the page
 * then, and never rejects.
 */
export class PageNotFetched extends Error {
  override readonly name = 'PageNotFetched'
  readonly retry: () => Promise<void>
  constructor(retry: () => Promise<void>, cause: unknown) {
    super('This page could not be fetched. It is tried again by itself; what else is open stays as it is.', { cause })
    this.retry = retry
  }
}

/** Waits before the tries after the first, in milliseconds: long enough for a restart that nobody need notice. */
const waitsMs = [300, 1_500] as const

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs a loader, again after each wait while it fails; rejects with the last failure. */
export async function fetchAgain<T>(
  load: () => Promise<T>,
  waits: readonly number[] = waitsMs,
  wait: (ms: number) => Promise<void> = pause,
): Promise<T> {
  for (const ms of waits) {
    try {
      return await load()
    } catch {
      await wait(ms)
    }
  }
  return load()
}

const reloadedKey = 'les.reloaded-for-a-page'
const reloadPauseMs = 30_000

/** Loads the document anew at the address that was wanted, but not again and again. */
function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0)
  if (Date.now() - last < reloadPauseMs) return
  sessionStorage.setItem(reloadedKey, String(Date.now()))
  location.reload()
}

const isServiceBack = (): Promise<boolean> =>
  fetch('/readyz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

const loaders: (() => Promise<unknown>)[] = []

/**
 * A page as a route takes it. A fetch that fails is thrown where the page would be, as `PageNotFetched`, and never
 * reloads the document.
 */
export function lazyPage(load: () => Promise<PageModule>): (() => ReactNode) & { preload: () => Promise<void> } {
  loaders.push(load)
  let Page: ComponentType | undefined
  let failure: PageNotFetched | undefined
  let fetching: Promise<void> | undefined
  const preload = (): Promise<void> => {
    if (Page) return Promise.resolve()
    failure = undefined
    fetching ??= fetchAgain(load)
      .then(
        (module) => {
          Page = module.Page
        },
        (cause: unknown) => {
          failure = new PageNotFetched(retry, cause)
        },
      )
      .finally(() => {
        fetching = undefined
      })
    return fetching
  }
  /** Browsers may remember that a part could not be fetched until the document is loaded anew, and after an update the part is gone. */
  const retry = async (): Promise<void> => {
    if (!(await isServiceBack())) return
    await preload()
    if (failure) reloadOnce()
  }
  function LazyPage() {
    if (Page) return <Page />
    if (failure) throw failure
    use(preload())
    return null
  }
  return Object.assign(LazyPage, { preload })
}

/** Fetches all pages one after the other, so that a page is there when the service is not; stops at the first that fails. */
export async function fetchPages(): Promise<void> {
  for (const load of loaders) await load()
}

/** True for those who asked their browser to save data: nothing is fetched for them that they did not ask for. */
export const savesData = (): boolean =>
  (navigator as { connection?: { readonly saveData?: boolean } }).connection?.saveData === true
