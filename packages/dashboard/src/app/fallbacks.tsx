import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { useTitle } from '../ui/page.tsx'
import { Skeleton } from '../ui/show.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'

/** In place of a page that broke: what happened, and two ways out. */
export function Failed({ error, reset }: ErrorComponentProps): ReactNode {
  useTitle('Something went wrong')
  // A new version was installed while this one was open: its parts are gone, and only a reload brings the new ones.
  const isStale = /dynamically imported module|module script/i.test(String(error))
  return (
    <main className="mx-auto max-w-2xl py-10">
      <h1 className="sr-only">Something went wrong</h1>
      <ErrorState
        error={isStale ? new Error('There is a newer version of the dashboard. Reload to get it.') : error}
        retry={() => (isStale ? location.reload() : reset())}
      />
      <p className="text-center">
        <a href="/" className={buttonClass('ghost')}>
          Back to the start
        </a>
      </p>
    </main>
  )
}

/** In place of a page that does not exist. */
export function NotFound(): ReactNode {
  useTitle('Page not found')
  return (
    <main className="mx-auto max-w-2xl py-10">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        title="There is no such page"
        text="The address may be mistyped, or what it showed was deleted."
        action={
          <a href="/" className={buttonClass('primary')}>
            Back to the start
          </a>
        }
      />
    </main>
  )
}

/** While a page is fetched. */
export function Loading(): ReactNode {
  return <Skeleton lines={6} className="mx-auto max-w-7xl px-6 py-8" />
}
