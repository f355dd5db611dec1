import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { compact } from '../app/search.ts'
import { toast } from '../ui/toast.tsx'
import { ask } from './api.ts'
import { asksToSpend } from './error.ts'
import { currentTeam } from './team.ts'
import { changedBy, topicOf, type ReadId, type Topic, type WriteId } from './topics.ts'
import type { InputOf, ResultOf } from './types.ts'

type ReadSettings<R> = Pick<UseQueryOptions<R>, 'enabled' | 'refetchInterval' | 'staleTime' | 'gcTime' | 'retry'> & {
  /** The topic whose updates refresh it, if not the operation's own. */
  readonly topic?: Topic
  /** Shows the previous answer while another input loads. */
  readonly keepPrevious?: boolean
}

/** A failed write shows a toast unless `quiet`. */
type WriteSettings<R> = {
  readonly done?: string | ((result: R) => string) | undefined
  readonly quiet?: boolean
  /** Topics it changes beyond those of its operation. */
  readonly also?: readonly Topic[]
  readonly onSuccess?: ((result: R) => unknown) | undefined
  readonly onError?: (error: Error) => unknown
}

/** The query key of a topic: `[teamId, topic, …]`. */
export const keyOf = (topic: Topic, ...rest: readonly unknown[]): readonly unknown[] => [currentTeam(), topic, ...rest]

/** Reads by an operation; live updates of its topic, and writes that change it, refresh it. */
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

type Optional<I> = { readonly [Name in keyof I]?: I[Name] | undefined }

/** Reads a list at a position, and shows the previous rows meanwhile; fields that are undefined are not sent. */
export const useReadAt = <Id extends ReadId>(
  id: Id,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  input: Optional<Omit<InputOf<Id>, 'offset' | 'limit'>>,
): UseQueryResult<ResultOf<Id>> =>
  useRead(id, compact({ ...input, offset, limit }) as InputOf<Id>, { keepPrevious: true })

type CursorPage = { readonly nextCursor: string | null }
type CursorId = { [Id in ReadId]: ResultOf<Id> extends CursorPage ? Id : never }[ReadId]

/** Reads a list page by page, with cursors. */
export function useReadPages<Id extends CursorId>(id: Id, input: InputOf<Id>) {
  return useInfiniteQuery({
    queryKey: keyOf(topicOf[id], id, input),
    queryFn: ({ pageParam, signal }) =>
      ask(id, pageParam === null ? input : ({ ...(input as object), cursor: pageParam } as InputOf<Id>), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as CursorPage).nextCursor,
  })
}

export function useRefresh(): (topics: readonly Topic[]) => void {
  const client = useQueryClient()
  return (topics) => {
    for (const topic of topics) void client.invalidateQueries({ queryKey: keyOf(topic) })
  }
}

/** Writes by an operation, then refreshes the topics it changes. */
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
