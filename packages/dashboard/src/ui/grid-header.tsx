// biome-ignore-all lint/a11y/useSemanticElements: rows that lie anywhere cannot be rows of a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: what sorts and chooses within a header takes the focus.
import type { CSSProperties, ReactNode } from 'react'
import { cx } from './classes.ts'
import type { Column } from './column.ts'
import type { Chosen } from './grid-selection.ts'
import { Checkbox } from './toggle.tsx'

/** The order of a list that the service sorts; `by` undefined: its own order. */
export type GridSort = {
  readonly by: string | undefined
  readonly direction: 'up' | 'down'
  readonly onSort: (by: string, direction: 'up' | 'down') => void
}

/** How a grid lays its columns out: their tracks, where those that stay in view stand, how narrow it may be. */
export type GridLayout = {
  readonly tracks: string
  readonly lefts: ReadonlyMap<string, CSSProperties>
  readonly minWidth: number | undefined
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

/** The row of headers, always in view: sorts, and chooses all rows that are loaded. */
export function GridHeader<T>({
  columns,
  sort,
  chosen,
  layout: { tracks, lefts, minWidth },
}: {
  readonly columns: readonly Column<T>[]
  readonly sort: GridSort | undefined
  readonly chosen: Chosen<T> | null
  readonly layout: GridLayout
}): ReactNode {
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
              checked={chosen.number > 0 && chosen.number === chosen.loaded}
              indeterminate={chosen.number > 0 && chosen.number < chosen.loaded}
              onChecked={chosen.chooseLoaded}
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
