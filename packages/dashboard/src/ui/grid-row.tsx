// biome-ignore-all lint/a11y/useSemanticElements: rows that lie anywhere cannot be rows of a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: one row at a time takes the focus; cells never do.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid around the rows listens to the keyboard.
import type { ReactNode } from 'react'
import { cx } from './classes.ts'
import type { Column } from './column.ts'
import type { GridLayout } from './grid-header.tsx'
import type { Chosen } from './grid-selection.ts'
import { Checkbox } from './toggle.tsx'

const controls = 'a,button,input,label,[role="checkbox"]'

/** Props of `GridRow`. */
export type GridRowProps<T> = {
  /** Undefined while it is being loaded. */
  readonly row: T | undefined
  readonly id: string | undefined
  readonly label: string
  readonly place: { readonly index: number; readonly top: number; readonly height: number }
  readonly columns: readonly Column<T>[]
  readonly layout: GridLayout
  readonly chosen: Chosen<T> | null
  /** Its detail is open. */
  readonly isOpen: boolean
  /** It is the one in the order of Tab. */
  readonly isStop: boolean
  readonly onFocus: () => void
  readonly onOpen: ((row: T) => void) | undefined
}

/** The cells of a row; bars in place of what is being loaded. */
function Cells<T>({ row, columns, layout }: Pick<GridRowProps<T>, 'row' | 'columns' | 'layout'>): ReactNode {
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

/** A row of a long list, where it lies. */
export function GridRow<T>(props: GridRowProps<T>): ReactNode {
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
      style={{
        height: place.height,
        transform: `translateY(${place.top}px)`,
        gridTemplateColumns: layout.tracks,
      }}
    >
      {chosen && (
        <div role="gridcell">
          {row !== undefined && (
            <Checkbox
              label={`Choose ${label}`}
              hideLabel
              skipsTab
              checked={isChosen}
              onChecked={() => chosen.toggle(row, place.index, chosen.shifted.current)}
            />
          )}
        </div>
      )}
      <Cells row={row} columns={columns} layout={layout} />
    </div>
  )
}
