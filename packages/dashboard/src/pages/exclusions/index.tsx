import { exclusionKindNames, exclusionListInWords, exclusionListNames, exclusionOrigins } from '@les/contract'
import { getRouteApi } from '@tanstack/react-router'
import { Ban, FileUp, Plus } from 'lucide-react'
import { useState } from 'react'
import { useV1Query, type V1Result } from '../../api/index.ts'
import { compact } from '../../app/search.ts'
import { textOf } from '../../shell/navigation.ts'
import {
  Badge,
  Card,
  choicesOf,
  count,
  EmptyState,
  PageFrame,
  RecordList,
  RoleButton,
  SelectField,
  Served,
  Tabs,
  TextField,
  TimeAgo,
  useTyped,
  type Choice,
  type Column,
} from '../../ui/index.ts'
import { AddDialog, ImportDialog } from './add.tsx'
import { useExclude } from './exclude.tsx'
import { kinds, type Search } from './search.ts'
import { SettingsTab } from './settings.tsx'

const route = getRouteApi('/signed-in/team/exclusions')

function useAddress() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  /** `undefined` takes a parameter out. */
  const change = (patch: { readonly [Name in keyof Search]: Search[Name] | undefined }) =>
    void navigate({ search: (before) => compact({ ...before, ...patch }), resetScroll: false })
  return { search, change }
}

type Address = ReturnType<typeof useAddress>
type Entry = V1Result<'listExclusions'>['entries'][number]

function Remove({ entry }: { entry: Entry }) {
  const { remove } = useExclude()
  return (
    <RoleButton needs="member" size="sm" onClick={() => void remove(entry)}>
      Remove
    </RoleButton>
  )
}

const columns: readonly Column<Entry>[] = [
  {
    id: 'value',
    header: 'Who',
    width: 'minmax(200px, 2fr)',
    cell: (entry) => (
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge>{exclusionKindNames[entry.kind]}</Badge>
        <span className="min-w-0 font-medium break-all">{entry.value}</span>
      </div>
    ),
  },
  { id: 'list', header: 'List', cell: (entry) => exclusionListInWords(entry.list) },
  { id: 'reason', header: 'Reason', width: 'minmax(120px, 1fr)', cell: (entry) => entry.reason ?? '–' },
  {
    id: 'added',
    header: 'Added',
    cell: (entry) => (
      <>
        <TimeAgo at={entry.createdAt} />
        <p className="text-[0.8125rem] break-all text-muted">
          {exclusionOrigins[entry.origin]}, {entry.createdBy}
        </p>
      </>
    ),
  },
  { id: 'remove', header: 'Remove', hideHeader: true, align: 'end', cell: (entry) => <Remove entry={entry} /> },
]

const anyKind = { value: '', label: 'Every kind' }

/** What a list is called, with how many entries it has. */
function useListLabel(list: keyof typeof exclusionListNames): string {
  const { data } = useV1Query('listExclusions', { list, limit: 1 }, { topic: 'leads', staleTime: 30_000 })
  return `${exclusionListNames[list]}${data === undefined ? '' : ` (${count(data.total)})`}`
}

/** The lists to choose from: a team's own are known by their entries. */
const useListChoices = (own: readonly string[]): readonly Choice[] => [
  { value: '', label: 'Every list' },
  { value: 'do_not_contact', label: useListLabel('do_not_contact') },
  { value: 'customers', label: useListLabel('customers') },
  { value: 'competitors', label: useListLabel('competitors') },
  { value: 'own_team', label: useListLabel('own_team') },
  ...own.map((value) => ({ value, label: value })),
]

function Filters({ address: { search, change }, own }: { address: Address; own: readonly string[] }) {
  const { typed, setTyped } = useTyped(search.query, (query) => change({ query, offset: undefined }))
  return (
    <div className="flex flex-wrap gap-3 border-b border-line px-4 py-3">
      <SelectField
        label="List"
        className="w-52"
        value={search.list ?? ''}
        onValue={(value) => change({ list: value === '' ? undefined : value, offset: undefined })}
        choices={useListChoices(own)}
      />
      <SelectField
        label="Kind"
        className="w-44"
        value={search.kind ?? ''}
        onValue={(value) => change({ kind: kinds.find((kind) => kind === value), offset: undefined })}
        choices={[anyKind, ...choicesOf(exclusionKindNames)]}
      />
      <TextField
        label="Search"
        className="min-w-48 flex-1"
        type="search"
        maxLength={200}
        placeholder="Part of a value or a reason"
        value={typed}
        onValue={setTyped}
      />
    </div>
  )
}

const pageSize = 50

function Entries({ address, onAdd }: { address: Address; onAdd: () => void }) {
  const { search, change } = address
  const { list, kind, query: text, offset = 0 } = search
  const query = useV1Query(
    'listExclusions',
    { limit: pageSize, offset, ...compact({ list, kind, query: text }) },
    { topic: 'leads', keepPrevious: true },
  )
  const { entries = [], total = 0, hasMore = false } = query.data ?? {}
  const isFiltered = list !== undefined || kind !== undefined || text !== undefined
  const own = [...new Set([...entries.map((entry) => entry.list), ...(list === undefined ? [] : [list])])].filter(
    (each) => !Object.hasOwn(exclusionListNames, each),
  )
  return (
    <Card
      flush
      title="Entries"
      text="Who is on a list is captured and charged as ever, and delivered nowhere, from now on."
    >
      <Filters address={address} own={own} />
      <RecordList
        label="Entries"
        query={query}
        columns={columns}
        rows={entries}
        rowId={(entry) => entry.id}
        pages={{
          offset,
          limit: pageSize,
          shown: entries.length,
          total,
          hasMore,
          onOffset: (next) => change({ offset: next === 0 ? undefined : next }),
        }}
        empty={
          isFiltered ? (
            <EmptyState title="No entry matches" text="Choose another list or kind, or search for less." />
          ) : (
            <EmptyState
              icon={Ban}
              title="Nobody is excluded"
              text="Put customers, competitors and people who asked not to be contacted on a list: no lead of theirs goes out."
              action={
                <RoleButton needs="member" variant="primary" onClick={onAdd}>
                  Exclude somebody
                </RoleButton>
              }
            />
          )
        }
      />
    </Card>
  )
}

export function Page() {
  const address = useAddress()
  const [open, setOpen] = useState<'add' | 'import' | null>(null)
  const { search, change } = address
  const close = () => setOpen(null)
  return (
    <PageFrame
      title="Exclusions"
      text={textOf('/exclusions')}
      actions={
        <>
          <RoleButton needs="member" icon={FileUp} onClick={() => setOpen('import')}>
            Import CSV
          </RoleButton>
          <RoleButton needs="member" variant="primary" icon={Plus} onClick={() => setOpen('add')}>
            Exclude
          </RoleButton>
        </>
      }
    >
      <Served>
        <Tabs
          label="Exclusions"
          value={search.tab ?? 'lists'}
          onValue={(tab) => change({ tab: tab === 'settings' ? tab : undefined })}
          tabs={[
            { value: 'lists', label: 'Lists', content: <Entries address={address} onAdd={() => setOpen('add')} /> },
            { value: 'settings', label: 'Settings', content: <SettingsTab /> },
          ]}
        />
        {open === 'add' && <AddDialog onClose={close} list={search.list} />}
        {open === 'import' && <ImportDialog onClose={close} />}
      </Served>
    </PageFrame>
  )
}
