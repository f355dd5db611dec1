import { useEffect } from 'react'

/** A closing window gives the focus back by itself first. */
const waitMs = 120
const most = 12

type Place = { readonly element: HTMLElement; readonly around: readonly HTMLElement[] }

const ancestorsOf = (element: HTMLElement): HTMLElement[] =>
  element.parentElement === null ? [] : [element.parentElement, ...ancestorsOf(element.parentElement)]

const takesFocus = (element: HTMLElement): boolean => {
  if (!element.isConnected || element.getClientRects().length === 0 || element.closest('[inert]') !== null) return false
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

/** The stop of Tab in what is left around a place that went away: the row of its list, else nothing. */
const nearby = ({ around }: Place): HTMLElement | null =>
  around
    .find((each) => each.isConnected && each.matches('[role="grid"]'))
    ?.querySelector('[role="row"][tabindex="0"]') ?? null

/**
 * Pressing beside everything takes the focus away on purpose, right after the press. What is removed says so while it
 * still stands in the document, so that this alone would not tell the two apart.
 */
function watchPresses(): { readonly isNow: () => boolean; readonly stop: () => void } {
  let isNow = false
  const onPress = () => {
    isNow = true
    setTimeout(() => {
      isNow = false
    })
  }
  document.addEventListener('mousedown', onPress, true)
  return { isNow: () => isNow, stop: () => document.removeEventListener('mousedown', onPress, true) }
}

/**
 * Somebody without a mouse is never thrown back to the top of the page: when what has the focus goes away, such as a
 * row that was removed or a window whose button is gone, the focus goes to the place before, else to the content.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const places: Place[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const isLost = () => document.activeElement === null || document.activeElement === document.body
    const mend = () => {
      if (!isLost() || places.length === 0) return
      for (const place of [...places].reverse()) {
        if (takesFocus(place.element)) return
        const row = nearby(place)
        if (row !== null && takesFocus(row)) return
      }
      document.getElementById('main')?.focus({ preventScroll: true })
    }
    const look = () => {
      if (!isLost()) return
      clearTimeout(timer)
      timer = setTimeout(mend, waitMs)
    }
    const onFocus = (event: FocusEvent) => {
      const element = event.target
      if (!(element instanceof HTMLElement) || element.hasAttribute('data-base-ui-focus-guard')) return
      places.push({ element, around: ancestorsOf(element) })
      if (places.length > most) places.shift()
    }
    const press = watchPresses()
    const onBlur = (event: FocusEvent) => {
      if (press.isNow() && event.relatedTarget === null && !isClosing(event.target as Element)) places.length = 0
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', onBlur)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      press.stop()
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', onBlur)
    }
  }, [])
}

/** A window on its way out, whose parts lose the focus before they go. */
const isClosing = (element: Element): boolean => element.closest('[data-closed], [data-ending-style], [inert]') !== null
