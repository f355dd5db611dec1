import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Source". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Source">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
