import { lazy, Suspense, type ReactNode } from 'react'
import { Loaded, Skeleton } from '../../ui/index.ts'
import type { SearchPart } from '../keyword-edit/parts.tsx'
import { useSettings, type Health } from './source.ts'

const Part = lazy(() => import('../keyword-edit/parts.tsx').then((module) => ({ default: module.Part })))

/** A part that only a keyword search has, once the search is read; `quiet`: nothing until then. */
export function OfSearch({
  source,
  part,
  quiet = false,
}: {
  readonly source: Health
  readonly part: SearchPart
  readonly quiet?: boolean
}): ReactNode {
  const query = useSettings(source)
  if (quiet)
    return query.data === undefined ? null : (
      <Suspense fallback={null}>
        <Part part={part} row={query.data} />
      </Suspense>
    )
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <Loaded query={query}>{(row) => <Part part={part} row={row} />}</Loaded>
    </Suspense>
  )
}
