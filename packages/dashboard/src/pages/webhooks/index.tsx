import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Webhooks". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Webhooks" text="Where leads are delivered, and how it went.">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
