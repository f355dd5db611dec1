import { sourceKindNames } from '@les/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { api, ApiError, exportAddress, keyOf, useSourceNames, type NamedSource } from '../../api/index.ts'
import {
  Button,
  buttonClass,
  count,
  EmptyState,
  useFirstWindow,
  RecordList,
  type LongProps,
  type Column,
  type Choice,
  type FetchWindow,
  type ListWindow,
  type Selection,
  LinkButton,
} from '../../ui/index.ts'
import type { Address } from './address.ts'
import { BulkBar } from './bulk-bar.tsx'
import {
  engagerColumns,
  leadColumns,
  rawColumns,
  usualColumns,
  type Engager,
  type Lead,
  type RawLead,
} from './columns.tsx'
import { FilterBar, InAll } from './filter-bar.tsx'
import { conflictsOf, leadInput, rawInput, type Filters } from './filters.ts'
import { sorts, type directions } from './search.ts'
import { ColumnChooser, useShownColumns, Views } from './views.tsx'

const longest = 60

function sourceName({ type, label, status }: Pick<NamedSource, 'type' | 'label' | 'status'>): string {
  const name = label.length > longest ? `${label.slice(0, longest)}…` : label
  return `${name} (${sourceKindNames[type].toLowerCase()}${status === 'inactive' ? ', no longer tracked' : ''})`
}

export function useSources() {
  const { sources, isLoaded, find } = useSourceNames()
  return useMemo(() => {
    const choices: Choice[] = [
      { value: '', label: 'Any source' },
      ...[...sources]
        .sort((a, b) => a.status.localeCompare(b.status) || a.label.localeCompare(b.label))
        .map((source) => ({ value: source.id, label: sourceName(source) })),
    ]
    const nameOf = (id: string): string => {
      const source = find(id)
      return source === undefined ? 'a source' : sourceName(source)
    }
    return {
      isLoaded,
      choices,
      tracked: sources.filter(({ status }) => status === 'active').length,
      nameOf,
      kindOf: (id: string) => find(id)?.type ?? 'person',
    }
  }, [sources, isLoaded, find])
}

export type Sources = ReturnType<typeof useSources>

const settleMs = 80

/** Waits until a list that is scrolled fast has come to rest: a window that was only passed is never asked for. */
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

async function inOurWords<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
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

type LeadSort = { readonly sort: (typeof sorts)[number]; readonly direction: (typeof directions)[number] }

const leadWindows =
  (filters: Filters, sorted?: LeadSort): FetchWindow<Lead> =>
  async (offset, limit, signal) => {
    await atRest(offset, signal)
    const page = { ...leadInput(filters), offset, limit }
    const { leads, total, totalExact, hasMore } = await inOurWords(
      sorted === undefined
        ? api.v1('listLeads', page, { signal })
        : api.session('listSortedLeads', { ...page, ...sorted }, { signal }),
    )
    return { rows: leads, total, totalExact, hasMore }
  }

const engagerWindows =
  (filters: Filters): FetchWindow<Engager> =>
  async (offset, limit, signal) => {
    await atRest(offset, signal)
    const { engagers, total, totalExact, hasMore } = await inOurWords(
      api.v1('listEngagers', { ...leadInput(filters), offset, limit }, { signal }),
    )
    return { rows: engagers, total, totalExact, hasMore }
  }

const rawWindows =
  (filters: Filters): FetchWindow<RawLead> =>
  async (offset, limit, signal) => {
    await atRest(offset, signal)
    const { leads, total, totalExact, hasMore } = await inOurWords(
      api.v1('listRawLeads', { ...rawInput(filters), offset, limit }, { signal }),
    )
    return { rows: leads, total, totalExact, hasMore }
  }

/** Rows that are chosen; they stay known when the list scrolls on. `all`: whatever the filters choose, loaded or not. */
export type Picked<T> = {
  readonly rows: readonly T[]
  readonly all: boolean
  readonly matching: string | null
  readonly selection: Selection
  readonly clear: () => void
  readonly chooseAll: () => void
}

/** A set that holds every row there is. */
class Everything extends Set<string> {
  override has(): boolean {
    return true
  }
}
const everything: ReadonlySet<string> = new Everything()

/** Chosen rows of a long list; another list, or other filters, begin with none. */
function usePicked<T extends { readonly id: string }>(queryKey: readonly unknown[]): Picked<T> {
  const client = useQueryClient()
  const name = JSON.stringify(queryKey)
  const [kept, setKept] = useState<{
    readonly of: string
    readonly rows: ReadonlyMap<string, T>
    readonly all: boolean
  }>({ of: name, rows: new Map(), all: false })
  const picked = useMemo(() => (kept.of === name ? kept.rows : new Map<string, T>()), [kept, name])
  const all = kept.of === name && kept.all
  const first = useFirstWindow<T>(queryKey)
  const setPicked = (rows: ReadonlyMap<string, T>, isAll = false) => setKept({ of: name, rows, all: isAll })
  const selected = useMemo(() => (all ? everything : new Set(picked.keys())), [all, picked])
  const onSelected = (next: ReadonlySet<string>) => {
    const loaded = new Map(
      client
        .getQueriesData<ListWindow<T>>({ queryKey })
        .flatMap(([, page]) => page?.rows ?? [])
        .map((row) => [row.id, row]),
    )
    setPicked(
      new Map(
        [...next]
          .map((id) => [id, picked.get(id) ?? loaded.get(id)] as const)
          .filter((entry): entry is [string, T] => entry[1] !== undefined),
      ),
    )
  }
  return {
    rows: [...picked.values()],
    all,
    matching: first === undefined ? null : `${count(first.total)}${first.totalExact === false ? '+' : ''}`,
    selection: { selected, onSelected },
    clear: () => setPicked(new Map()),
    chooseAll: () => setPicked(new Map(), true),
  }
}

function Export({ filters }: { filters: Filters }) {
  if (conflictsOf(filters).length > 0) return null
  return (
    <a
      href={exportAddress(leadInput(filters))}
      download
      title="Every lead that matches the filters, one row each"
      className={buttonClass('secondary')}
    >
      <Download aria-hidden="true" size={16} />
      Export CSV
    </a>
  )
}

const trackLink = (
  <LinkButton to="/sources" search={{ track: true }} variant="primary">
    Track a source
  </LinkButton>
)

function NoRows({
  address,
  sources,
  what,
}: {
  address: Address
  sources: Sources
  what: 'lead' | 'person' | 'raw lead'
}) {
  if (Object.keys(address.filters).length > 0)
    return (
      <EmptyState
        title={`No ${what} matches`}
        text="All filters must hold at once. Take one away, or begin again without any."
        action={
          <Button variant="primary" onClick={address.clear}>
            Clear the filters
          </Button>
        }
      />
    )
  if (what === 'raw lead')
    return (
      <EmptyState
        title="No raw leads"
        text="A source collects raw leads when its settings say that details are not to be looked up. None of yours has found any."
        action={<LinkButton to="/sources">See the sources</LinkButton>}
      />
    )
  if (sources.isLoaded && sources.tracked === 0)
    return (
      <EmptyState
        title="Nobody is watched yet"
        text={
          'Leads are the people who react to or comment on posts. Track a person, ' +
          'a company page, a post or a topic, and they appear here by themselves.'
        }
        action={trackLink}
      />
    )
  return (
    <EmptyState
      title="No leads yet"
      text={
        'Your sources are read about once a day, and for the first time right ' +
        'after you track them. Leads appear here by themselves; no need to reload.'
      }
      action={
        <>
          <LinkButton to="/sources">See how the sources are doing</LinkButton>
          {trackLink}
        </>
      }
    />
  )
}

type ListProps = { address: Address; sources: Sources; onLoaded: (ids: readonly string[]) => void }

function PickedList<T extends Lead | Engager>({
  address,
  sources,
  actions,
  push,
  above,
  what,
  ...grid
}: LongProps<T> &
  Omit<ListProps, 'onLoaded'> & {
    actions?: ReactNode
    push?: boolean
    above?: ReactNode
    what: 'lead' | 'person'
    label: string
    columns: readonly Column<T>[]
  }) {
  const { filters, search, change } = address
  const picked = usePicked<T>(grid.queryKey)
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
            <Export filters={filters} />
          </>
        }
      />
      {conflictsOf(filters).length === 0 && (
        <>
          {above}
          <BulkBar picked={picked} filters={filters} push={push ?? false} />
          <RecordList
            {...grid}
            rowId={(row) => row.id}
            rowLabel={(row) => row.name ?? 'somebody without a name'}
            onOpen={(row) => change({ lead: row.id })}
            openId={search.lead}
            selection={picked.selection}
            rowHeight={36}
            height="calc(100dvh - 13rem)"
            empty={<NoRows address={address} sources={sources} what={what} />}
          />
        </>
      )}
    </div>
  )
}

/** Every engagement as a row of its own, newest first. */
export function LeadList(props: ListProps) {
  const { filters, search, change } = props.address
  const { sort, direction = 'up' } = search
  const fetchWindow = useMemo(() => leadWindows(filters, sort && { sort, direction }), [filters, sort, direction])
  const queryKey = keyOf('leads', 'listLeads', leadInput(filters), sort ? `${sort} ${direction}` : 'newest')
  const columns = useShownColumns(props.address, leadColumns, usualColumns)
  return (
    <PickedList<Lead>
      {...props}
      label="Leads"
      columns={columns.shown}
      queryKey={queryKey}
      fetchWindow={fetchWindow}
      actions={<ColumnChooser all={leadColumns} {...columns} />}
      above={<InAll queryKey={queryKey} filters={filters} />}
      push
      what="lead"
      sort={{
        by: sort,
        direction,
        onSort: (by, next) => change({ sort: sorts.find((each) => each === by), direction: next }),
      }}
    />
  )
}

/** Every person once, last engaged first. */
export function EngagerList(props: ListProps) {
  const { filters } = props.address
  const fetchWindow = useMemo(() => engagerWindows(filters), [filters])
  return (
    <PickedList<Engager>
      {...props}
      label="Engagers"
      columns={engagerColumns}
      queryKey={keyOf('leads', 'listEngagers', leadInput(filters))}
      fetchWindow={fetchWindow}
      what="person"
    />
  )
}

export function RawList({ address, sources }: { address: Address; sources: Sources }) {
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
        <RecordList
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
