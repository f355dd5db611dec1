import type { ReactNode } from 'react'
import { useTitle } from '../ui/page.tsx'

/** The frame of the pages without navigation: signing in, an invitation, a consent. */
export function AuthFrame({
  title,
  text,
  children,
  footer,
}: {
  readonly title: string
  readonly text?: ReactNode
  readonly children?: ReactNode
  readonly footer?: ReactNode
}): ReactNode {
  useTitle(title)
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-5 px-4 py-10">
      <p className="flex items-center gap-2.5 text-sm font-semibold">
        <img src="/icon.svg" alt="" width={28} height={28} />
        Lead Engagement Service
      </p>
      <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6">
        <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
        {text && <div className="mt-1 text-sm text-muted">{text}</div>}
        {children && <div className="mt-5">{children}</div>}
      </div>
      {footer && <div className="text-sm text-muted">{footer}</div>}
    </main>
  )
}

/** A link in running text. */
export const linkClass = 'rounded text-accent-text underline underline-offset-2'
