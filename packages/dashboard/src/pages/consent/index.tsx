import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Connect an app". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Connect an app">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
