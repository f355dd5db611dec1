import { useEffect } from 'react'

/** Milliseconds: a closing window first returns the focus itself. */
const waitMs = 120
const maxPlaces = 12

type Place = { readonly element: HTMLElement; readonly list: HTMLElement | null }

const takesFocus = (element: HTMLElement | null | undefined): boolean => {
  if (!element?.isConnected || element.getClientRects().length === 0 || element.closest('[inert]') !== null)
    return false
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body

/** A window that is closing; its parts lose the focus before it disappears. */
const isClosing = (element: Element): boolean => element.closest('[data-closed], [data-ending-style], [inert]') !== null

/**
 * Keeps keyboard users from being thrown to the top of the page: when the focused element disappears, such as a removed row or a
 * closed window's button, the focus moves to the previous place, else to the content.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const places: Place[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let isPressed = false
    const mend = () => {
      if (!isLost() || places.length === 0) return
      const isMended = places
        .toReversed()
        .some(
          ({ element, list }) =>
            takesFocus(element) ||
            takesFocus(list?.isConnected ? list.querySelector<HTMLElement>('[role="row"][tabindex="0"]') : null),
        )
      if (!isMended) document.getElementById('main')?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (!isLost()) return
      clearTimeout(timer)
      timer = setTimeout(mend, waitMs)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    const removal = new AbortController()
    const { signal } = removal
    // A press on empty space removes the focus on purpose, just after; removing an element also blurs without a target.
    const onPress = () => {
      isPressed = true
      setTimeout(() => {
        isPressed = false
      })
    }
    document.addEventListener('mousedown', onPress, { capture: true, signal })
    document.addEventListener(
      'focusin',
      ({ target }) => {
        if (!(target instanceof HTMLElement) || target.hasAttribute('data-base-ui-focus-guard')) return
        places.push({ element: target, list: target.closest<HTMLElement>('[role="grid"]') })
        if (places.length > maxPlaces) places.shift()
      },
      { signal },
    )
    document.addEventListener(
      'focusout',
      ({ target, relatedTarget }) => {
        if (isPressed && relatedTarget === null && !isClosing(target as Element)) places.length = 0
      },
      { signal },
    )
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      removal.abort()
    }
  }, [])
}
