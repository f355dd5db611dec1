import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, type RefObject } from 'react'

/** How long a page may take to come before nothing is looked for on it any more. */
const mostMs = 5_000

/**
 * Whoever goes to another page begins at its top, and by the keyboard in its content; where the address names a tab, in
 * what that tab shows. The eye sees no difference until a key moves the focus.
 */
export function useArrival(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const { pathname, search } = useLocation()
  const before = useRef(pathname)
  const namesTab = 'tab' in search && search.tab !== undefined
  useEffect(() => {
    const content = main.current
    if (before.current === pathname || content === null) return
    before.current = pathname
    content.focus({ preventScroll: true })
    scrollTo(0, 0)
    if (!namesTab) return
    // The focus may come to the content only once the window that led here has closed.
    const enter = () => {
      const panel = content.querySelector<HTMLElement>('[role="tabpanel"]')
      if (panel === null || document.activeElement !== content) return
      stop()
      panel.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(enter)
    const timer = setTimeout(() => stop(), mostMs)
    const stop = () => {
      clearTimeout(timer)
      observer.disconnect()
      content.removeEventListener('focus', enter)
    }
    observer.observe(content, { childList: true, subtree: true })
    content.addEventListener('focus', enter)
    enter()
    return stop
  }, [pathname, namesTab])
  return main
}
