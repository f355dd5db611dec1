import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'

/** A window of a long list, as a list of the contract answers it. */
export type ListWindow<T> = {
  readonly rows: readonly T[]
  readonly total: number
  readonly hasMore: boolean
  readonly totalExact?: boolean | undefined
}

/** Asks for rows from `offset` on. */
export type FetchWindow<T> = (offset: number, limit: number, signal: AbortSignal) => Promise<ListWindow<T>>

/** What is known of a long list of which only the windows in view are loaded. */
export type Windowed<T> = {
  readonly rowAt: (index: number) => T | undefined
  readonly count: number
  readonly atLeast: boolean
  readonly isPending: boolean
  readonly error: unknown
  readonly retry: () => void
  readonly loaded: readonly T[]
}

/** The windows that rows `first` to `last` lie in. */
export function windowsOver(first: number, last: number, size: number): readonly number[] {
  const from = Math.floor(Math.max(0, first) / size)
  const to = Math.floor(Math.max(0, last) / size)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Rows of a window, unless a list says otherwise. */
export const usualWindow = 100

const keyOf = (queryKey: readonly unknown[], window: number, size: number) => [...queryKey, 'window', window, size]

/** What the first window of a list on the page answered; nothing is asked for it. */
export const useFirstWindow = <T>(queryKey: readonly unknown[]): ListWindow<T> | undefined =>
  useQuery<ListWindow<T>>({ queryKey: keyOf(queryKey, 0, usualWindow), enabled: false }).data

/** Loads the windows of `size` rows that the rows `first` to `last` lie in; others stay cached for a while. */
export function useWindows<T>(
  queryKey: readonly unknown[],
  fetchWindow: FetchWindow<T>,
  { size, first, last }: { readonly size: number; readonly first: number; readonly last: number },
): Windowed<T> {
  const wanted = [...new Set([0, ...windowsOver(first, last, size)])]
  const answers: UseQueryResult<ListWindow<T>>[] = useQueries({
    queries: wanted.map((window) => ({
      queryKey: keyOf(queryKey, window, size),
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchWindow(window * size, size, signal),
      staleTime: 30_000,
      ...(window === 0 ? { placeholderData: keepPreviousData } : {}),
    })),
  }) as UseQueryResult<ListWindow<T>>[]
  const byWindow = new Map(wanted.map((window, index) => [window, answers[index]?.data]))
  const known = [...byWindow].filter((entry): entry is [number, ListWindow<T>] => entry[1] !== undefined)
  const count = known.reduce(
    (most, [window, page]) => Math.max(most, page.total, window * size + page.rows.length + (page.hasMore ? 1 : 0)),
    0,
  )
  const failed = answers.find((answer) => answer.error !== null)
  return {
    rowAt: (index) => byWindow.get(Math.floor(index / size))?.rows[index % size],
    count,
    atLeast: known.some(([, page]) => page.totalExact === false),
    isPending: known.length === 0 && failed === undefined,
    error: failed?.error ?? null,
    retry: () => {
      for (const answer of answers) if (answer.error !== null) void answer.refetch()
    },
    loaded: known.flatMap(([, page]) => page.rows),
  }
}
