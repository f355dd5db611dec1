import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Outreach". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Outreach" text="Campaigns that leads are sent to.">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
