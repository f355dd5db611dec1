import { useEffect, useRef } from 'react'

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input,textarea,select,[contenteditable="true"],[role="dialog"]') !== null

/** Hears every key that is pressed on the page, as the latest drawing says. */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const hear = (event: KeyboardEvent) => latest.current(event)
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
}

/** The button that goes on with what the focus is in: the primary one of the nearest part that has one. */
function primaryNear(element: Element | null): HTMLElement | null {
  for (let part = element; part !== null; part = part.parentElement) {
    const button = part.querySelector<HTMLElement>('[data-primary]')
    if (button !== null) return button
    if (part.matches('[role="dialog"], main')) return null
  }
  return null
}

/** The row that Tab would stop at in the first list of the page. */
const firstRow = (): HTMLElement | null => document.querySelector('main [role="grid"] [role="row"][tabindex="0"]')

/**
 * Keys of every page: Ctrl Enter presses the primary button of what one is in (what cannot be pressed says why), and j
 * goes to the list of the page from anywhere that is no list.
 */
export function usePageKeys(): void {
  useKeys((event) => {
    if (event.defaultPrevented || event.altKey || event.shiftKey) return
    const isCommand = event.ctrlKey || event.metaKey
    const inDialog = document.querySelector('[role="dialog"]') !== null
    const target =
      event.key === 'Enter' && isCommand
        ? primaryNear(document.activeElement)
        : event.key === 'j' && !isCommand && !inDialog && !isTyping(event.target)
          ? firstRow()
          : null
    if (target === null || target.contains(document.activeElement)) return
    event.preventDefault()
    target.focus()
    if (event.key === 'Enter') target.click()
  })
}
