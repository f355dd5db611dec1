import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Keyword search". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Keyword search">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
