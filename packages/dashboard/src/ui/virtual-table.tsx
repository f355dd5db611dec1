// biome-ignore-all lint/a11y/useSemanticElements: rows that lie anywhere cannot be rows of a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: one row at a time takes the focus; cells and headers never do.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid around the rows listens to the keyboard.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react'
import { Checkbox } from './toggle.tsx'
import { cx } from './classes.ts'
import type { Column } from './column.ts'
import { count } from './format.ts'
import { Skeleton } from './show.tsx'
import { EmptyState, ErrorState } from './states.tsx'
import { useWindows, type FetchWindow } from './windows.ts'

/** Which rows are chosen, by id. */
export type Selection = {
  readonly selected: ReadonlySet<string>
  readonly onSelected: (selected: ReadonlySet<string>) => void
}

/** The order of a list that the service sorts; `by` undefined: its own order. */
export type GridSort = {
  readonly by: string | undefined
  readonly direction: 'up' | 'down'
  readonly onSort: (by: string, direction: 'up' | 'down') => void
}

/** Props of `VirtualTable`. */
export type VirtualTableProps<T> = {
  readonly label: string
  readonly columns: readonly Column<T>[]
  /** The key of the list with its filters, from `keyOf(topic, id, filters)`. */
  readonly queryKey: readonly unknown[]
  readonly fetchWindow: FetchWindow<T>
  readonly rowId: (row: T) => string
  /** What a row is called by its checkbox: the person's name. */
  readonly rowLabel: (row: T) => string
  /** Enter, or a click on the row. */
  readonly onOpen?: (row: T) => void
  readonly selection?: Selection
  readonly sort?: GridSort
  /** Hears the ids of the rows that are loaded, in their order. */
  readonly onLoaded?: (ids: readonly string[]) => void
  readonly empty?: ReactNode
  /** The row whose detail is open. */
  readonly openId?: string | undefined
  readonly rowHeight?: number
  /** Rows asked for at once. */
  readonly windowSize?: number
  /** CSS height of the list; what is left of the window unless told otherwise. */
  readonly height?: string
}

/** Where the columns that stay in view stand. */
function pinnedLefts<T>(columns: readonly Column<T>[], from: number): ReadonlyMap<string, CSSProperties> {
  let left = from + 12
  const lefts = new Map<string, CSSProperties>()
  for (const { id, pinned } of columns) {
    if (pinned === undefined) continue
    lefts.set(id, { position: 'sticky', left })
    left += pinned
  }
  return lefts
}

/** As high as the row of headers. */
const headerHeight = 36

const controls = 'a,button,input,label,[role="checkbox"]'

function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia('(min-width: 640px)').matches)
  useEffect(() => {
    const query = matchMedia('(min-width: 640px)')
    const change = () => setWide(query.matches)
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [])
  return wide
}

function HeaderCell<T>({
  column,
  sort,
  style,
}: {
  readonly column: Column<T>
  readonly sort: GridSort | undefined
  readonly style: CSSProperties | undefined
}): ReactNode {
  const isSorted = sort !== undefined && column.sortKey !== undefined && sort.by === column.sortKey
  const label = <span className={column.hideHeader ? 'sr-only' : undefined}>{column.header}</span>
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? (sort.direction === 'up' ? 'ascending' : 'descending') : undefined}
      className={cx(
        'truncate pr-3',
        column.align === 'end' && 'text-end',
        style && 'z-10 h-full content-center bg-surface',
      )}
      style={style}
    >
      {sort !== undefined && column.sortKey !== undefined ? (
        <button
          type="button"
          className="inline-flex items-center gap-1 rounded hover:text-ink"
          onClick={() => sort.onSort(column.sortKey!, isSorted && sort.direction === 'up' ? 'down' : 'up')}
        >
          {label}
          <span aria-hidden="true">{isSorted ? (sort.direction === 'up' ? '↑' : '↓') : ''}</span>
        </button>
      ) : (
        label
      )}
    </div>
  )
}

/**
 * A list of any length: only rows in view are drawn and only their windows loaded. Arrow keys or j and k, Page Up and Down, Home and
 * End move, Enter opens, Space or x chooses; with Shift the rows from the one chosen last are chosen too.
 */
export function VirtualTable<T>(props: VirtualTableProps<T>): ReactNode {
  const {
    label,
    queryKey,
    fetchWindow,
    rowId,
    rowLabel,
    onOpen,
    selection,
    sort,
    onLoaded,
    empty,
    openId,
    rowHeight = 52,
    windowSize = 100,
    height = 'calc(100dvh - 16rem)',
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ first: 0, last: 0 })
  const [active, setActive] = useState(0)
  const wantsFocus = useRef(false)
  const wide = useWide()
  const columns = props.columns.filter((column) => wide || !column.wide)
  const list = useWindows(queryKey, fetchWindow, windowSize, view.first, view.last)
  const virtual = useVirtualizer({
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
  const loadedNames = list.loaded.map(rowId).join(' ')
  useEffect(() => onLoaded?.(loadedNames === '' ? [] : loadedNames.split(' ')), [loadedNames, onLoaded])
  const current = Math.min(active, Math.max(0, list.count - 1))
  const inView = items.some((item) => item.index === current)
  useEffect(() => {
    if (!wantsFocus.current) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)
    if (!row) return
    wantsFocus.current = false
    row.focus({ preventScroll: true })
  })

  const shifted = useRef(false)
  /** Where a range begins: the row chosen last. */
  const anchor = useRef<number | null>(null)
  const chooseTo = (index: number) => {
    if (!selection) return
    const [from, to] = [Math.min(anchor.current ?? index, index), Math.max(anchor.current ?? index, index)]
    const ids = Array.from({ length: to - from + 1 }, (_, nth) => list.rowAt(from + nth)).flatMap((row) =>
      row === undefined ? [] : rowId(row),
    )
    selection.onSelected(new Set([...selection.selected, ...ids]))
  }
  const toggle = (row: T, index: number, range: boolean) => {
    if (!selection) return
    if (range && anchor.current !== null) return chooseTo(index)
    anchor.current = index
    const next = new Set(selection.selected)
    if (!next.delete(rowId(row))) next.add(rowId(row))
    selection.onSelected(next)
  }
  const move = (to: number) => {
    const index = Math.max(0, Math.min(list.count - 1, to))
    wantsFocus.current = true
    setActive(index)
    virtual.scrollToIndex(index)
  }
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (!target.matches('[role="row"]')) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 1)
    const steps: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      j: current + 1,
      k: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: list.count - 1,
    }
    const row = list.rowAt(current)
    const isLetter = event.key.length === 1 && event.key !== ' '
    if (isLetter && (event.ctrlKey || event.metaKey || event.altKey)) return
    if (event.key in steps) {
      const to = Math.max(0, Math.min(list.count - 1, steps[event.key]!))
      if (event.shiftKey && selection && event.key.startsWith('Arrow')) {
        anchor.current ??= current
        chooseTo(to)
      }
      move(to)
    } else if ((event.key === 'Enter' || event.key === 'o') && row !== undefined && onOpen) onOpen(row)
    else if ((event.key === ' ' || event.key === 'x') && row !== undefined && selection)
      toggle(row, current, event.shiftKey)
    else return
    event.preventDefault()
  }

  if (list.isPending) return <Skeleton lines={9} className="p-4" />
  if (list.count === 0)
    return list.error !== null ? (
      <ErrorState error={list.error} retry={list.retry} />
    ) : (
      (empty ?? <EmptyState title="Nothing here yet" />)
    )
  const lefts = pinnedLefts(columns, selection ? 44 : 0)
  // A phone has no room to give: what stretches may be as narrow as it must.
  const widthOf = ({ width = 'minmax(120px, 1fr)' }: Column<T>) =>
    wide ? width : width.replace(/minmax\(\d+px/, 'minmax(0')
  const tracks = [selection && '44px', ...columns.map(widthOf)].filter(Boolean).join(' ')
  const minWidth = wide ? columns.length * 120 : undefined
  const loadedIds = list.loaded.map(rowId)
  const chosen = selection === undefined ? 0 : loadedIds.filter((id) => selection.selected.has(id)).length
  const chooseLoaded = (all: boolean) =>
    selection?.onSelected(
      all
        ? new Set([...selection.selected, ...loadedIds])
        : new Set([...selection.selected].filter((id) => !loadedIds.includes(id))),
    )
  return (
    <div className="flex flex-col">
      {list.error !== null && <ErrorState error={list.error} retry={list.retry} />}
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={list.atLeast ? -1 : list.count + 1}
        aria-multiselectable={selection ? true : undefined}
        onKeyDown={onKey}
        className="relative min-h-64 overflow-auto rounded-xl border border-line bg-surface"
        style={{ height }}
      >
        <div role="rowgroup" className="sticky top-0 z-10 h-9 border-b border-line bg-surface" style={{ minWidth }}>
          <div
            role="row"
            aria-rowindex={1}
            className="grid h-9 items-center px-3 text-[0.8125rem] font-medium text-muted"
            style={{ gridTemplateColumns: tracks }}
          >
            {selection && (
              <div role="columnheader" aria-label="Choose">
                <Checkbox
                  label="Choose all loaded rows"
                  hideLabel
                  checked={chosen > 0 && chosen === loadedIds.length}
                  indeterminate={chosen > 0 && chosen < loadedIds.length}
                  onChecked={chooseLoaded}
                />
              </div>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} style={lefts.get(column.id)} />
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize() - headerHeight, minWidth }} className="relative">
          {items.map((item) => {
            const row = list.rowAt(item.index)
            const id = row === undefined ? undefined : rowId(row)
            const isChosen = id !== undefined && selection?.selected.has(id) === true
            return (
              <div
                key={item.key}
                role="row"
                data-index={item.index}
                aria-rowindex={item.index + 2}
                aria-selected={selection ? isChosen : undefined}
                aria-busy={row === undefined || undefined}
                tabIndex={item.index === current || (!inView && item.index === first) ? 0 : -1}
                onFocus={() => setActive(item.index)}
                onClick={(event) =>
                  row !== undefined && onOpen && !(event.target as Element).closest(controls) && onOpen(row)
                }
                onClickCapture={(event) => {
                  shifted.current = event.shiftKey
                }}
                className={cx(
                  'absolute inset-x-0 top-0 grid items-center border-b border-line px-3 text-sm focus-visible:outline-offset-[-2px]',
                  onOpen && 'cursor-pointer',
                  isChosen ? 'bg-accent-soft' : id !== undefined && id === openId ? 'bg-sunken' : 'hover:bg-sunken/60',
                )}
                style={{
                  height: item.size,
                  transform: `translateY(${item.start - headerHeight}px)`,
                  gridTemplateColumns: tracks,
                }}
              >
                {selection && (
                  <div role="gridcell">
                    {row !== undefined && (
                      <Checkbox
                        label={`Choose ${rowLabel(row)}`}
                        hideLabel
                        skipsTab
                        checked={isChosen}
                        onChecked={() => toggle(row, item.index, shifted.current)}
                      />
                    )}
                  </div>
                )}
                {columns.map((column) => (
                  <div
                    key={column.id}
                    role="gridcell"
                    className={cx(
                      'min-w-0 truncate pr-3',
                      column.align === 'end' && 'text-end tabular-nums',
                      lefts.has(column.id) && 'z-5 h-full content-center bg-surface',
                    )}
                    style={lefts.get(column.id)}
                  >
                    {row === undefined ? (
                      <span aria-hidden="true" className="block h-3 w-2/3 rounded bg-sunken" />
                    ) : (
                      column.cell(row)
                    )}
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      </div>
      <p className="px-1 pt-1.5 text-[0.8125rem] text-muted tabular-nums" role="status">
        {count(list.count)}
        {list.atLeast ? '+' : ''} {list.count === 1 && !list.atLeast ? 'row' : 'rows'}
        {selection && selection.selected.size > 0 ? `, ${count(selection.selected.size)} selected` : ''}
      </p>
    </div>
  )
}
