import { useMemo, type ReactNode } from 'react'
import { keyOf } from '../../api/hooks.ts'
import { VirtualTable } from '../../ui/index.ts'
import type { Address } from './address.ts'
import { BulkBar } from './bulk-bar.tsx'
import { engagerColumns, type Engager } from './columns.tsx'
import { NoRows } from './empty.tsx'
import { Export } from './export.tsx'
import { engagerWindows } from './fetching.ts'
import { FilterBar } from './filter-bar.tsx'
import { conflictsOf, leadInput } from './filters.ts'
import { usePicked } from './selection.ts'
import type { Sources } from './sources.ts'
import { Views } from './views.tsx'

/** Every person once, last engaged first. */
export function EngagerList({
  address,
  sources,
  onLoaded,
}: {
  readonly address: Address
  readonly sources: Sources
  readonly onLoaded: (ids: readonly string[]) => void
}): ReactNode {
  const { filters, search, change } = address
  const fetchWindow = useMemo(() => engagerWindows(filters), [filters])
  const queryKey = keyOf('leads', 'listEngagers', leadInput(filters))
  const picked = usePicked<Engager>(queryKey)
  return (
    <div className="flex flex-col gap-2">
      <FilterBar
        address={address}
        sources={sources}
        raw={false}
        actions={
          <>
            <Views address={address} />
            <Export filters={filters} />
          </>
        }
      />
      {conflictsOf(filters).length === 0 && (
        <>
          <BulkBar picked={picked} filters={filters} />
          <VirtualTable
            label="Engagers"
            columns={engagerColumns}
            queryKey={queryKey}
            fetchWindow={fetchWindow}
            rowId={(row) => row.id}
            rowLabel={(row) => row.name ?? 'somebody without a name'}
            onOpen={(row) => change({ lead: row.id })}
            openId={search.lead}
            selection={picked.selection}
            onLoaded={onLoaded}
            rowHeight={36}
            height="calc(100dvh - 13rem)"
            empty={<NoRows address={address} sources={sources} what="person" />}
          />
        </>
      )}
    </div>
  )
}
