import { useEffect, useRef } from 'react'

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input,textarea,select,[contenteditable="true"],[role="dialog"]') !== null

/** Calls the latest `onKey` for every key pressed on the page. */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const hear = (event: KeyboardEvent) => latest.current(event)
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
}

function primaryNear(element: Element | null): HTMLElement | null {
  for (let part = element; part !== null; part = part.parentElement) {
    const button = part.querySelector<HTMLElement>('[data-primary]')
    if (button !== null) return button
    if (part.matches('[role="dialog"], main')) return null
  }
  return null
}

/** The row of the page's first list that Tab would stop at. */
const firstRow = (): HTMLElement | null => document.querySelector('main [role="grid"] [role="row"][tabindex="0"]')

/** Keys of every page: Ctrl Enter presses the nearest primary button (a disabled one says why), j enters the page's list. */
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
