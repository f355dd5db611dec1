import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Connect a device". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Connect a device">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
