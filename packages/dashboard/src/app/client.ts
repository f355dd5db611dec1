import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/error.ts'
import { meQuery } from '../api/me.ts'

const triesAgain = (failures: number, error: Error): boolean =>
  failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500)

/** The query cache; any answer may reveal that the session ended elsewhere. */
export const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => noticeEnd(error) }),
  mutationCache: new MutationCache({ onError: (error) => noticeEnd(error) }),
  defaultOptions: {
    queries: { staleTime: 15_000, gcTime: 300_000, retry: triesAgain, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

function noticeEnd(error: Error): void {
  if (error instanceof ApiError && error.code === 'session_required') client.setQueryData(meQuery.queryKey, null)
}
