import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { focusRow, movesRows, moveWithin, rowFor, rowOf } from './grid-keys.ts'

export type Column<T> = {
  readonly id: string
  readonly header: string
  /** What is shown; strings are escaped by React. */
  readonly cell: (row: T) => ReactNode
  /** CSS width: for `VirtualTable` a grid track such as `minmax(160px, 2fr)` or `120px`. */
  readonly width?: string
  readonly align?: 'end'
  /** Makes a `DataTable` column sortable in the browser. */
  readonly sortBy?: (row: T) => string | number | null
  /** Makes a `VirtualTable` column sortable by the service, under this name. */
  readonly sortKey?: string
  /** A column of `VirtualTable` that stays in view, so many pixels wide; such columns come first. */
  readonly pinned?: number
  /** Keeps the header for screen readers only, as for a column of buttons. */
  readonly hideHeader?: boolean
  /** Left out on a phone; in a `DataTable`, whose rows are stacked there, nothing is. */
  readonly wide?: boolean
  /**
   * Where it stands in a row of a `DataTable` that is stacked on a phone: over the whole width, or half of it with its
   * header above; in the corner, as for a menu.
   */
  readonly phone?: 'whole' | 'half' | 'corner'
}

/** True while the screen is as the media query says, such as `(min-width: 640px)`. */
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
function useWindows<T>(
  queryKey: readonly unknown[],
  fetchWindow: FetchWindow<T>,
  { size, first, last }: { size: number; first: number; last: number },
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

export type Selection = {
  readonly selected: ReadonlySet<string>
  readonly onSelected: (selected: ReadonlySet<string>) => void
}

/** Choosing rows: one by one, a range from the row chosen last, or all that are loaded. */
export type Chosen<T> = {
  readonly number: number
  readonly loaded: number
  readonly has: (id: string) => boolean
  readonly toggle: (row: T, index: number, range: boolean) => void
  readonly chooseTo: (from: number, to: number) => void
  readonly chooseLoaded: (all: boolean) => void
  readonly shifted: RefObject<boolean>
}

/** The choosing of rows in a grid that offers it; null in others. */
export function useChosen<T>(
  selection: Selection | undefined,
  { loaded, rowAt }: { loaded: readonly T[]; rowAt: (index: number) => T | undefined },
  rowId: (row: T) => string,
): Chosen<T> | null {
  const shifted = useRef(false)
  /** Where a range begins: the row chosen last. */
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

export const headerHeight = 36

type Scroller = RefObject<HTMLDivElement | null>
type Rows = Virtualizer<HTMLDivElement, Element>

export type GridView<T> = {
  readonly list: Windowed<T>
  readonly virtual: Rows
  readonly items: ReturnType<Rows['getVirtualItems']>
  readonly first: number
}

export function useGridView<T>(
  scroller: Scroller,
  {
    queryKey,
    fetchWindow,
    windowSize,
    rowHeight,
  }: { queryKey: readonly unknown[]; fetchWindow: FetchWindow<T>; windowSize: number; rowHeight: number },
): GridView<T> {
  const [view, setView] = useState({ first: 0, last: 0 })
  const list = useWindows(queryKey, fetchWindow, { size: windowSize, ...view })
  const virtual: Rows = useVirtualizer({
    count: list.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    paddingStart: headerHeight,
    scrollPaddingStart: headerHeight + 4,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(
    () => setView((before) => (before.first === first && before.last === last ? before : { first, last })),
    [first, last],
  )
  return { list, virtual, items, first }
}

export function useCurrentRow(
  scroller: Scroller,
  { list, virtual }: Pick<GridView<unknown>, 'list' | 'virtual'>,
): { readonly current: number; readonly setActive: (index: number) => void; readonly move: (to: number) => void } {
  const [active, setActive] = useState(0)
  const wantsFocus = useRef(false)
  const current = Math.min(active, Math.max(0, list.count - 1))
  useEffect(() => {
    if (!wantsFocus.current) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)
    if (!row) return
    wantsFocus.current = false
    row.focus({ preventScroll: true })
  })
  const move = (to: number) => {
    wantsFocus.current = true
    setActive(to)
    virtual.scrollToIndex(to)
    // Where the row is drawn already and nothing else changes, nothing is drawn anew that would give it the focus.
    scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus({ preventScroll: true })
  }
  return { current, setActive, move }
}

/** What a key pressed in the grid works on: its rows, the one with the focus, and what moving, choosing and opening do. */
type Keyed<T> = {
  readonly grid: HTMLElement
  readonly list: Pick<Windowed<T>, 'rowAt' | 'count'>
  readonly current: number
  readonly rowHeight: number
  readonly move: (to: number) => void
  readonly chosen: Chosen<T> | null
  readonly open: ((row: T) => void) | undefined
}

/** Moves through the rows of a grid, chooses and opens them; other keys go on to whoever hears them next. */
export function onGridKey<T>(
  event: KeyboardEvent,
  { grid, list, current, rowHeight, move, chosen, open }: Keyed<T>,
): void {
  const target = event.target as HTMLElement
  if (!grid.contains(target)) return
  if (event.key === 'a' && (event.ctrlKey || event.metaKey) && chosen && target.matches('[role="row"]')) {
    chosen.chooseLoaded(true)
    event.preventDefault()
    return
  }
  if (moveWithin(event) || event.ctrlKey || event.metaKey || event.altKey || !movesRows(target)) return
  const onRow = target.matches('[role="row"]')
  const onHeader = rowOf(target)?.matches('[aria-rowindex="1"]') === true
  const page = Math.max(1, Math.floor(grid.clientHeight / rowHeight) - 1)
  const to =
    onRow || event.key.startsWith('Arrow') ? rowFor(event.key, current, { last: list.count - 1, page }) : undefined
  const row = list.rowAt(current)
  if (onHeader) {
    if (event.key !== 'ArrowDown') return
    move(0)
  } else if (event.key === 'ArrowUp' && current === 0) {
    if (!focusRow(grid.querySelector<HTMLElement>('[aria-rowindex="1"]') ?? undefined)) return
  } else if (to !== undefined) {
    if (event.shiftKey && event.key.startsWith('Arrow')) chosen?.chooseTo(current, to)
    move(to)
  } else if (!onRow || row === undefined) return
  else if ((event.key === 'Enter' || event.key === 'o') && open) open(row)
  else if ((event.key === ' ' || event.key === 'x') && chosen) chosen.toggle(row, current, event.shiftKey)
  else return
  event.preventDefault()
}
