import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { api, keyOf, type SessionResult } from '../../api/index.ts'
import { compact } from '../../app/search.ts'
import type { Search } from './search.ts'

/** A line of the log. */
export type Delivery = SessionResult<'listDeliveries'>['deliveries'][number]

/** The log of deliveries as far as it is loaded, newest first. */
export function useDeliveries({ state, event, ownerId, leadId }: Search) {
  const filters = compact({ state, event, ownerId, leadId })
  const query = useInfiniteQuery({
    queryKey: keyOf('deliveries', 'listDeliveries', filters),
    queryFn: ({ pageParam, signal }) =>
      api.session(
        'listDeliveries',
        { ...filters, limit: '50', ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
  return { query, rows: query.data?.pages.flatMap((page) => page.deliveries) ?? [] }
}

/** Asks anew for everything about deliveries. */
export function useRefreshDeliveries(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: keyOf('deliveries') })
}
