import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, type RefObject } from 'react'

/** Whoever goes to another page begins at its top, and by the keyboard in its content; the eye sees no difference. */
export function useArrival(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    main.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [pathname])
  return main
}
