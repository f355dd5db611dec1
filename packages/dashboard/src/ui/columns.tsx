import type { ReactNode } from 'react'
import { cx } from './button.tsx'
import { count } from './format.ts'
import { TimeAgo } from './text.tsx'

export type Column<T> = {
  readonly id: string
  readonly header: string
  readonly cell: (row: T) => ReactNode
  /** A CSS grid track, such as `minmax(160px, 2fr)` or `120px`. */
  readonly width?: string
  readonly align?: 'end'
  /** Sorts in the browser, for lists with all rows loaded. */
  readonly sortBy?: (row: T) => string | number | null
  /** Sorts a long list by the service, under this name. */
  readonly sortKey?: string
  /** Pins a column of a long list, this many pixels wide; pinned columns come first. */
  readonly pinned?: number
  /** Shows the header to screen readers only. */
  readonly hideHeader?: boolean
  readonly wide?: boolean
  /** Its place in a stacked row on a phone: full width, half with its header above, or the corner. */
  readonly phone?: 'whole' | 'half' | 'corner'
}

type Cell<T> = Column<T>['cell']
type Look<T> = Omit<Column<T>, 'id' | 'header' | 'cell'> & { readonly id?: string }

/** A column, by default identified by its header. */
export function column<T>(header: string, cell: Cell<T>): Column<T>
export function column<T>(header: string, look: Look<T>, cell: Cell<T>): Column<T>
export function column<T>(header: string, ...rest: [Cell<T>] | [Look<T>, Cell<T>]): Column<T> {
  const [look, cell] = rest.length === 1 ? [{}, rest[0]] : rest
  return { id: header, header, ...look, cell }
}

/** A column of buttons; its header is for screen readers only. */
export const actsColumn = <T,>(header: string, cell: Cell<T>): Column<T> =>
  column(header, { hideHeader: true, align: 'end' }, cell)

/** A column of times ago, sortable. */
export const whenColumn = <T,>(header: string, at: (row: T) => string | null): Column<T> =>
  column(header, { sortBy: at }, (row) => <TimeAgo at={at(row)} />)

/** A column of numbers, sortable. */
export const countColumn = <T,>(header: string, of: (row: T) => number): Column<T> =>
  column(header, { align: 'end', sortBy: of }, (row) => count(of(row)))

type TwoLinesProps = {
  first: ReactNode
  second: ReactNode
  /** The second line is an id or an address. */
  mono?: boolean
  /** The first line is not the row's name. */
  plain?: boolean
}

/** A cell of two lines, the second in small letters. */
export function TwoLines({ first, second, mono = false, plain = false }: TwoLinesProps) {
  return (
    <div className={plain ? 'min-w-0' : 'min-w-36'}>
      <div className={cx('break-words', !plain && 'font-medium')}>{first}</div>
      {second && (
        <p className={cx('break-words text-muted', mono ? 'font-mono text-xs break-all' : 'text-[0.8125rem]')}>
          {second}
        </p>
      )}
    </div>
  )
}
