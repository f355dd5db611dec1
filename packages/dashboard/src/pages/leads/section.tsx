import { useId, type ReactNode } from 'react'

/** A part of the detail under its own heading. */
export function Section({
  title,
  aside,
  children,
}: {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <header className="flex flex-wrap items-baseline justify-between gap-2">
        <h3 id={id} className="text-sm font-semibold">
          {title}
        </h3>
        {aside && <span className="text-[0.8125rem] text-muted">{aside}</span>}
      </header>
      {children}
    </section>
  )
}
