import { sourceKindNames } from '@les/contract'
import { useQueryClient } from '@tanstack/react-query'

import { useMemo, useState, type ReactNode } from 'react'
import { ApiError, ask, exportAddress, keyOf, useSourceNames, type NamedSource } from '../../api/index.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.tsx'
import type { Choice } from '../../ui/field.tsx'
import { count, shortened } from '../../ui/format.ts'
import { DownloadLink, LinkButton, PrimaryLink } from '../../ui/link.tsx'
import { RecordList, type LongProps } from '../../ui/record-list.tsx'
import type { Emptiness } from '../../ui/show.tsx'
import { useFirstWindow, type FetchWindow, type ListWindow, type Selection } from '../../ui/windows.ts'
import { leadSorts } from '../../app/searches.ts'
import type { Address } from './address.ts'
import { BulkBar } from './bulk-bar.tsx'
import {
  engagerColumns,
  excludeColumn,
  leadColumns,
  rawColumns,
  usualColumns,
  type Engager,
  type Lead,
  type RawLead,
} from './columns.tsx'
import { FilterBar, InAll } from './filter-bar.tsx'
import { conflictsOf, leadInput, rawInput } from './filters.ts'
import { ColumnChooser, useShownColumns, Views } from './views.tsx'

function sourceName({ type, label, status }: NamedSource): string {
  const name = shortened(label, 60)
  return `${name} (${sourceKindNames[type].toLowerCase()}${status === 'inactive' ? ', no longer tracked' : ''})`
}

export function useSources() {
  const { sources, isLoaded, find } = useSourceNames()
  return useMemo(() => {
    const named = sources
      .toSorted((a, b) => a.status.localeCompare(b.status) || a.label.localeCompare(b.label))
      .map((source): Choice => ({ value: source.id, label: sourceName(source) }))
    return {
      choices: [{ value: '', label: 'Any source' }, ...named],
      isNoneTracked: isLoaded && sources.every(({ status }) => status !== 'active'),
      nameOf: (id: string): string => {
        const source = find(id)
        return source === undefined ? 'a source' : sourceName(source)
      },
    }
  }, [sources, isLoaded, find])
}

export type Sources = ReturnType<typeof useSources>

const settleMs = 80

/** Waits until fast scrolling stops, so that windows only passed are not fetched. */
function atRest(offset: number, signal: AbortSignal): Promise<void> {
  if (offset === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, settleMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** Fetches windows by a read, and rewords the refusal for an unknown source. */
const windowsOf =
  <T,>(read: (page: { offset: number; limit: number }, settings: { signal: AbortSignal }) => Promise<ListWindow<T>>) =>
  async (offset: number, limit: number, signal: AbortSignal): Promise<ListWindow<T>> => {
    await atRest(offset, signal)
    try {
      return await read({ offset, limit }, { signal })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      const isUntracked = error.message.includes('includeInactive')
      throw new ApiError(404, {
        ...error.body,
        error: isUntracked
          ? 'That source is no longer tracked. To read what it captured, turn on “Show leads of sources no longer tracked” under All filters.'
          : 'There is no such source in this team. Choose another source, or clear the filters.',
      })
    }
  }

/** The chosen rows, kept when the list scrolls; `all`: everything the filters match, loaded or not. */
export type Picked<T> = {
  readonly rows: readonly T[]
  readonly all: boolean
  readonly matching: string | null
  readonly selection: Selection
  readonly clear: () => void
  readonly chooseAll: () => void
}

class Everything extends Set<string> {
  override has(): boolean {
    return true
  }
}
const everything: ReadonlySet<string> = new Everything()

/** The selection of a long list; another list or other filters start empty. */
function usePicked<T extends { readonly id: string }>(queryKey: readonly unknown[]): Picked<T> {
  const client = useQueryClient()
  const name = JSON.stringify(queryKey)
  const none = { of: name, rows: [] as readonly T[], all: false }
  const [kept, setKept] = useState(none)
  const { rows, all } = kept.of === name ? kept : none
  const first = useFirstWindow<T>(queryKey)
  const onSelected = (next: ReadonlySet<string>) => {
    const loaded = client.getQueriesData<ListWindow<T>>({ queryKey }).flatMap(([, page]) => page?.rows ?? [])
    const byId = new Map([...loaded, ...rows].map((row) => [row.id, row]))
    setKept({ ...none, rows: [...next].flatMap((id) => byId.get(id) ?? []) })
  }
  return {
    rows,
    all,
    matching: first === undefined ? null : `${count(first.total)}${first.totalExact === false ? '+' : ''}`,
    selection: { selected: all ? everything : new Set(rows.map(({ id }) => id)), onSelected },
    clear: () => setKept(none),
    chooseAll: () => setKept({ ...none, all: true }),
  }
}

const trackLink = (
  <PrimaryLink to="/sources" search={{ track: true }}>
    Track a source
  </PrimaryLink>
)

type Part = { readonly address: Address; readonly sources: Sources }

function noRows({ address, sources }: Part, what: 'lead' | 'person' | 'raw lead'): Emptiness {
  if (Object.keys(address.filters).length > 0)
    return {
      title: `No ${what} matches`,
      text: 'A lead must match all filters. Remove one, or start again without any.',
      action: (
        <Button variant="primary" onClick={address.clear}>
          Clear the filters
        </Button>
      ),
    }
  if (what === 'raw lead')
    return {
      title: 'No raw leads',
      text: 'A source collects raw leads when its settings say not to look up details. None of yours has found any.',
      action: <LinkButton to="/sources">See the sources</LinkButton>,
    }
  if (sources.isNoneTracked)
    return {
      title: 'Nobody is watched yet',
      text: 'Leads are the people who react to or comment on posts. Track a person, a company page, a post or a topic, and they appear here automatically.',
      action: trackLink,
    }
  return {
    title: 'No leads yet',
    text: 'Your sources are read about once a day, and for the first time right after you track them. Leads appear here automatically; no need to reload.',
    action: (
      <>
        <LinkButton to="/sources">See how the sources are doing</LinkButton>
        {trackLink}
      </>
    ),
  }
}

const look = {
  rowLabel: (row: { readonly name: string | null }) => row.name ?? 'somebody without a name',
  rowHeight: 36,
}

function PickedList<T extends Lead | Engager>({
  address,
  sources,
  actions,
  above,
  what,
  ...list
}: LongProps<T> &
  Part & {
    actions?: ReactNode
    above?: ReactNode
    what: 'lead' | 'person'
    label: string
    columns: readonly Column<T>[]
  }) {
  const { filters, search, change } = address
  const picked = usePicked<T>(list.queryKey)
  const isGood = conflictsOf(filters).length === 0
  return (
    <div className="flex flex-col gap-2">
      <FilterBar
        address={address}
        sources={sources}
        raw={false}
        actions={
          <>
            <Views address={address} />
            {actions}
            {isGood && (
              <DownloadLink
                href={exportAddress(leadInput(filters))}
                title="Every lead that matches the filters, one row each"
              >
                Export CSV
              </DownloadLink>
            )}
          </>
        }
      />
      {isGood && (
        <>
          {above}
          <BulkBar picked={picked} filters={filters} push={what === 'lead'} />
          <RecordList
            {...look}
            {...list}
            onOpen={(row) => change({ lead: row.id })}
            openId={search.lead}
            selection={picked.selection}
            height="calc(100dvh - 13rem)"
            empty={noRows({ address, sources }, what)}
          />
        </>
      )}
    </div>
  )
}

type ListProps = Part & { readonly onLoaded: (ids: readonly string[]) => void }

export function LeadList(props: ListProps) {
  const { filters, search, change } = props.address
  const { sort, direction = 'up' } = search
  const fetchWindow: FetchWindow<Lead> = windowsOf(async (page, settings) => {
    const asked = { ...leadInput(filters), ...page }
    const { leads, ...rest } = await (sort === undefined
      ? ask('listLeads', asked, settings)
      : ask('listSortedLeads', { ...asked, sort, direction }, settings))
    return { ...rest, rows: leads }
  })
  const queryKey = keyOf('leads', 'listLeads', leadInput(filters), sort ? `${sort} ${direction}` : 'newest')
  const columns = useShownColumns(props.address, leadColumns, usualColumns)
  return (
    <PickedList<Lead>
      {...props}
      label="Leads"
      columns={[...columns.shown, excludeColumn]}
      queryKey={queryKey}
      fetchWindow={fetchWindow}
      actions={<ColumnChooser all={leadColumns} {...columns} />}
      above={<InAll queryKey={queryKey} filters={filters} />}
      what="lead"
      sort={{
        by: sort,
        direction,
        onSort: (by, next) => change({ sort: leadSorts.find((each) => each === by), direction: next }),
      }}
    />
  )
}

/** Every person once, last engaged first. */
export function EngagerList(props: ListProps) {
  const asked = leadInput(props.address.filters)
  const fetchWindow: FetchWindow<Engager> = windowsOf(async (page, settings) => {
    const { engagers, ...rest } = await ask('listEngagers', { ...asked, ...page }, settings)
    return { ...rest, rows: engagers }
  })
  return (
    <PickedList<Engager>
      {...props}
      label="Engagers"
      columns={engagerColumns}
      queryKey={keyOf('leads', 'listEngagers', asked)}
      fetchWindow={fetchWindow}
      what="person"
    />
  )
}

export function RawList({ address, sources }: Part) {
  const { filters } = address
  const asked = rawInput(filters)
  const fetchWindow: FetchWindow<RawLead> = windowsOf(async (page, settings) => {
    const { leads, ...rest } = await ask('listRawLeads', { ...asked, ...page }, settings)
    return { ...rest, rows: leads }
  })
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
        <RecordList
          {...look}
          label="Raw leads"
          columns={columns}
          queryKey={keyOf('leads', 'listRawLeads', asked)}
          fetchWindow={fetchWindow}
          height="calc(100dvh - 23rem)"
          empty={noRows({ address, sources }, 'raw lead')}
        />
      )}
    </div>
  )
}
