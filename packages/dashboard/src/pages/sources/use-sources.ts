import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, keyOf, type SessionResult } from '../../api/index.ts'

/** A source with how it is doing. */
export type SourceHealth = SessionResult<'listSourceHealth'>['sources'][number]

/** The team's sources as far as they are loaded: those that are tracked, or those that were stopped. */
export function useSources(stopped: boolean) {
  const query = useInfiniteQuery({
    queryKey: keyOf('sources', 'listSourceHealth', stopped),
    queryFn: ({ pageParam, signal }) =>
      api.session(
        'listSourceHealth',
        {
          includeInactive: stopped ? 'true' : 'false',
          limit: '100',
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
  const all = query.data?.pages.flatMap((page) => page.sources) ?? []
  const rows = stopped ? all.filter((source) => source.status === 'inactive') : all
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  // Stopped sources follow the active ones: pages of active ones alone show nothing yet.
  const mustGoOn = stopped && rows.length === 0 && hasNextPage && !isFetchingNextPage && !query.isError
  useEffect(() => {
    if (mustGoOn) void fetchNextPage()
  }, [mustGoOn, fetchNextPage])
  return { query, rows, isPending: query.isPending || mustGoOn || (stopped && rows.length === 0 && isFetchingNextPage) }
}
