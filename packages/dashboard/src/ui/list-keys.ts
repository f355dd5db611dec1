/** The keyboard of a list: one Tab stop, with arrow keys between and within rows. */
import { useEffect, type KeyboardEvent, type RefObject } from 'react'
import type { Chosen } from './windows.ts'

const controlSelector = 'a[href], button, input, select, textarea, [tabindex]'
/** Controls in which arrow keys have a meaning of their own. */
const ownArrows = 'select, textarea, input:not([type="checkbox"]), [aria-haspopup], [aria-expanded="true"]'

const isShown = (element: HTMLElement): boolean =>
  element.getAttribute('aria-hidden') !== 'true' && element.getClientRects().length > 0

const controlsOf = (row: HTMLElement): readonly HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>(controlSelector)].filter(isShown)

const isHeader = (row: HTMLElement): boolean => row.matches('[aria-rowindex="1"]')

/** Moves the focus to the neighbouring list's current row, from an element that is about to disappear. */
export function focusListNextTo(element: Element | null): void {
  const row = element?.parentElement?.querySelector<HTMLElement>('[role="grid"] [role="row"][tabindex="0"]')
  row?.focus({ preventScroll: true })
}

/** Takes controls in rows out of the Tab order, also those rendered later; arrow keys reach them. */
export function useOneStop(grid: RefObject<HTMLElement | null>, isThere: boolean): void {
  useEffect(() => {
    const root = grid.current
    if (root === null || !isThere) return
    const take = () => {
      for (const element of root.querySelectorAll<HTMLElement>(controlSelector))
        if (element.tabIndex >= 0 && !element.matches('[role="row"]')) element.tabIndex = -1
    }
    take()
    const observer = new MutationObserver(take)
    observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['tabindex', 'href'] })
    return () => observer.disconnect()
  }, [grid, isThere])
}

/** A button that opens a menu uses the up and down keys, but not left and right. */
const isSidewaysOnButton = (target: HTMLElement, key: string): boolean =>
  target.matches('button') && (key === 'ArrowLeft' || key === 'ArrowRight')

/** Moves within a row: left and right between controls, Escape to the row. True when the key was handled. */
function moveWithin(row: HTMLElement, event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  const isControl = target !== row
  if (isControl && target.matches(ownArrows) && event.key !== 'Escape' && !isSidewaysOnButton(target, event.key))
    return false
  const stops = isHeader(row) ? controlsOf(row) : [row, ...controlsOf(row)]
  const at = stops.indexOf(target)
  const places: Readonly<Record<string, number | undefined>> = {
    ArrowRight: at + 1,
    ArrowLeft: Math.max(0, at - 1),
    Escape: isControl && !isHeader(row) ? 0 : undefined,
  }
  const to = places[event.key]
  if (to === undefined) return false
  stops[to]?.focus()
  event.preventDefault()
  event.stopPropagation()
  return true
}

/** The row that a key moves to from row `at`; `last` is the last row, `page` the number in view. Undefined for other keys. */
function rowFor(key: string, at: number, { last, page }: { last: number; page: number }): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    j: at + 1,
    k: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  }
  const to = steps[key]
  return to === undefined ? undefined : Math.max(0, Math.min(last, to))
}

type Keyed = {
  readonly count: number
  readonly current: number
  readonly page: number
  readonly move: (to: number) => void
  readonly chosen: Pick<Chosen<never>, 'chooseLoaded' | 'chooseTo' | 'shifted'> | null
  readonly open: ((index: number) => void) | undefined
}

/** Opens or selects a row; a row that does not open focuses its first control. False for other keys. */
function act(row: HTMLElement, event: KeyboardEvent, { current, chosen, open }: Keyed): boolean {
  if (event.key === 'Enter' || event.key === 'o') {
    if (open) open(current)
    else row.querySelector<HTMLElement>('a[href], button')?.focus()
    return true
  }
  if (event.key !== ' ' && event.key !== 'x') return false
  if (chosen) chosen.shifted.current = event.shiftKey
  const box = row.querySelector<HTMLElement>('[role="checkbox"]')
  box?.click()
  return box !== null
}

/** Moves between rows, selects and opens them; ignores other keys. */
export function onListKey(event: KeyboardEvent, keyed: Keyed): void {
  const { count, current, page, move, chosen } = keyed
  const grid = event.currentTarget as HTMLElement
  const target = event.target as HTMLElement
  // Keys in windows that a row opens, which are elsewhere in the document, are theirs.
  const row = grid.contains(target) ? target.closest<HTMLElement>('[role="row"]') : null
  if (row === null) return
  const onRow = target === row
  const isCommand = event.ctrlKey || event.metaKey || event.altKey
  if (isCommand && event.key === 'a' && !event.altKey && chosen && onRow) {
    chosen.chooseLoaded(true)
    event.preventDefault()
    return
  }
  if (isCommand || moveWithin(row, event) || target.matches(ownArrows)) return
  const isArrow = event.key.startsWith('Arrow')
  const to = onRow || isArrow ? rowFor(event.key, current, { last: count - 1, page }) : undefined
  if (isHeader(row)) {
    if (event.key !== 'ArrowDown') return
    move(0)
  } else if (event.key === 'ArrowUp' && current === 0) {
    const header = grid.querySelector<HTMLElement>('[aria-rowindex="1"]')
    const first = header && controlsOf(header)[0]
    if (!first) return
    first.focus()
  } else if (to !== undefined) {
    if (event.shiftKey && isArrow) chosen?.chooseTo(current, to)
    move(to)
  } else if (!onRow || !act(row, event, keyed)) return
  event.preventDefault()
}
