// biome-ignore-all lint/a11y/useSemanticElements: rows that are stacked on a phone, or lie anywhere, cannot be rows of a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: one row at a time takes the focus, and what sorts and chooses within a header.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid around the rows listens to the keyboard.
/** The one list component: columns, sorting, selection, keyboard, paging, and the loading, failed and empty states. */
import {
  createSortedRowModel,
  rowSortingFeature,
  sortFns,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type CSSProperties, type RefObject } from 'react'
import { Button, cx } from './button.tsx'
import type { Column } from './columns.tsx'
import { Checkbox } from './field.tsx'
import { count } from './format.ts'
import { onListKey, useOneStop } from './list-keys.ts'
import { Pages, type PaginationProps } from './page.tsx'
import { EmptyState, ErrorState, Skeleton, type Emptiness, type QueryLike } from './show.tsx'
import {
  useChosen,
  useMedia,
  useWindows,
  type Chosen,
  type KnownRows,
  type LongList,
  type Selection,
} from './windows.ts'

/** The order of a list sorted by the service; `by` undefined is the default order. */
type ServiceSort = {
  readonly by: string | undefined
  readonly direction: 'up' | 'down'
  readonly onSort: (by: string, direction: 'up' | 'down') => void
}

type RecordQuery = QueryLike<unknown> & {
  readonly hasNextPage?: boolean
  readonly isFetchingNextPage?: boolean
  readonly fetchNextPage?: () => unknown
}

type RowId<T> = (row: T) => string

type CommonProps<T> = {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rowId?: RowId<T>
  readonly rowLabel?: (row: T) => string
  /** Opens a row on click or Enter; without it, a link or button in a cell does. */
  readonly onOpen?: (row: T) => void
  /** The row open in a window; it gets the focus back when that closes. */
  readonly openId?: string | undefined
  readonly selection?: Selection
  readonly empty?: Emptiness
}

function idOf(row: object): string {
  if ('id' in row && typeof row.id === 'string') return row.id
  throw new TypeError('rows without an id need rowId')
}

/** A list with all rows loaded, some hundred at most, and the query they come from. */
type WholeProps<T> = {
  readonly rows: readonly T[]
  readonly query?: RecordQuery
  readonly lines?: number
  readonly more?: string
  /** The position in a list read page by page; `query` answers `total` and `hasMore`. */
  readonly pages?: ListPages
}

export type ListPages = Pick<PaginationProps, 'offset' | 'limit' | 'onOffset'>

/** A list of any length: only rows in view are rendered, and only their windows loaded. */
export type LongProps<T> = LongList<T> & {
  readonly sort?: ServiceSort
  /** Receives the ids of the loaded rows, in order. */
  readonly onLoaded?: (ids: readonly string[]) => void
  readonly rowHeight?: number
  /** CSS height; by default the rest of the window. */
  readonly height?: string
}

type Sorting<T> = {
  readonly of: (column: Column<T>) => 'up' | 'down' | null | undefined
  readonly toggle: (column: Column<T>, event: unknown) => void
}

type Layout<T> = {
  readonly columns: readonly Column<T>[]
  readonly tracks: string
  readonly lefts: ReadonlyMap<string, CSSProperties>
  /** Undefined: rows are as high as their content, and stacked on a phone. */
  readonly rowHeight: number | undefined
  readonly minWidth: number | undefined
}

const chooserWidth = 44
const headerHeight = 36

function layoutOf<T>(
  all: readonly Column<T>[],
  { rowHeight, chooses, wide }: { rowHeight: number | undefined; chooses: boolean; wide: boolean },
): Layout<T> {
  const columns = all.filter((column) => rowHeight === undefined || wide || !column.wide)
  // On a phone, stretching columns may shrink below their minimum.
  const widthOf = ({ width = rowHeight === undefined ? 'auto' : 'minmax(120px, 1fr)' }: Column<T>) =>
    wide ? width : width.replace(/minmax\(\d+px/, 'minmax(0')
  const lefts = new Map<string, CSSProperties>()
  let left = (chooses ? chooserWidth : 0) + 12
  for (const { id, pinned } of columns) {
    if (pinned === undefined) continue
    lefts.set(id, { position: 'sticky', left })
    left += pinned
  }
  return {
    columns,
    tracks: [chooses && `${chooserWidth}px`, ...columns.map(widthOf)].filter(Boolean).join(' '),
    lefts,
    rowHeight,
    minWidth: wide && rowHeight !== undefined ? columns.length * 120 : undefined,
  }
}

type HeaderProps<T> = { layout: Layout<T>; sorting: Sorting<T>; chosen: Chosen<T> | null }

function Header<T>({ layout: { columns, tracks, lefts, rowHeight, minWidth }, sorting, chosen }: HeaderProps<T>) {
  const isLong = rowHeight !== undefined
  return (
    <div
      role="rowgroup"
      className={isLong ? 'sticky top-0 z-10 h-9 bg-surface' : 'col-span-full grid grid-cols-subgrid max-sm:hidden'}
      style={{ minWidth }}
    >
      <div
        role="row"
        aria-rowindex={1}
        className={cx(
          'grid items-center border-b border-line text-[0.8125rem] font-medium text-muted',
          isLong ? 'h-9 px-3' : 'col-span-full grid-cols-subgrid',
        )}
        style={isLong ? { gridTemplateColumns: tracks } : undefined}
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
        {columns.map((column) => {
          const sorted = sorting.of(column)
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={sorted ? (sorted === 'up' ? 'ascending' : 'descending') : undefined}
              className={cx(
                isLong ? 'truncate pr-3' : 'px-3 py-2 whitespace-nowrap',
                column.align === 'end' && 'text-end',
                lefts.has(column.id) && 'z-10 h-full content-center bg-surface',
              )}
              style={lefts.get(column.id)}
            >
              {sorted === undefined ? (
                <span className={column.hideHeader ? 'sr-only' : undefined}>{column.header}</span>
              ) : (
                <button
                  type="button"
                  onClick={(event) => sorting.toggle(column, event)}
                  className="inline-flex items-center gap-1 rounded hover:text-ink"
                >
                  {column.header}
                  {sorted === 'up' && <ArrowUp aria-hidden="true" size={13} />}
                  {sorted === 'down' && <ArrowDown aria-hidden="true" size={13} />}
                </button>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const placesOnPhones = {
  whole: 'max-sm:col-span-2 max-sm:pr-10',
  half: '',
  corner: 'max-sm:absolute max-sm:top-1.5 max-sm:right-1.5',
}

/** The place of a cell in a stacked row: the first one on top, buttons in the corner. */
const placeOnPhone = <T,>(column: Column<T>, at: number): keyof typeof placesOnPhones =>
  column.phone ?? (column.hideHeader ? 'corner' : at === 0 ? 'whole' : 'half')

function Cells<T>({ row, layout: { columns, lefts, rowHeight } }: { row: T | undefined; layout: Layout<T> }) {
  const isLong = rowHeight !== undefined
  return columns.map((column, at) => (
    <div
      key={column.id}
      role="gridcell"
      className={cx(
        'min-w-0',
        column.align === 'end' && 'text-end tabular-nums',
        isLong
          ? 'truncate pr-3'
          : `px-3 py-2 break-words max-sm:p-0 max-sm:text-start ${placesOnPhones[placeOnPhone(column, at)]}`,
        lefts.has(column.id) && 'z-5 h-full content-center bg-surface',
      )}
      style={lefts.get(column.id)}
    >
      {!isLong && placeOnPhone(column, at) === 'half' && (
        <span className="block text-xs text-muted sm:hidden">{column.header}</span>
      )}
      {row === undefined ? <span aria-hidden="true" className="block h-3 w-2/3 rounded bg-sunken" /> : column.cell(row)}
    </div>
  ))
}

/** Controls whose clicks do not open the row. */
const ownClicks = 'a,button,input,label,[role="checkbox"],[role="switch"]'

type RowProps<T> = {
  readonly row: T | undefined
  readonly index: number
  readonly layout: Layout<T>
  readonly chosen: Chosen<T> | null
  readonly label: string
  readonly isChosen: boolean
  readonly isOpen: boolean
  readonly isStop: boolean
  readonly top: number
  readonly onFocus: () => void
  readonly onOpen: ((row: T) => void) | undefined
}

function Row<T>({ row, index, layout, chosen, label, isChosen, isOpen, isStop, top, onFocus, onOpen }: RowProps<T>) {
  const { rowHeight, tracks } = layout
  return (
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={chosen ? isChosen : undefined}
      aria-busy={row === undefined || undefined}
      tabIndex={isStop ? 0 : -1}
      onFocus={onFocus}
      onClickCapture={(event) => {
        if (chosen && event.nativeEvent.isTrusted) chosen.shifted.current = event.shiftKey
      }}
      onClick={({ currentTarget, target }) =>
        row !== undefined &&
        onOpen &&
        currentTarget.contains(target as Node) &&
        !(target as Element).closest(ownClicks) &&
        onOpen(row)
      }
      className={cx(
        'grid border-b border-line text-sm focus-visible:outline-offset-[-2px]',
        onOpen && 'cursor-pointer',
        isChosen ? 'bg-accent-soft' : isOpen ? 'bg-sunken' : 'hover:bg-sunken/60',
        rowHeight === undefined
          ? 'col-span-full grid-cols-subgrid last:border-0 max-sm:relative max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:gap-y-2.5 max-sm:p-3'
          : 'absolute inset-x-0 top-0 items-center px-3',
      )}
      style={
        rowHeight === undefined
          ? undefined
          : { height: rowHeight, transform: `translateY(${top}px)`, gridTemplateColumns: tracks }
      }
    >
      {chosen && (
        <div role="gridcell">
          {row !== undefined && (
            <Checkbox
              label={`Choose ${label}`}
              hideLabel
              skipsTab
              value={isChosen}
              onValue={() => chosen.toggle(row, index, chosen.shifted.current)}
            />
          )}
        </div>
      )}
      <Cells row={row} layout={layout} />
    </div>
  )
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns })

/** All rows, in the order the reader chose. */
function useSorted<T extends object>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  rowId: (row: T) => string,
): { readonly rows: readonly T[]; readonly sorting: Sorting<T> } {
  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, T> => ({
          id: column.id,
          accessorFn: (row: T) => column.sortBy?.(row) ?? '',
          enableSorting: column.sortBy !== undefined,
          sortUndefined: 'last',
        }),
      ),
    [columns],
  )
  const table = useTable({ features, columns: definitions, data: rows as T[], getRowId: rowId })
  return {
    rows: table.getRowModel().rows.map(({ original }) => original),
    sorting: {
      of: ({ id, sortBy }) => {
        const sorted = table.getColumn(id)?.getIsSorted()
        return sortBy && (sorted ? (sorted === 'asc' ? 'up' : 'down') : null)
      },
      toggle: ({ id }, event) => table.getColumn(id)?.getToggleSortingHandler()?.(event),
    },
  }
}

const byService = <T,>(sort: ServiceSort | undefined): Sorting<T> => ({
  of: ({ sortKey }) => (sort && sortKey ? (sort.by === sortKey ? sort.direction : null) : undefined),
  toggle: ({ sortKey }) =>
    sortKey && sort?.onSort(sortKey, sort.by === sortKey && sort.direction === 'up' ? 'down' : 'up'),
})

/** Milliseconds: the window of a row's detail returns the focus first. */
const afterWindowMs = 60

/** Calls `closed` with the row whose window was closed, unless the focus has moved elsewhere. */
function useClosed(
  openId: string | undefined,
  grid: RefObject<HTMLElement | null>,
  closed: (id: string) => void,
): void {
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

type ListProps<T> = CommonProps<T> & {
  readonly rowId: RowId<T>
  readonly long?: LongProps<T> | undefined
  readonly whole?: readonly T[] | undefined
  readonly sorting: Sorting<T>
}

/**
 * The rows, one Tab stop. Keys: arrows, j and k, Page Up and Down, Home and End move between rows, left and right within one;
 * Enter opens, Space or x selects, Ctrl A selects all loaded rows, Shift a range. The headers are above the first row.
 */
function List<T extends object>({ long, whole = [], sorting, ...props }: ListProps<T>) {
  const { label, rowId, rowLabel = rowId, onOpen, openId, selection, empty } = props
  const grid = useRef<HTMLDivElement>(null)
  const wide = useMedia('(min-width: 640px)')
  const [view, setView] = useState({ first: 0, last: 0 })
  const windows = useWindows(long, view)
  const list: KnownRows<T> = long
    ? windows
    : { ...windows, rowAt: (index) => whole[index], count: whole.length, loaded: whole, isPending: false }
  const rowHeight = long && (long.rowHeight ?? 52)
  const virtual = useVirtualizer({
    count: long ? list.count : 0,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight ?? 0,
    overscan: 8,
    paddingStart: headerHeight,
    scrollPaddingStart: headerHeight + 4,
  })
  const items = long
    ? virtual.getVirtualItems().map(({ index, start }) => ({ index, top: start - headerHeight }))
    : whole.map((_, index) => ({ index, top: 0 }))
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => setView({ first, last }), [first, last])

  const [active, setActive] = useState(0)
  const wantsFocus = useRef(false)
  const current = Math.min(active, Math.max(0, list.count - 1))
  const rowElement = (index: number) => grid.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
  useEffect(() => {
    if (!wantsFocus.current) return
    const row = rowElement(current)
    if (!row) return
    wantsFocus.current = false
    row.focus({ preventScroll: long !== undefined })
  })
  const move = (to: number) => {
    wantsFocus.current = true
    setActive(to)
    if (long) virtual.scrollToIndex(to)
    // Focuses at once a row that is already rendered.
    rowElement(to)?.focus({ preventScroll: long !== undefined })
  }

  const isThere = !list.isPending && list.count > 0
  useOneStop(grid, isThere)
  const chosen = useChosen(selection, list, rowId)
  const ids = list.loaded.map(rowId).join(' ')
  const onLoaded = long?.onLoaded
  useEffect(() => onLoaded?.(ids === '' ? [] : ids.split(' ')), [ids, onLoaded])
  useClosed(openId, grid, (id) => {
    const at = Array.from({ length: list.count }, (_, index) => list.rowAt(index)).findIndex(
      (row) => row !== undefined && rowId(row) === id,
    )
    if (at >= 0) move(at)
  })

  if (list.isPending) return <Skeleton lines={9} className="p-4" />
  const failure = list.error !== null && <ErrorState error={list.error} retry={list.retry} />
  if (list.count === 0) return failure || <EmptyState title="Nothing here yet" {...empty} />
  const layout = layoutOf(props.columns, { rowHeight, chooses: chosen !== null, wide })
  const currentInView = items.some(({ index }) => index === current)
  const openAt = (index: number) => {
    const row = list.rowAt(index)
    if (row !== undefined) onOpen?.(row)
  }
  return (
    <>
      {failure}
      <div
        ref={grid}
        role="grid"
        aria-label={label}
        aria-rowcount={list.atLeast ? -1 : list.count + 1}
        aria-multiselectable={selection ? true : undefined}
        onKeyDown={(event) =>
          onListKey(event, {
            count: list.count,
            current,
            page: rowHeight ? Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 1) : 10,
            move,
            chosen,
            open: onOpen && openAt,
          })
        }
        className={
          long
            ? 'relative min-h-64 overflow-auto rounded-xl border border-line bg-surface'
            : 'relative grid overflow-x-auto max-sm:block'
        }
        style={long ? { height: long.height ?? 'calc(100dvh - 16rem)' } : { gridTemplateColumns: layout.tracks }}
      >
        <Header layout={layout} sorting={sorting} chosen={chosen} />
        <div
          role="rowgroup"
          className={long ? 'relative' : 'col-span-full grid grid-cols-subgrid max-sm:block'}
          style={long && { height: virtual.getTotalSize() - headerHeight, minWidth: layout.minWidth }}
        >
          {items.map(({ index, top }) => {
            const row = list.rowAt(index)
            const id = row === undefined ? undefined : rowId(row)
            return (
              <Row
                key={long ? index : id}
                {...{ row, index, layout, chosen, top, onOpen }}
                label={row === undefined ? '' : rowLabel(row)}
                isChosen={id !== undefined && chosen?.has(id) === true}
                isOpen={id !== undefined && id === openId}
                isStop={index === current || (!currentInView && index === first)}
                onFocus={() => setActive(index)}
              />
            )
          })}
        </div>
      </div>
      {long && (
        <p className="px-1 pt-1.5 text-[0.8125rem] text-muted tabular-nums" role="status">
          {count(list.count)}
          {list.atLeast ? '+' : ''} {list.count === 1 && !list.atLeast ? 'row' : 'rows'}
          {selection && selection.selected.size > 0 ? `, ${count(selection.selected.size)} selected` : ''}
        </p>
      )}
    </>
  )
}

function WholeList<T extends object>({
  rows: given,
  query,
  lines = 6,
  more = 'Show more',
  pages,
  ...list
}: CommonProps<T> & WholeProps<T> & { rowId: RowId<T> }) {
  const { total = 0, hasMore = false } = (query?.data ?? {}) as { total?: number; hasMore?: boolean }
  // With several pages, sorting would order only the one shown.
  const isPart = pages !== undefined && total > pages.limit
  const columns = useMemo(
    () => (isPart ? list.columns.map(({ sortBy: _, ...column }) => column) : list.columns),
    [isPart, list.columns],
  )
  const { rows, sorting } = useSorted(columns, given, list.rowId)
  if (query !== undefined && query.data === undefined)
    return query.isPending ? (
      <Skeleton lines={lines} className="p-4" />
    ) : (
      <ErrorState error={query.error} retry={() => void query.refetch()} />
    )
  return (
    <>
      <List {...list} columns={columns} whole={rows} sorting={sorting} />
      {query?.hasNextPage && (
        <div className="flex justify-center border-t border-line p-3">
          <Button busy={query.isFetchingNextPage ?? false} onClick={() => void query.fetchNextPage?.()}>
            {more}
          </Button>
        </div>
      )}
      {pages && <Pages {...pages} shown={given.length} total={total} hasMore={hasMore} />}
    </>
  )
}

export type RecordListProps<T> = CommonProps<T> & (WholeProps<T> | LongProps<T>)

/** The list of a page: `rows` when all are loaded, `fetchWindow` for any length. */
export function RecordList<T extends object>(props: RecordListProps<T>) {
  const rowId = props.rowId ?? idOf
  return 'rows' in props ? (
    <WholeList {...props} rowId={rowId} />
  ) : (
    <List {...props} rowId={rowId} long={props} sorting={byService<T>(props.sort)} />
  )
}
