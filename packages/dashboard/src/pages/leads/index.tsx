import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Leads". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Leads" text="Everyone who engaged with the posts you track.">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
