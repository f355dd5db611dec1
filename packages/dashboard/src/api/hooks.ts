import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { toast } from '../ui/toast.tsx'
import { ask } from './api.ts'
import { asksToSpend } from './error.ts'
import { currentTeam } from './team.ts'
import { changedBy, topicOf, type ReadId, type Topic, type WriteId } from './topics.ts'
import type { InputOf, ResultOf } from './types.ts'

/** How a read of `R` behaves. */
type ReadSettings<R> = {
  /** Whose live updates refresh it, where that is not the topic of the operation. */
  readonly topic?: Topic
  readonly enabled?: boolean
  /** Milliseconds between looks, or what says so of the answer there is. */
  readonly refetchInterval?:
    | number
    | false
    | ((query: { readonly state: { readonly data: R | undefined; readonly error: unknown } }) => number | false)
  readonly staleTime?: number
  readonly gcTime?: number
  readonly retry?: false
  /** Keeps showing the answer before while another input loads. */
  readonly keepPrevious?: boolean
}

/** How a write behaves; a failure is shown as a toast unless `quiet`. */
type WriteSettings<R> = {
  readonly done?: string | ((result: R) => string)
  readonly quiet?: boolean
  /** What it changes beyond what its operation always does. */
  readonly also?: readonly Topic[]
  readonly onSuccess?: (result: R) => unknown
  readonly onError?: (error: Error) => unknown
}

/** The key of everything the team's pages have asked about a topic: `[teamId, topic, …]`. */
export const keyOf = (topic: Topic, ...rest: readonly unknown[]): readonly unknown[] => [currentTeam(), topic, ...rest]

/** Reads by an operation; live updates of its topic, and writes that change it, have it read again. */
export function useRead<Id extends ReadId>(
  id: Id,
  input: InputOf<Id>,
  { topic = topicOf[id], keepPrevious, ...settings }: ReadSettings<ResultOf<Id>> = {},
): UseQueryResult<ResultOf<Id>> {
  return useQuery<ResultOf<Id>>({
    queryKey: keyOf(topic, id, input),
    queryFn: ({ signal }) => ask(id, input, { signal }),
    ...settings,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  })
}

type CursorPage = { readonly nextCursor: string | null }
type CursorId = { [Id in ReadId]: ResultOf<Id> extends CursorPage ? Id : never }[ReadId]

/** Reads a list page after page, the next one where the last one ended. */
export function useReadPages<Id extends CursorId>(id: Id, input: InputOf<Id>) {
  return useInfiniteQuery({
    queryKey: keyOf(topicOf[id], id, input),
    queryFn: ({ pageParam, signal }) =>
      ask(id, pageParam === null ? input : ({ ...(input as object), cursor: pageParam } as InputOf<Id>), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as CursorPage).nextCursor,
  })
}

/** Has what is on screen of some topics read again. */
export function useRefresh(): (topics: readonly Topic[]) => void {
  const client = useQueryClient()
  return (topics) => {
    for (const topic of topics) void client.invalidateQueries({ queryKey: keyOf(topic) })
  }
}

/** Writes by an operation; what it changes is read again. */
export function useWrite<Id extends WriteId>(
  id: Id,
  { done, quiet = false, also = [], onSuccess, onError }: WriteSettings<ResultOf<Id>> = {},
): UseMutationResult<ResultOf<Id>, Error, InputOf<Id>> {
  const refresh = useRefresh()
  return useMutation<ResultOf<Id>, Error, InputOf<Id>>({
    mutationFn: (input) => ask(id, input),
    onSuccess: async (result) => {
      if (done !== undefined) toast.good(typeof done === 'string' ? done : done(result))
      refresh([...changedBy[id], ...also])
      await onSuccess?.(result)
    },
    onError: (error) => {
      if (!quiet && !asksToSpend(error)) toast.bad(error.message)
      onError?.(error)
    },
  })
}
