/** Pages that are fetched when first shown, or earlier in the background. */
import { use, type ComponentType, type ReactNode } from 'react'
import { readiness } from '../api/send.ts'

type PageModule = { readonly Page: ComponentType }

/** A page could not be fetched; the frame around it stays. `retry` fetches it once the service answers, and never rejects. */
export class PageNotFetched extends Error {
  override readonly name = 'PageNotFetched'
  readonly retry: () => Promise<void>
  constructor(retry: () => Promise<void>, cause: unknown) {
    super('This page could not be loaded. It is retried automatically; everything else you have open stays as it is.', {
      cause,
    })
    this.retry = retry
  }
}

const reloadPauseMs = 30_000

function reloadOnce(): void {
  const key = 'les.reloaded-for-a-page'
  if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < reloadPauseMs) return
  sessionStorage.setItem(key, String(Date.now()))
  location.reload()
}

const loaders: (() => Promise<unknown>)[] = []

/**
 * A page for a route. The router's own `lazyRouteComponent` reloads the document when a fetch fails, which loses the frame during
 * an outage; here the error is thrown where the page would be.
 */
export function lazyPage(load: () => Promise<PageModule>): (() => ReactNode) & { preload: () => Promise<void> } {
  loaders.push(load)
  let Page: ComponentType | undefined
  let failure: PageNotFetched | undefined
  let fetching: Promise<void> | undefined
  const preload = (): Promise<void> => {
    if (Page) return Promise.resolve()
    failure = undefined
    fetching ??= load()
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
  /** Reloads if fetching fails again: some browsers remember a failed import, and after a release the old part is gone. */
  const retry = async (): Promise<void> => {
    if (!(await readiness())) return
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

/** Fetches all pages in sequence, so that they open while the service is down; stops at the first failure. */
export async function fetchPages(): Promise<void> {
  for (const load of loaders) await load()
}

export const savesData = (): boolean =>
  (navigator as { connection?: { readonly saveData?: boolean } }).connection?.saveData === true
