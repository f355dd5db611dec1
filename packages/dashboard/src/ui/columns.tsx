import { count } from './format.ts'
import type { Column } from './index.ts'
import { TimeAgo } from './text.tsx'

/** A column that says how long ago something was, sorted by it. */
export const whenColumn = <T,>(id: string, header: string, at: (row: T) => string | null): Column<T> => ({
  id,
  header,
  wide: true,
  sortBy: at,
  cell: (row) => <TimeAgo at={at(row)} />,
})

/** A column of numbers, sorted by them. */
export const countColumn = <T,>(id: string, header: string, of: (row: T) => number): Column<T> => ({
  id,
  header,
  align: 'end',
  sortBy: of,
  cell: (row) => count(of(row)),
})
