import type { KeyboardEvent } from 'react'
import { focusRow, moveWithin, movesRows, rowFor, rowOf } from './grid-keys.ts'
import type { Chosen } from './grid-selection.ts'
import type { Windowed } from './windows.ts'

/** What a key pressed in the grid works on: its rows, the one with the focus, and what moving, choosing and opening do. */
type Keyed<T> = {
  readonly grid: HTMLElement
  readonly list: Pick<Windowed<T>, 'rowAt' | 'count'>
  readonly current: number
  readonly rowHeight: number
  readonly move: (to: number) => void
  readonly chosen: Chosen<T> | null
  readonly open: ((row: T) => void) | undefined
}

/** Moves through the rows of a grid, chooses and opens them; other keys go on to whoever hears them next. */
export function onGridKey<T>(
  event: KeyboardEvent,
  { grid, list, current, rowHeight, move, chosen, open }: Keyed<T>,
): void {
  const target = event.target as HTMLElement
  if (!grid.contains(target)) return
  if (event.key === 'a' && (event.ctrlKey || event.metaKey) && chosen && target.matches('[role="row"]')) {
    chosen.chooseLoaded(true)
    event.preventDefault()
    return
  }
  if (moveWithin(event) || event.ctrlKey || event.metaKey || event.altKey || !movesRows(target)) return
  const onRow = target.matches('[role="row"]')
  const onHeader = rowOf(target)?.matches('[aria-rowindex="1"]') === true
  const page = Math.max(1, Math.floor(grid.clientHeight / rowHeight) - 1)
  const to =
    onRow || event.key.startsWith('Arrow') ? rowFor(event.key, current, { last: list.count - 1, page }) : undefined
  const row = list.rowAt(current)
  if (onHeader) {
    if (event.key !== 'ArrowDown') return
    move(0)
  } else if (event.key === 'ArrowUp' && current === 0) {
    if (!focusRow(grid.querySelector<HTMLElement>('[aria-rowindex="1"]') ?? undefined)) return
  } else if (to !== undefined) {
    if (event.shiftKey && event.key.startsWith('Arrow')) chosen?.chooseTo(current, to)
    move(to)
  } else if (!onRow || row === undefined) return
  else if ((event.key === 'Enter' || event.key === 'o') && open) open(row)
  else if ((event.key === ' ' || event.key === 'x') && chosen) chosen.toggle(row, current, event.shiftKey)
  else return
  event.preventDefault()
}
