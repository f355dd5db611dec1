import type { ReactNode } from 'react'

/** A column of `DataTable` and `VirtualTable`. */
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
