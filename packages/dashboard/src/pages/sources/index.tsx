import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Sources". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Sources" text="What you track, and how well it goes.">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
