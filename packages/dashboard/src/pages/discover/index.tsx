import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Discover". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Discover" text="Find people who post about a topic.">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
