import { useEffect, type ReactNode } from 'react'

/** Names the browser's tab while the page is shown. */
export function useTitle(title: string): void {
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
  children,
}: {
  readonly title: string
  readonly text?: ReactNode
  readonly actions?: ReactNode
  readonly back?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  useTitle(title)
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-5 sm:px-6">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          {back}
          <h1 className="text-xl font-semibold tracking-tight break-words">{title}</h1>
          {text && <p className="mt-0.5 max-w-2xl text-sm text-muted">{text}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
