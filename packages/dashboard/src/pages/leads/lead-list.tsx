import { useMemo, type ReactNode } from 'react'
import { keyOf } from '../../api/hooks.ts'
import { VirtualTable } from '../../ui/index.ts'
import type { Address } from './address.ts'
import { BulkBar } from './bulk-bar.tsx'
import { leadColumns, usualColumns, type Lead } from './columns.tsx'
import { NoRows } from './empty.tsx'
import { Export } from './export.tsx'
import { leadWindows } from './fetching.ts'
import { FilterBar } from './filter-bar.tsx'
import { conflictsOf, leadInput } from './filters.ts'
import { usePicked } from './selection.ts'
import { sorts } from './search.ts'
import { ColumnChooser, useShownColumns } from './shown-columns.tsx'
import type { Sources } from './sources.ts'
import { InAll } from './totals.tsx'
import { Views } from './views.tsx'

/** Every engagement as a row of its own, newest first. */
export function LeadList({
  address,
  sources,
  onLoaded,
}: {
  readonly address: Address
  readonly sources: Sources
  readonly onLoaded: (ids: readonly string[]) => void
}): ReactNode {
  const { filters, search, change } = address
  const { sort, direction = 'up' } = search
  const fetchWindow = useMemo(() => leadWindows(filters, sort && { sort, direction }), [filters, sort, direction])
  const queryKey = keyOf('leads', 'listLeads', leadInput(filters), sort ? `${sort} ${direction}` : 'newest')
  const columns = useShownColumns(address, leadColumns, usualColumns)
  const picked = usePicked<Lead>(queryKey)
  return (
    <div className="flex flex-col gap-2">
      <FilterBar
        address={address}
        sources={sources}
        raw={false}
        actions={
          <>
            <Views address={address} />
            <ColumnChooser all={leadColumns} {...columns} />
            <Export filters={filters} />
          </>
        }
      />
      {conflictsOf(filters).length === 0 && (
        <>
          <InAll queryKey={queryKey} filters={filters} />
          <BulkBar picked={picked} filters={filters} push />
          <VirtualTable
            label="Leads"
            columns={columns.shown}
            queryKey={queryKey}
            fetchWindow={fetchWindow}
            rowId={(row) => row.id}
            rowLabel={(row) => row.name ?? 'somebody without a name'}
            onOpen={(row) => change({ lead: row.id })}
            openId={search.lead}
            selection={picked.selection}
            sort={{
              by: sort,
              direction,
              onSort: (by, next) => change({ sort: sorts.find((each) => each === by), direction: next }),
            }}
            onLoaded={onLoaded}
            rowHeight={36}
            height="calc(100dvh - 13rem)"
            empty={<NoRows address={address} sources={sources} what="lead" />}
          />
        </>
      )}
    </div>
  )
}
