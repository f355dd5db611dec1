/** The keyboard of a list: one stop of Tab, the arrow keys move between its rows and within them. */
import { useEffect, type KeyboardEvent, type RefObject } from 'react'
import type { Chosen } from './windows.ts'

const controlSelector = 'a[href], button, input, select, textarea, [tabindex]'
/** Where arrow keys have a meaning of their own. */
const ownArrows = 'select, textarea, input:not([type="checkbox"]), [aria-haspopup], [aria-expanded="true"]'

const isShown = (element: HTMLElement): boolean =>
  element.getAttribute('aria-hidden') !== 'true' && element.getClientRects().length > 0

const controlsOf = (row: HTMLElement): readonly HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>(controlSelector)].filter(isShown)

/** A row of headers has no focus of its own: what sorts or chooses within it has. */
const isHeader = (row: HTMLElement): boolean => row.matches('[aria-rowindex="1"]')

/** Gives the focus to the list next to an element, at the row that Tab leads to: for what is about to go away. */
export function focusListNextTo(element: Element | null): void {
  const row = element?.parentElement?.querySelector<HTMLElement>('[role="grid"] [role="row"][tabindex="0"]')
  row?.focus({ preventScroll: true })
}

/** Takes what is in the rows out of the order of Tab, whatever is drawn into them later: the arrow keys lead there. */
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

/** A button that opens a menu uses the keys up and down, not those to the sides. */
const isSidewaysOnButton = (target: HTMLElement, key: string): boolean =>
  target.matches('button') && (key === 'ArrowLeft' || key === 'ArrowRight')

/** Moves within a row: right and left to what can be pressed there, Escape back to the row. True when the key was for that. */
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

type Keyed = {
  readonly count: number
  /** The row with the focus. */
  readonly current: number
  /** Rows in view. */
  readonly page: number
  readonly move: (to: number) => void
  readonly chosen: Pick<Chosen<never>, 'chooseLoaded' | 'chooseTo' | 'shifted'> | null
  readonly open: ((index: number) => void) | undefined
}

/** Opens or ticks a row; without anything to open the focus goes to its first control. False for other keys. */
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

/** Moves through the rows of a list, chooses and opens them; other keys are left to the page. */
export function onListKey(event: KeyboardEvent, keyed: Keyed): void {
  const { count, current, page, move, chosen } = keyed
  const grid = event.currentTarget as HTMLElement
  const target = event.target as HTMLElement
  // Windows that a row opens lie elsewhere in the document, and their keys are their own.
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
