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
import { toast } from '../ui/toast.tsx'
import { api } from './api.ts'
import { asksToSpend } from './error.ts'
import { currentTeam } from './team.ts'
import type { OperationId, SessionInput, SessionOperationId, SessionResult, Topic, V1Input, V1Result } from './types.ts'

/** How a read of `R` behaves; `topic` says which live updates refresh it. */
export type ReadSettings<R> = {
  readonly topic: Topic
  readonly enabled?: boolean
  /** Milliseconds between looks, or what says so of the answer there is. */
  readonly refetchInterval?:
    | number
    | false
    | ((query: { readonly state: { readonly data: R | undefined; readonly error: unknown } }) => number | false)
  readonly staleTime?: number
  /** Keeps showing the answer before while another input loads. */
  readonly keepPrevious?: boolean
}

/** How a write behaves; a failure is shown as a toast unless `quiet`. */
export type WriteSettings<R> = {
  readonly refreshes?: readonly Topic[]
  readonly done?: string | ((result: R) => string)
  readonly quiet?: boolean
  readonly onSuccess?: (result: R) => unknown
}

/** The key of everything the team's pages have asked about a topic: `[teamId, topic, …]`. */
export const keyOf = (topic: Topic, ...rest: readonly unknown[]): readonly unknown[] => [currentTeam(), topic, ...rest]

const reading = <R>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<R>,
  { topic, keepPrevious, ...rest }: ReadSettings<R>,
): UseQueryOptions<R> => ({
  queryKey: keyOf(topic, ...key),
  queryFn: ({ signal }) => ask(signal),
  ...rest,
  ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
})

export function useV1Query<Id extends OperationId>(
  id: Id,
  input: V1Input<Id>,
  settings: ReadSettings<V1Result<Id>>,
): UseQueryResult<V1Result<Id>> {
  return useQuery(reading([id, input], (signal) => api.v1(id, input, { signal }), settings))
}

/** Reads by a session-only operation. */
export function useSessionQuery<Id extends SessionOperationId>(
  id: Id,
  input: SessionInput<Id>,
  settings: ReadSettings<SessionResult<Id>>,
): UseQueryResult<SessionResult<Id>> {
  return useQuery(reading([id, input], (signal) => api.session(id, input, { signal }), settings))
}

type CursorPage = { readonly nextCursor: string | null }
type CursorId = {
  [Id in SessionOperationId]: SessionResult<Id> extends CursorPage ? Id : never
}[SessionOperationId]

/** Reads a session-only list page after page, the next one where the last one ended. */
export function useSessionPages<Id extends CursorId>(id: Id, input: SessionInput<Id>, topic: Topic) {
  return useInfiniteQuery({
    queryKey: keyOf(topic, id, input),
    queryFn: ({ pageParam, signal }) =>
      api.session(id, pageParam === null ? input : ({ ...(input as object), cursor: pageParam } as SessionInput<Id>), {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as CursorPage).nextCursor,
  })
}

function useWrite<I, R>(
  run: (input: I) => Promise<R>,
  { refreshes = [], done, quiet = false, onSuccess }: WriteSettings<R>,
): UseMutationResult<R, Error, I> {
  const client = useQueryClient()
  return useMutation<R, Error, I>({
    mutationFn: run,
    onSuccess: async (result) => {
      if (done !== undefined) toast.good(typeof done === 'string' ? done : done(result))
      for (const topic of refreshes) void client.invalidateQueries({ queryKey: keyOf(topic) })
      await onSuccess?.(result)
    },
    onError: (error) => {
      if (!quiet && !asksToSpend(error)) toast.bad(error.message)
    },
  })
}

export function useV1Mutation<Id extends OperationId>(
  id: Id,
  settings: WriteSettings<V1Result<Id>> = {},
): UseMutationResult<V1Result<Id>, Error, V1Input<Id>> {
  return useWrite((input: V1Input<Id>) => api.v1(id, input), settings)
}

/** Writes by a session-only operation. */
export function useSessionMutation<Id extends SessionOperationId>(
  id: Id,
  settings: WriteSettings<SessionResult<Id>> = {},
): UseMutationResult<SessionResult<Id>, Error, SessionInput<Id>> {
  return useWrite((input: SessionInput<Id>) => api.session(id, input), settings)
}
