import { useEffect } from 'react'

/** A closing window gives the focus back by itself first. */
const waitMs = 120
const maxPlaces = 12

/** Something that had the focus, and the list around it. */
type Place = { readonly element: HTMLElement; readonly list: HTMLElement | null }

const takesFocus = (element: HTMLElement | null | undefined): boolean => {
  if (!element?.isConnected || element.getClientRects().length === 0 || element.closest('[inert]') !== null)
    return false
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body

/** A window on its way out, whose parts lose the focus before they go. */
const isClosing = (element: Element): boolean => element.closest('[data-closed], [data-ending-style], [inert]') !== null

/**
 * Somebody without a mouse is never thrown back to the top of the page: when what has the focus goes away, such as a row that was
 * removed or a window whose button is gone, the focus goes to the place before, else to the content.
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
    // A press outside of everything takes the focus away on purpose, right after it; what is removed blurs towards nothing too.
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
