import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Agent". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Agent" text="Finds leads for you from your website.">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
