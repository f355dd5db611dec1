// biome-ignore-all lint/a11y/useSemanticElements: what is laid out as blocks on a phone loses the roles of its elements.
// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: the rows of the table take the focus.

import {
  createSortedRowModel,
  rowSortingFeature,
  sortFns,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useMemo, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { Button, cx } from './button.tsx'
import type { Column } from './grid.ts'
import { focusRow, movesRows, moveWithin, rowFor, rowOf, rowsOf, useOneStop } from './grid-keys.ts'
import { Pagination, type PaginationProps } from './page.tsx'
import { EmptyState, ErrorState, Skeleton, type QueryLike } from './show.tsx'

const page = 10
const isBody = (row: HTMLElement): boolean => row.tabIndex >= 0 || row.hasAttribute('tabindex')

/** What the rows of a table need: where they hang, and who listens to the keyboard. */
type TableKeys = {
  readonly table: RefObject<HTMLTableElement | null>
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/**
 * The keyboard of a table whose rows are all drawn: one of them is in the order of Tab, the one that had the focus last.
 * A row that goes away with the focus hands it to the one that takes its place.
 */
function useTableKeys(onOpen: ((rowId: string) => void) | undefined, isThere: boolean): TableKeys {
  const table = useRef<HTMLTableElement>(null)
  useOneStop(table, isThere)
  useEffect(() => {
    const root = table.current
    if (root === null || !isThere) return
    let at = 0
    let hasFocus = false
    const rows = () => rowsOf(root).filter(isBody)
    const choose = () => {
      const all = rows()
      const chosen = all[Math.min(at, all.length - 1)]
      for (const row of all) row.tabIndex = row === chosen ? 0 : -1
      if (hasFocus && (document.activeElement === null || document.activeElement === document.body)) chosen?.focus()
    }
    const onFocus = (event: FocusEvent) => {
      const row = rowOf(event.target as Element)
      hasFocus = true
      if (row === null || !isBody(row)) return
      at = rows().indexOf(row)
      choose()
    }
    const onBlur = (event: FocusEvent) => {
      // What is taken away with the focus does not blur, or blurs towards nothing.
      if ((event.target as Node).isConnected) hasFocus = false
    }
    choose()
    const observer = new MutationObserver(choose)
    observer.observe(root, { childList: true, subtree: true })
    root.addEventListener('focusin', onFocus)
    root.addEventListener('focusout', onBlur)
    return () => {
      observer.disconnect()
      root.removeEventListener('focusin', onFocus)
      root.removeEventListener('focusout', onBlur)
    }
  }, [isThere])
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    // Windows that a row opens lie elsewhere in the document, and their keys are their own.
    if (table.current === null || !table.current.contains(target) || moveWithin(event)) return
    const row = rowOf(target)
    const isCommand = event.ctrlKey || event.metaKey || event.altKey
    if (row === null || isCommand || (target !== row && !movesRows(target))) return
    const rows = rowsOf(table.current)
    const to = target === row || event.key.startsWith('Arrow') ? nextRow(rows, row, event.key) : undefined
    if (to !== undefined) focusRow(rows[to])
    else if (target !== row || !actOn(row, event.key, onOpen)) return
    event.preventDefault()
  }
  return { table, onKeyDown }
}

/** The row that a key leads to; Home is the first row below the headers, which only an arrow reaches. */
function nextRow(rows: readonly HTMLElement[], row: HTMLElement, key: string): number | undefined {
  const to = rowFor(key, rows.indexOf(row), { last: rows.length - 1, page })
  const first = rows.findIndex(isBody)
  return to !== undefined && to < first && key !== 'ArrowUp' ? first : to
}

/** Enter opens what the row is about, Space and x tick its box; false where there is nothing of the kind. */
function actOn(row: HTMLElement, key: string, onOpen: ((rowId: string) => void) | undefined): boolean {
  if (key === 'Enter' || key === 'o') {
    if (onOpen) onOpen(row.dataset.row ?? '')
    else row.querySelector<HTMLElement>('a[href], button')?.focus()
    return true
  }
  if (key !== ' ' && key !== 'x') return false
  const box = row.querySelector<HTMLElement>('[role="checkbox"]')
  box?.click()
  return box !== null
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns })

type DataTableProps<T> = {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly rowId: (row: T) => string
  /** Shown in place of no rows. */
  readonly empty?: ReactNode
  /** Opens a row, by a click or Enter; a link or button in a cell says that it can be. */
  readonly onOpen?: (row: T) => void
}

const placesOnPhones = {
  whole: 'max-sm:col-span-2 max-sm:pr-10',
  half: '',
  corner: 'max-sm:absolute max-sm:top-1.5 max-sm:right-1.5',
}

/** Where a cell stands in a stacked row: the first one above the others, a column of buttons in the corner. */
const placeOnPhone = <T,>(column: Column<T>, at: number): keyof typeof placesOnPhones =>
  column.phone ?? (column.hideHeader ? 'corner' : at === 0 ? 'whole' : 'half')

/** The roles that a table's parts lose where they are laid out as blocks. */
const parts = {
  table: { role: 'grid' },
  body: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'gridcell' },
} as const

function HeaderCell<T>({
  column,
  sorted,
  onSort,
}: {
  column: Column<T>
  sorted: false | 'asc' | 'desc'
  onSort: ((event: unknown) => void) | undefined
}) {
  return (
    <th
      scope="col"
      style={column.width ? { width: column.width } : undefined}
      aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
      className={cx('px-3 py-2 font-medium whitespace-nowrap', column.align === 'end' && 'text-end')}
    >
      {column.sortBy ? (
        <button type="button" onClick={onSort} className="inline-flex items-center gap-1 rounded hover:text-ink">
          {column.header}
          {sorted === 'asc' && <ArrowUp aria-hidden="true" size={13} />}
          {sorted === 'desc' && <ArrowDown aria-hidden="true" size={13} />}
        </button>
      ) : (
        <span className={column.hideHeader ? 'sr-only' : undefined}>{column.header}</span>
      )}
    </th>
  )
}

/** What is pressed in a row for its own sake: a click there does not open the row. */
const ownClicks = 'a,button,input,label,[role="checkbox"],[role="switch"]'

function BodyRow<T>({
  id,
  row,
  columns,
  onOpen,
}: {
  id: string
  row: T
  columns: readonly Column<T>[]
  onOpen: ((row: T) => void) | undefined
}) {
  return (
    <tr
      {...parts.row}
      data-row={id}
      tabIndex={-1}
      onClick={
        onOpen
          ? (event) =>
              event.currentTarget.contains(event.target as Node) &&
              !(event.target as Element).closest(ownClicks) &&
              onOpen(row)
          : undefined
      }
      className={cx(
        'border-b border-line last:border-0 hover:bg-sunken/60 focus-visible:outline-offset-[-2px]',
        onOpen && 'cursor-pointer',
        'max-sm:relative max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:gap-y-2.5 max-sm:p-3',
      )}
    >
      {columns.map((column, at) => (
        <td
          {...parts.cell}
          key={column.id}
          className={cx(
            'px-3 py-2 align-top break-words',
            column.align === 'end' && 'text-end tabular-nums',
            'max-sm:block max-sm:min-w-0 max-sm:p-0 max-sm:text-start',
            placesOnPhones[placeOnPhone(column, at)],
          )}
        >
          {placeOnPhone(column, at) === 'half' && (
            <span className="block text-xs text-muted sm:hidden">{column.header}</span>
          )}
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

function useSorted<T extends object>({ columns, rows, rowId }: DataTableProps<T>) {
  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, T> =>
          ({
            id: column.id,
            accessorFn: (row: T) => column.sortBy?.(row) ?? '',
            header: column.header,
            enableSorting: column.sortBy !== undefined,
            sortUndefined: 'last',
          }) as ColumnDef<typeof features, T>,
      ),
    [columns],
  )
  return useTable({ features, columns: definitions, data: rows as T[], getRowId: rowId })
}

/**
 * A table of some hundred rows at most, sorted in the browser; for more, page it or take `VirtualTable`. It is one stop
 * of Tab: up and down (or j and k) move between rows, right and left within one, Enter opens, Space ticks. On a phone each
 * row is a block of its cells: nothing is left out, and nothing scrolls sideways.
 */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { label, columns, rows, rowId, empty, onOpen } = props
  const table = useSorted(props)
  const keys = useTableKeys(
    onOpen &&
      ((id) => {
        const row = rows.find((each) => rowId(each) === id)
        if (row !== undefined) onOpen(row)
      }),
    rows.length > 0,
  )
  if (rows.length === 0) return empty ?? <EmptyState title="Nothing here yet" />
  return (
    <section className="relative overflow-x-auto" aria-label={label}>
      <table
        {...parts.table}
        ref={keys.table}
        onKeyDown={keys.onKeyDown}
        className="w-full border-collapse text-sm max-sm:block"
      >
        <caption className="sr-only">{label}</caption>
        <thead className="max-sm:hidden">
          <tr className="border-b border-line text-[0.8125rem] text-muted">
            {columns.map((column) => {
              const sorting = table.getColumn(column.id)
              return (
                <HeaderCell
                  key={column.id}
                  column={column}
                  sorted={sorting?.getIsSorted() ?? false}
                  onSort={sorting?.getToggleSortingHandler()}
                />
              )
            })}
          </tr>
        </thead>
        <tbody {...parts.body} className="max-sm:block">
          {table.getRowModel().rows.map((row) => (
            <BodyRow key={row.id} id={row.id} row={row.original} columns={columns} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type RecordQuery = QueryLike<unknown> & {
  readonly hasNextPage?: boolean
  readonly isFetchingNextPage?: boolean
  readonly fetchNextPage?: () => unknown
}

/** The rows of a read: bars while it loads, its error, the table, and below it the way to more of them. */
export function RecordList<T extends object>({
  query,
  lines = 6,
  more = 'Show more',
  pages,
  ...table
}: DataTableProps<T> & {
  query: RecordQuery
  lines?: number
  more?: string
  pages?: PaginationProps & { total: number }
}) {
  if (query.data === undefined)
    return query.isPending ? (
      <Skeleton lines={lines} className="p-4" />
    ) : (
      <ErrorState error={query.error} retry={() => void query.refetch()} />
    )
  return (
    <>
      <DataTable {...table} />
      {query.hasNextPage && (
        <div className="flex justify-center border-t border-line p-3">
          <Button busy={query.isFetchingNextPage ?? false} onClick={() => void query.fetchNextPage?.()}>
            {more}
          </Button>
        </div>
      )}
      {pages && <Pages {...pages} />}
    </>
  )
}

/** Below a list that is longer than a page. */
export function Pages(props: PaginationProps & { total: number }) {
  if (props.total <= props.limit) return null
  return (
    <div className="border-t border-line px-4">
      <Pagination {...props} />
    </div>
  )
}
