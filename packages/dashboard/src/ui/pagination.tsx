import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { count } from './format.ts'

/** Props of `Pagination`. */
export type PaginationProps = {
  readonly offset: number
  readonly limit: number
  /** Rows on this page. */
  readonly shown: number
  readonly total?: number | undefined
  /** The total is a lower bound. */
  readonly atLeast?: boolean
  readonly hasMore: boolean
  readonly onOffset: (offset: number) => void
}

/** Moves between the pages of a list that is asked for by offset. */
export function Pagination({
  offset,
  limit,
  shown,
  total,
  atLeast = false,
  hasMore,
  onOffset,
}: PaginationProps): ReactNode {
  const range =
    shown === 0
      ? 'No rows'
      : `${count(offset + 1)}–${count(offset + shown)}${total === undefined ? '' : ` of ${count(total)}${atLeast ? '+' : ''}`}`
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 py-2">
      <span className="text-[0.8125rem] text-muted tabular-nums" aria-live="polite">
        {range}
      </span>
      <div className="flex gap-2">
        <Button
          size="sm"
          reason={offset === 0 && 'This is the first page.'}
          onClick={() => onOffset(Math.max(0, offset - limit))}
          icon={<ChevronLeft aria-hidden="true" size={16} />}
        >
          Previous
        </Button>
        <Button size="sm" reason={!hasMore && 'This is the last page.'} onClick={() => onOffset(offset + limit)}>
          Next
          <ChevronRight aria-hidden="true" size={16} />
        </Button>
      </div>
    </nav>
  )
}
