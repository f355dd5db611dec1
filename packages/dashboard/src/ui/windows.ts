/** Lists of any length that load only the windows in view, and the selection of their rows. */
import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState, type RefObject } from 'react'

export type ListWindow<T> = {
  readonly rows: readonly T[]
  readonly total: number
  readonly hasMore: boolean
  readonly totalExact?: boolean | undefined
}

export type FetchWindow<T> = (offset: number, limit: number, signal: AbortSignal) => Promise<ListWindow<T>>

export type LongList<T> = {
  /** The list's key with its filters: `keyOf(topic, id, filters)`. */
  readonly queryKey: readonly unknown[]
  readonly fetchWindow: FetchWindow<T>
}

export type KnownRows<T> = {
  readonly rowAt: (index: number) => T | undefined
  readonly count: number
  readonly atLeast: boolean
  readonly isPending: boolean
  readonly error: unknown
  readonly retry: () => void
  readonly loaded: readonly T[]
}

const size = 100

export function windowsOver(first: number, last: number): readonly number[] {
  const from = Math.floor(Math.max(0, first) / size)
  const to = Math.floor(Math.max(0, last) / size)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

const keyOf = (queryKey: readonly unknown[], window: number) => [...queryKey, 'window', window]

/** The cached first window of a list; fetches nothing. */
export const useFirstWindow = <T>(queryKey: readonly unknown[]): ListWindow<T> | undefined =>
  useQuery<ListWindow<T>>({ queryKey: keyOf(queryKey, 0), enabled: false }).data

/** Loads the first window, and those with rows `first` to `last`; others stay cached for a while. Without a list, nothing. */
export function useWindows<T>(
  list: LongList<T> | undefined,
  { first, last }: { first: number; last: number },
): KnownRows<T> {
  const wanted = list === undefined ? [] : [...new Set([0, ...windowsOver(first, last)])]
  const answers = useQueries({
    queries: wanted.map((window) => ({
      queryKey: keyOf(list!.queryKey, window),
      queryFn: ({ signal }: { signal: AbortSignal }) => list!.fetchWindow(window * size, size, signal),
      staleTime: 30_000,
      ...(window === 0 ? { placeholderData: keepPreviousData } : {}),
    })),
  }) as UseQueryResult<ListWindow<T>>[]
  const known = new Map(
    wanted.flatMap((window, at): [number, ListWindow<T>][] => {
      const page = answers[at]?.data
      return page === undefined ? [] : [[window, page]]
    }),
  )
  const ends = [...known].map(([window, { total, rows, hasMore }]) =>
    Math.max(total, window * size + rows.length + (hasMore ? 1 : 0)),
  )
  const failed = answers.find(({ error }) => error !== null)
  return {
    rowAt: (index) => known.get(Math.floor(index / size))?.rows[index % size],
    count: Math.max(0, ...ends),
    atLeast: [...known.values()].some(({ totalExact }) => totalExact === false),
    isPending: known.size === 0 && failed === undefined,
    error: failed?.error ?? null,
    retry: () => {
      for (const answer of answers) if (answer.error !== null) void answer.refetch()
    },
    loaded: [...known.values()].flatMap(({ rows }) => rows),
  }
}

/** True while a media query matches, such as `(min-width: 640px)`. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const change = () => setMatches(list.matches)
    change()
    list.addEventListener('change', change)
    return () => list.removeEventListener('change', change)
  }, [query])
  return matches
}

export type Selection = {
  readonly selected: ReadonlySet<string>
  readonly onSelected: (selected: ReadonlySet<string>) => void
}

/** The selection of rows: one by one, a range from the last one, or all loaded. */
export type Chosen<T> = {
  readonly number: number
  readonly loaded: number
  readonly has: (id: string) => boolean
  readonly toggle: (row: T, index: number, range: boolean) => void
  readonly chooseTo: (from: number, to: number) => void
  readonly chooseLoaded: (all: boolean) => void
  /** Whether Shift was held at the last press. */
  readonly shifted: RefObject<boolean>
}

/** The selection of a list that offers it; else null. */
export function useChosen<T>(
  selection: Selection | undefined,
  { loaded, rowAt }: Pick<KnownRows<T>, 'loaded' | 'rowAt'>,
  rowId: (row: T) => string,
): Chosen<T> | null {
  const shifted = useRef(false)
  const anchor = useRef<number | null>(null)
  if (selection === undefined) return null
  const { selected, onSelected } = selection
  const ids = loaded.map(rowId)
  const chooseTo = (start: number, index: number) => {
    anchor.current ??= start
    const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)]
    const between = Array.from({ length: to - from + 1 }, (_, nth) => rowAt(from + nth)).flatMap((row) =>
      row === undefined ? [] : rowId(row),
    )
    onSelected(new Set([...selected, ...between]))
  }
  return {
    number: ids.filter((id) => selected.has(id)).length,
    loaded: ids.length,
    has: (id) => selected.has(id),
    toggle: (row, index, range) => {
      if (range && anchor.current !== null) return chooseTo(anchor.current, index)
      anchor.current = index
      const next = new Set(selected)
      if (!next.delete(rowId(row))) next.add(rowId(row))
      onSelected(next)
    },
    chooseTo,
    chooseLoaded: (all) =>
      onSelected(all ? new Set([...selected, ...ids]) : new Set([...selected].filter((id) => !ids.includes(id)))),
    shifted,
  }
}
