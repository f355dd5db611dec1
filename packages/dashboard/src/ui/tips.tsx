import { Tooltip as Base } from '@base-ui/react/tooltip'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'

const restMs = 400

const tippedBy = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null

type Shown = { readonly element: HTMLElement; readonly text: string }

/** The element whose tooltip is shown: hovered, focused by the keyboard, or touched. */
function useShown(popup: { current: HTMLElement | null }): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let pressedWith = ''
    const show = (element: HTMLElement | null, inMs: number) => {
      clearTimeout(timer)
      const text = element?.dataset.tip
      if (element === null || !text) return setShown(null)
      if (inMs === 0) return setShown({ element, text })
      timer = setTimeout(() => setShown({ element, text }), inMs)
    }
    const hide = () => show(null, 0)
    const removal = new AbortController()
    const on = <K extends keyof DocumentEventMap>(name: K, listener: (event: DocumentEventMap[K]) => void) =>
      document.addEventListener(name, listener, { signal: removal.signal })
    on('pointerover', ({ pointerType, target }) => {
      if (pointerType === 'mouse' && !popup.current?.contains(target as Node)) show(tippedBy(target), restMs)
    })
    on('focusin', ({ target }) => {
      const element = target as HTMLElement
      if (element.matches(':focus-visible')) show(element.dataset.tip ? element : null, 0)
    })
    on('focusout', hide)
    on('pointerdown', ({ pointerType }) => {
      pressedWith = pointerType
    })
    on('click', (event) => {
      // A finger does not hover, so its touch shows the tooltip at once. Where a click has no pointer type, the press before it has.
      const byFinger = ((event as Partial<PointerEvent>).pointerType ?? pressedWith) === 'touch'
      const element = tippedBy(event.target)
      show(byFinger || element?.getAttribute('aria-disabled') === 'true' ? element : null, 0)
    })
    on('keydown', ({ key }) => key === 'Escape' && hide())
    return () => {
      clearTimeout(timer)
      removal.abort()
    }
  }, [popup])
  const about = shown?.element
  useEffect(() => {
    if (about === undefined) return
    // The words may change or disappear while they are shown.
    const observer = new MutationObserver(() => {
      const text = about.dataset.tip
      setShown(text ? { element: about, text } : null)
    })
    observer.observe(about, { attributes: true, attributeFilter: ['data-tip'] })
    return () => observer.disconnect()
  }, [about])
  return shown
}

/** Shows the tooltip of any element with `data-tip`. One instance for all, so an element costs nothing until it is shown. */
export function Tips() {
  const id = useId()
  const popup = useRef<HTMLDivElement>(null)
  const shown = useShown(popup)
  useLayoutEffect(() => {
    if (shown === null) return
    const { element, text } = shown
    // Words that a screen reader already reads as label or description are not repeated.
    if (element.hasAttribute('aria-describedby') || element.getAttribute('aria-label') === text) return
    element.setAttribute('aria-describedby', id)
    return () => element.removeAttribute('aria-describedby')
  }, [shown, id])
  return (
    <Base.Root open={shown !== null}>
      <Base.Portal>
        <Base.Positioner anchor={shown?.element ?? null} sideOffset={6} collisionPadding={6} className="z-50">
          <Base.Popup
            ref={popup}
            id={id}
            role="tooltip"
            className="max-w-64 rounded-md bg-ink px-2 py-1 text-xs break-words whitespace-pre-line text-bg shadow-md"
          >
            {shown?.text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
