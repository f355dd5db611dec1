import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Settings". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Settings" text="Your team, its members and its keys.">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
