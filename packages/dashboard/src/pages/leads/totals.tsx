import type { ReactNode } from 'react'
import { useV1Query } from '../../api/hooks.ts'
import { count, countOf, useFirstWindow } from '../../ui/index.ts'
import type { Filters } from './filters.ts'

/** How many of all leads the filters choose; says "at least" where the service counts no further. */
export function InAll({
  queryKey,
  filters,
}: {
  readonly queryKey: readonly unknown[]
  readonly filters: Filters
}): ReactNode {
  const chosen = useFirstWindow(queryKey)
  const isFiltered = Object.keys(filters).length > 0
  const { data: all } = useV1Query(
    'listLeads',
    { includeSyncing: true, limit: 1 },
    { topic: 'leads', enabled: isFiltered, staleTime: 30_000 },
  )
  if (!isFiltered || chosen === undefined || all === undefined || all.total < chosen.total) return null
  const least = (page: { readonly totalExact?: boolean | undefined }) => (page.totalExact === false ? 'at least ' : '')
  return (
    <p className="text-[0.8125rem] text-muted tabular-nums">
      The filters choose {least(chosen)}
      {count(chosen.total)} of {least(all)}
      {countOf(all.total, 'lead')}.
    </p>
  )
}
