import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Credits". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Credits" text="What you spend, and what you get for it.">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
