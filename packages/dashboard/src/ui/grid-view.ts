import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useWindows, type FetchWindow, type Windowed } from './windows.ts'

/** As high as the row of headers. */
export const headerHeight = 36

type Scroller = RefObject<HTMLDivElement | null>
type Rows = Virtualizer<HTMLDivElement, Element>

/** The rows of a long list that are in view. */
export type GridView<T> = {
  readonly list: Windowed<T>
  readonly virtual: Rows
  readonly items: ReturnType<Rows['getVirtualItems']>
  /** The first row that is drawn. */
  readonly first: number
}

/** Loads the windows of a list that are in view, and says which rows to draw. */
export function useGridView<T>(
  scroller: Scroller,
  {
    queryKey,
    fetchWindow,
    windowSize,
    rowHeight,
  }: {
    readonly queryKey: readonly unknown[]
    readonly fetchWindow: FetchWindow<T>
    readonly windowSize: number
    readonly rowHeight: number
  },
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

/** The row that is in the order of Tab, and what moves the focus to another, wherever that lies. */
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
