import { useEffect, useLayoutEffect, type ReactNode } from 'react'
import { cx } from './classes.ts'

/** Takes away the frame that the document came with, now that a page is there in its place. */
function takeFrameAway(): void {
  document.getElementById('frame')?.remove()
  delete document.documentElement.dataset.frame
}

/** Names the browser's tab while the page is shown; every page says its title by this. */
export function useTitle(title: string): void {
  useLayoutEffect(takeFrameAway, [])
  useEffect(() => {
    document.title = `${title} · Lead Engagement Service`
  }, [title])
}

/** The frame of a page: its one heading, a sentence about it, its actions, and the content. */
export function PageFrame({
  title,
  text,
  actions,
  back,
  face,
  dense = false,
  children,
}: {
  readonly title: string
  readonly text?: ReactNode
  readonly actions?: ReactNode
  readonly back?: ReactNode
  /** A picture or sign of what the page is about, before its heading. */
  readonly face?: ReactNode
  /** Less room around, for a page that is one list. */
  readonly dense?: boolean
  readonly children: ReactNode
}): ReactNode {
  useTitle(title)
  return (
    <div className={cx('mx-auto flex w-full max-w-7xl flex-col px-4 sm:px-6', dense ? 'gap-2 py-3' : 'gap-5 py-5')}>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className={cx('min-w-0', dense && 'flex flex-wrap items-baseline gap-x-3')}>
          {back}
          <h1 className="flex items-center gap-2.5 text-xl font-semibold tracking-tight break-words">
            {face}
            <span className="min-w-0">{title}</span>
          </h1>
          {text && <p className={cx('max-w-2xl text-sm text-muted', dense ? 'max-md:hidden' : 'mt-0.5')}>{text}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
