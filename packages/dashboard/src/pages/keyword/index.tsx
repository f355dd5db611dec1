import type { ReactNode } from 'react'
import { EmptyState, PageFrame } from '../../ui/index.ts'

/** The page "Keyword searches". */
export function Page(): ReactNode {
  return (
    <PageFrame title="Keyword searches" text="Daily searches for posts on your topics.">
      <EmptyState title="Nothing here yet" />
    </PageFrame>
  )
}
