import { CircleAlert, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '../api/error.ts'
import { Button } from './button.tsx'
import { Skeleton } from './show.tsx'

/** Nothing here yet: says why, and what to do next. */
export function EmptyState({
  title,
  text,
  action,
  icon,
}: {
  readonly title: string
  readonly text?: ReactNode
  readonly action?: ReactNode
  readonly icon?: ReactNode
}): ReactNode {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      {icon && (
        <div className="text-muted" aria-hidden="true">
          {icon}
        </div>
      )}
      <h2 className="text-base font-semibold">{title}</h2>
      {text && <div className="max-w-md text-sm text-muted">{text}</div>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

/** What went wrong in words, with a way out and the id to name when asking for help. */
export function ErrorState({
  error,
  retry,
}: {
  readonly error: unknown
  readonly retry?: (() => void) | undefined
}): ReactNode {
  const isOffline = error instanceof ApiError && error.status === 0
  const message = error instanceof Error ? error.message : String(error)
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <div className="text-danger-text" aria-hidden="true">
        {isOffline ? <WifiOff size={28} /> : <CircleAlert size={28} />}
      </div>
      <h2 className="text-base font-semibold">
        {isOffline ? 'No connection to the service' : 'This could not be loaded'}
      </h2>
      <p className="max-w-md text-sm text-muted">{message}</p>
      {error instanceof ApiError && error.requestId && (
        <p className="font-mono text-xs text-muted">Request {error.requestId}</p>
      )}
      {retry && (
        <Button className="mt-3" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** The part of a TanStack query that `Loaded` looks at. */
export type QueryLike<T> = {
  readonly data: T | undefined
  readonly error: unknown
  readonly isPending: boolean
  readonly refetch: () => unknown
}

/** Shows a query: bars while it loads, the error with "Try again", else what `children` makes of the data. */
export function Loaded<T>({
  query,
  lines = 4,
  children,
}: {
  readonly query: QueryLike<T>
  readonly lines?: number
  readonly children: (data: T) => ReactNode
}): ReactNode {
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return <Skeleton lines={lines} className="p-4" />
  return <ErrorState error={query.error} retry={() => void query.refetch()} />
}
