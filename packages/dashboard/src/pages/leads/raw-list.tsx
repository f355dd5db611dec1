import { useMemo, type ReactNode } from 'react'
import { keyOf } from '../../api/hooks.ts'
import { VirtualTable } from '../../ui/index.ts'
import type { Address } from './address.ts'
import { rawColumns } from './columns.tsx'
import { NoRows } from './empty.tsx'
import { rawWindows } from './fetching.ts'
import { FilterBar } from './filter-bar.tsx'
import { conflictsOf, rawInput } from './filters.ts'
import type { Sources } from './sources.ts'

/** Leads of sources in raw mode. */
export function RawList({ address, sources }: { readonly address: Address; readonly sources: Sources }): ReactNode {
  const { filters } = address
  const input = rawInput(filters)
  const fetchWindow = useMemo(() => rawWindows(filters), [filters])
  const columns = useMemo(() => rawColumns(sources), [sources])
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-3xl text-sm text-muted">
        Raw leads are people as they were found: their company and title were not looked up, because their source is set
        to raw. They cost a credit like any lead, are never judged for fit, and are never sent to a webhook or a
        campaign.
      </p>
      <FilterBar address={address} sources={sources} raw />
      {conflictsOf(filters).every(({ at }) => at === 'sourceKind') && (
        <VirtualTable
          label="Raw leads"
          columns={columns}
          queryKey={keyOf('leads', 'listRawLeads', input)}
          fetchWindow={fetchWindow}
          rowId={(row) => row.id}
          rowLabel={(row) => row.name ?? 'somebody without a name'}
          rowHeight={36}
          height="calc(100dvh - 23rem)"
          empty={<NoRows address={address} sources={sources} what="raw lead" />}
        />
      )}
    </div>
  )
}
