import { buttonClass } from '../ui/button.tsx'
import { PrimaryLink } from '../ui/link.tsx'
import { useTitle } from '../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/show.tsx'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PageNotFetched } from './lazy-page.tsx'

const retryEveryMs = 3_000

/** Retries a page that could not be fetched until it loads. */
function useRetries(error: unknown, reset: () => void): void {
  useEffect(() => {
    if (!(error instanceof PageNotFetched)) return
    let over = false
    const timer = setInterval(() => {
      void error.retry().then(() => {
        if (!over) reset()
      })
    }, retryEveryMs)
    return () => {
      over = true
      clearInterval(timer)
    }
  }, [error, reset])
}

/** Replaces a page that broke or could not be fetched: what happened, and two ways out. */
export function Failed({ error, reset }: ErrorComponentProps) {
  useTitle('Something went wrong')
  useRetries(error, reset)
  const notFetched = error instanceof PageNotFetched
  return (
    <div className="mx-auto max-w-2xl py-10">
      <h1 className="sr-only">Something went wrong</h1>
      <ErrorState error={error} retry={() => (notFetched ? void error.retry().then(reset) : reset())} />
      <p className="flex justify-center gap-2">
        {/* After a release the old parts are gone, and only a reload fetches the new ones. */}
        {notFetched && (
          <button type="button" className={buttonClass('ghost')} onClick={() => location.reload()}>
            Reload everything
          </button>
        )}
        <a href="/" className={buttonClass('ghost')}>
          Back to the start
        </a>
      </p>
    </div>
  )
}

export function NotFound() {
  useTitle('Page not found')
  return (
    <div className="mx-auto max-w-2xl py-10">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        title="There is no such page"
        text="The address may be mistyped, or what it showed was deleted."
        action={<PrimaryLink to="/home">Back to the start</PrimaryLink>}
      />
    </div>
  )
}

export function Loading() {
  return <Skeleton lines={6} className="mx-auto max-w-7xl px-6 py-8" />
}
