/** One stop of Tab for a whole grid: the arrow keys move between its rows and within them. */
import { useEffect, type KeyboardEvent, type RefObject } from 'react'

const rowSelector = '[role="row"], tr'
const controlSelector = 'a[href], button, input, select, textarea, [tabindex]'
/** Where arrow keys have a meaning of their own. */
const ownArrows = 'select, textarea, input:not([type="checkbox"]), [aria-haspopup], [aria-expanded="true"]'

const isShown = (element: HTMLElement): boolean =>
  element.getAttribute('aria-hidden') !== 'true' && element.getClientRects().length > 0

/** The row around an element; the element itself when it is one. */
export const rowOf = (element: Element): HTMLElement | null => element.closest<HTMLElement>(rowSelector)

const controlsOf = (row: HTMLElement): readonly HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>(controlSelector)].filter(isShown)

export const rowsOf = (grid: HTMLElement): readonly HTMLElement[] =>
  [...grid.querySelectorAll<HTMLElement>(rowSelector)].filter(isShown)

/** A row of headers has no focus of its own: what sorts or chooses within it has. */
const isHeader = (row: HTMLElement): boolean => row.querySelector('[role="columnheader"], th') !== null

/** Gives a row the focus; of a row of headers the first thing that takes it. */
export function focusRow(row: HTMLElement | undefined): boolean {
  const target = row !== undefined && isHeader(row) ? controlsOf(row)[0] : row
  target?.focus()
  return target !== undefined
}

/** Gives the focus to the grid that an element stands beside, at the row that Tab leads to: for what is about to go away. */
export function focusGridBeside(element: Element | null): void {
  const row = element?.parentElement?.querySelector<HTMLElement>('[role="grid"] [role="row"][tabindex="0"]')
  row?.focus({ preventScroll: true })
}

/**
 * Takes what is in the rows out of the order of Tab, whatever is drawn into them later: the arrow keys lead there. Rows
 * themselves are left to the grid.
 */
export function useOneStop(grid: RefObject<HTMLElement | null>, isThere: boolean): void {
  useEffect(() => {
    const root = grid.current
    if (root === null || !isThere) return
    const take = () => {
      for (const element of root.querySelectorAll<HTMLElement>(controlSelector))
        if (element.tabIndex >= 0 && !element.matches(rowSelector)) element.tabIndex = -1
    }
    take()
    const observer = new MutationObserver(take)
    observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['tabindex', 'href'] })
    return () => observer.disconnect()
  }, [grid, isThere])
}

/**
 * Moves within the row that has the focus, and back to it: right and left to what can be pressed there, Escape to the row.
 * True when the key was for that.
 */
export function moveWithin(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  const row = rowOf(target)
  if (row === null || event.ctrlKey || event.metaKey || event.altKey) return false
  const isControl = target !== row
  if (isControl && target.matches(ownArrows) && event.key !== 'Escape' && !isButton(target, event.key)) return false
  const stops = isHeader(row) ? controlsOf(row) : [row, ...controlsOf(row)]
  const at = stops.indexOf(target)
  const to =
    event.key === 'ArrowRight'
      ? at + 1
      : event.key === 'ArrowLeft'
        ? Math.max(0, at - 1)
        : event.key === 'Escape' && isControl && !isHeader(row)
          ? 0
          : undefined
  if (to === undefined) return false
  stops[to]?.focus()
  event.preventDefault()
  event.stopPropagation()
  return true
}

/** A button that opens a menu goes its own way up and down, not to the sides. */
const isButton = (target: HTMLElement, key: string): boolean =>
  target.matches('button') && (key === 'ArrowLeft' || key === 'ArrowRight')

export const movesRows = (target: HTMLElement): boolean => !target.matches(ownArrows)

/** The row that a key leads to from the row `at`, of those up to `last`, `page` of them in view; undefined for other keys. */
export function rowFor(key: string, at: number, { last, page }: { last: number; page: number }): number | undefined {
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
