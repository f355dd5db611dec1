// biome-ignore-all lint/a11y/useSemanticElements: rows that lie anywhere cannot be rows of a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: what sorts and chooses within a header takes the focus.
// biome-ignore-all lint/a11y/useFocusableInteractive: one row at a time takes the focus; cells never do.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid around the rows listens to the keyboard.
// biome-ignore-all lint/a11y/useFocusableInteractive: one row at a time takes the focus, never the grid.

import { useEffect, useRef, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react'
import { cx } from './button.tsx'
import { Checkbox } from './field.tsx'
import { count } from './format.ts'
import { useOneStop } from './grid-keys.ts'
import {
  headerHeight,
  onGridKey,
  useChosen,
  useCurrentRow,
  useGridView,
  useMedia,
  usualWindow,
  type Chosen,
  type Column,
  type FetchWindow,
  type GridView,
  type Selection,
  type Windowed,
} from './grid.ts'
import { EmptyState, ErrorState, Skeleton } from './show.tsx'

/** The order of a list that the service sorts; `by` undefined: its own order. */
type GridSort = {
  readonly by: string | undefined
  readonly direction: 'up' | 'down'
  readonly onSort: (by: string, direction: 'up' | 'down') => void
}

/** How a grid lays its columns out: their tracks, where those that stay in view stand, how narrow it may be. */
type GridLayout = {
  readonly tracks: string
  readonly lefts: ReadonlyMap<string, CSSProperties>
  readonly minWidth: number | undefined
}

function HeaderCell<T>({
  column,
  sort,
  style,
}: {
  column: Column<T>
  sort: GridSort | undefined
  style: CSSProperties | undefined
}) {
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

/** The row of headers, always in view: sorts, and chooses all rows that are loaded. */
function GridHeader<T>({
  columns,
  sort,
  chosen,
  layout: { tracks, lefts, minWidth },
}: {
  columns: readonly Column<T>[]
  sort: GridSort | undefined
  chosen: Chosen<T> | null
  layout: GridLayout
}) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 h-9 border-b border-line bg-surface" style={{ minWidth }}>
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-9 items-center px-3 text-[0.8125rem] font-medium text-muted"
        style={{ gridTemplateColumns: tracks }}
      >
        {chosen && (
          <div role="columnheader" aria-label="Choose">
            <Checkbox
              label="Choose all loaded rows"
              hideLabel
              value={chosen.number > 0 && chosen.number === chosen.loaded}
              indeterminate={chosen.number > 0 && chosen.number < chosen.loaded}
              onValue={chosen.chooseLoaded}
            />
          </div>
        )}
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sort={sort} style={lefts.get(column.id)} />
        ))}
      </div>
    </div>
  )
}

const controls = 'a,button,input,label,[role="checkbox"]'

type GridRowProps<T> = {
  /** Undefined while it is being loaded. */
  readonly row: T | undefined
  readonly id: string | undefined
  readonly label: string
  readonly place: { readonly index: number; readonly top: number; readonly height: number }
  readonly columns: readonly Column<T>[]
  readonly layout: GridLayout
  readonly chosen: Chosen<T> | null
  readonly isOpen: boolean
  readonly isStop: boolean
  readonly onFocus: () => void
  readonly onOpen: ((row: T) => void) | undefined
}

/** The cells of a row; bars in place of what is being loaded. */
function Cells<T>({ row, columns, layout }: Pick<GridRowProps<T>, 'row' | 'columns' | 'layout'>) {
  return columns.map((column) => (
    <div
      key={column.id}
      role="gridcell"
      className={cx(
        'min-w-0 truncate pr-3',
        column.align === 'end' && 'text-end tabular-nums',
        layout.lefts.has(column.id) && 'z-5 h-full content-center bg-surface',
      )}
      style={layout.lefts.get(column.id)}
    >
      {row === undefined ? <span aria-hidden="true" className="block h-3 w-2/3 rounded bg-sunken" /> : column.cell(row)}
    </div>
  ))
}

function GridRow<T>(props: GridRowProps<T>) {
  const { row, id, label, place, columns, layout, chosen, isOpen, isStop, onFocus, onOpen } = props
  const isChosen = id !== undefined && chosen?.has(id) === true
  return (
    <div
      role="row"
      data-index={place.index}
      aria-rowindex={place.index + 2}
      aria-selected={chosen ? isChosen : undefined}
      aria-busy={row === undefined || undefined}
      tabIndex={isStop ? 0 : -1}
      onFocus={onFocus}
      onClick={(event) => row !== undefined && onOpen && !(event.target as Element).closest(controls) && onOpen(row)}
      onClickCapture={(event) => {
        if (chosen) chosen.shifted.current = event.shiftKey
      }}
      className={cx(
        'absolute inset-x-0 top-0 grid items-center border-b border-line px-3 text-sm focus-visible:outline-offset-[-2px]',
        onOpen && 'cursor-pointer',
        isChosen ? 'bg-accent-soft' : isOpen ? 'bg-sunken' : 'hover:bg-sunken/60',
      )}
      style={{ height: place.height, transform: `translateY(${place.top}px)`, gridTemplateColumns: layout.tracks }}
    >
      {chosen && (
        <div role="gridcell">
          {row !== undefined && (
            <Checkbox
              label={`Choose ${label}`}
              hideLabel
              skipsTab
              value={isChosen}
              onValue={() => chosen.toggle(row, place.index, chosen.shifted.current)}
            />
          )}
        </div>
      )}
      <Cells row={row} columns={columns} layout={layout} />
    </div>
  )
}

export type { GridSort, Selection }

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
  readonly openId?: string | undefined
  readonly rowHeight?: number
  /** Rows asked for at once. */
  readonly windowSize?: number
  /** CSS height of the list; what is left of the window unless told otherwise. */
  readonly height?: string
}

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

/** A window that shows the detail of a row gives the focus back first. */
const afterWindowMs = 60

function layoutOf<T>(columns: readonly Column<T>[], wide: boolean, chooses: boolean): GridLayout {
  // A phone has no room to give: what stretches may be as narrow as it must.
  const widthOf = ({ width = 'minmax(120px, 1fr)' }: Column<T>) =>
    wide ? width : width.replace(/minmax\(\d+px/, 'minmax(0')
  return {
    tracks: [chooses && '44px', ...columns.map(widthOf)].filter(Boolean).join(' '),
    lefts: pinnedLefts(columns, chooses ? 44 : 0),
    minWidth: wide ? columns.length * 120 : undefined,
  }
}

function useClosed(openId: string | undefined, grid: { current: HTMLElement | null }, closed: (id: string) => void) {
  const before = useRef(openId)
  const latest = useRef(closed)
  latest.current = closed
  useEffect(() => {
    const was = before.current
    before.current = openId
    if (was === undefined || openId !== undefined) return
    const timer = setTimeout(() => {
      const active = document.activeElement
      if (active === null || active.matches('body, #main') || grid.current?.contains(active)) latest.current(was)
    }, afterWindowMs)
    return () => clearTimeout(timer)
  }, [openId, grid])
}

/** Says which rows are loaded, in their order, whenever that changes. */
function useLoaded(ids: readonly string[], onLoaded: ((ids: readonly string[]) => void) | undefined): void {
  const loadedNames = ids.join(' ')
  useEffect(() => onLoaded?.(loadedNames === '' ? [] : loadedNames.split(' ')), [loadedNames, onLoaded])
}

function placeOf<T>(list: Windowed<T>, matches: (row: T) => boolean): number | undefined {
  return Array.from({ length: list.count }, (_, index) => index).find((index) => {
    const row = list.rowAt(index)
    return row !== undefined && matches(row)
  })
}

function Rows<T>({
  view: { list, virtual, items, first },
  current,
  rowId,
  rowLabel,
  openId,
  onActive,
  ...grid
}: Pick<GridRowProps<T>, 'columns' | 'layout' | 'chosen' | 'onOpen'> &
  Pick<VirtualTableProps<T>, 'rowId' | 'rowLabel' | 'openId'> & {
    view: GridView<T>
    current: number
    onActive: (index: number) => void
  }) {
  const inView = items.some((item) => item.index === current)
  return (
    <div
      role="rowgroup"
      style={{ height: virtual.getTotalSize() - headerHeight, minWidth: grid.layout.minWidth }}
      className="relative"
    >
      {items.map((item) => {
        const row = list.rowAt(item.index)
        const id = row === undefined ? undefined : rowId(row)
        return (
          <GridRow
            key={item.key}
            {...grid}
            row={row}
            id={id}
            label={row === undefined ? '' : rowLabel(row)}
            place={{ index: item.index, top: item.start - headerHeight, height: item.size }}
            isOpen={id !== undefined && id === openId}
            isStop={item.index === current || (!inView && item.index === first)}
            onFocus={() => onActive(item.index)}
          />
        )
      })}
    </div>
  )
}

/**
 * A list of any length: only rows in view are drawn and only their windows loaded. It is one stop of Tab. Arrow keys or j
 * and k, Page Up and Down, Home and End move, right and left within a row, Enter opens, Space or x chooses, Ctrl A all that
 * are loaded; with Shift the rows from the one chosen last are chosen too. The headers are above the first row.
 */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { label, queryKey, fetchWindow, rowId, rowLabel, onOpen, selection, sort, onLoaded, empty, openId } = props
  const { rowHeight = 52, windowSize = usualWindow, height = 'calc(100dvh - 16rem)' } = props
  const scroller = useRef<HTMLDivElement>(null)
  const wide = useMedia('(min-width: 640px)')
  const columns = props.columns.filter((column) => wide || !column.wide)
  const view = useGridView(scroller, { queryKey, fetchWindow, windowSize, rowHeight })
  const { list } = view
  useLoaded(list.loaded.map(rowId), onLoaded)
  const { current, setActive, move } = useCurrentRow(scroller, view)
  const isThere = !list.isPending && list.count > 0
  useOneStop(scroller, isThere)
  const chosen = useChosen(selection, list, rowId)
  useClosed(openId, scroller, (id) => {
    const at = placeOf(list, (row) => rowId(row) === id)
    if (at !== undefined) move(at)
  })
  const onKey = (event: KeyboardEvent) => {
    const grid = scroller.current
    if (grid) onGridKey(event, { grid, list, current, rowHeight, move, chosen, open: onOpen })
  }

  if (list.isPending) return <Skeleton lines={9} className="p-4" />
  if (list.count === 0)
    return list.error !== null ? (
      <ErrorState error={list.error} retry={list.retry} />
    ) : (
      (empty ?? <EmptyState title="Nothing here yet" />)
    )
  const layout = layoutOf(columns, wide, chosen !== null)
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
        <GridHeader columns={columns} sort={sort} chosen={chosen} layout={layout} />
        <Rows
          view={view}
          current={current}
          rowId={rowId}
          rowLabel={rowLabel}
          openId={openId}
          onActive={setActive}
          columns={columns}
          layout={layout}
          chosen={chosen}
          onOpen={onOpen}
        />
      </div>
      <p className="px-1 pt-1.5 text-[0.8125rem] text-muted tabular-nums" role="status">
        {count(list.count)}
        {list.atLeast ? '+' : ''} {list.count === 1 && !list.atLeast ? 'row' : 'rows'}
        {selection && selection.selected.size > 0 ? `, ${count(selection.selected.size)} selected` : ''}
      </p>
    </div>
  )
}
