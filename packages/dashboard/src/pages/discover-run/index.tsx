import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Discover run". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Discover run">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
