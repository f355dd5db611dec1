import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { focusRow, moveWithin, movesRows, rowFor, rowOf, rowsOf, useOneStop } from './grid-keys.ts'

const page = 10
const isBody = (row: HTMLElement): boolean => row.tabIndex >= 0 || row.hasAttribute('tabindex')

/** What the rows of a table need: where they hang, and who listens to the keyboard. */
export type TableKeys = {
  readonly table: RefObject<HTMLTableElement | null>
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/**
 * The keyboard of a table whose rows are all drawn: one of them is in the order of Tab, the one that had the focus last.
 * A row that goes away with the focus hands it to the one that takes its place.
 */
export function useTableKeys(onOpen: ((rowId: string) => void) | undefined, isThere: boolean): TableKeys {
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
