import type { ReactNode } from 'react'
import { Card, ErrorState, Pagination, Skeleton, type PaginationProps, type QueryLike } from '../../ui/index.ts'

/** In place of a list that is being read, or could not be. */
export function NotRead({ query, lines }: { readonly query: QueryLike<unknown>; readonly lines: number }): ReactNode {
  return (
    <Card>
      {query.isPending ? (
        <Skeleton lines={lines} />
      ) : (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      )}
    </Card>
  )
}

/** Below a list, where it is longer than a page. */
export function Pages(props: PaginationProps & { readonly total: number }): ReactNode {
  if (props.total <= props.limit) return null
  return (
    <div className="border-t border-line px-4">
      <Pagination {...props} />
    </div>
  )
}
