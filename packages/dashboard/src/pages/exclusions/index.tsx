import { exclusionKindNames, exclusionListInWords, exclusionListNames, exclusionOrigins } from '@les/contract'
import { Ban, FileUp, Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead, useReadAt, type ResultOf } from '../../api/index.ts'
import { RoleButton } from '../../ui/button.tsx'
import { actsColumn, column, TwoLines, type Column } from '../../ui/columns.tsx'
import { useTyped } from '../../ui/edited.ts'
import { TextField, type Choice } from '../../ui/field.tsx'
import { choicesOf } from '../../ui/form.tsx'
import { count } from '../../ui/format.ts'
import { ListCard, ListFilters } from '../../ui/list-card.tsx'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { Badge } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { useAddress, type Address as AddressOf } from '../../app/address.ts'
import { AddDialog, ImportDialog } from './add.tsx'
import { useExclude } from './exclude.tsx'
import { SettingsTab } from './settings.tsx'

type Address = AddressOf<'/signed-in/team/exclusions'>
type Entry = ResultOf<'listExclusions'>['entries'][number]

function Remove({ entry }: { entry: Entry }) {
  const { remove } = useExclude()
  return (
    <RoleButton size="sm" onClick={() => void remove(entry.id, entry.value, entry)}>
      Remove
    </RoleButton>
  )
}

const columns: readonly Column<Entry>[] = [
  column('Who', { width: 'minmax(200px, 2fr)' }, (entry) => (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge>{exclusionKindNames[entry.kind]}</Badge>
      <span className="min-w-0 font-medium break-all">{entry.value}</span>
    </div>
  )),
  column('List', (entry) => exclusionListInWords(entry.list)),
  column('Reason', { width: 'minmax(120px, 1fr)' }, (entry) => entry.reason ?? '–'),
  column('Added', (entry) => (
    <TwoLines
      plain
      first={<TimeAgo at={entry.createdAt} />}
      second={`${exclusionOrigins[entry.origin]}, ${entry.createdBy}`}
    />
  )),
  actsColumn('Remove', (entry) => <Remove entry={entry} />),
]

function useListLabel(list: keyof typeof exclusionListNames): string {
  const { data } = useRead('listExclusions', { list, limit: 1 }, { staleTime: 30_000 })
  return `${exclusionListNames[list]}${data === undefined ? '' : ` (${count(data.total)})`}`
}

const useListChoices = (own: readonly string[]): readonly Choice[] => [
  { value: 'do_not_contact', label: useListLabel('do_not_contact') },
  { value: 'customers', label: useListLabel('customers') },
  { value: 'competitors', label: useListLabel('competitors') },
  { value: 'own_team', label: useListLabel('own_team') },
  ...own.map((value) => ({ value, label: value })),
]

function Entries({ address, onAdd }: { address: Address; onAdd: () => void }) {
  const { list, kind, query: text } = address.search
  const pages = address.pages()
  const { typed, setTyped } = useTyped(text, (next) => address.change({ query: next }))
  const query = useReadAt('listExclusions', pages, { list, kind, query: text })
  const entries = query.data?.entries ?? []
  const isFiltered = list !== undefined || kind !== undefined || text !== undefined
  const own = [...new Set([...entries.map((entry) => entry.list), ...(list === undefined ? [] : [list])])].filter(
    (each) => !Object.hasOwn(exclusionListNames, each),
  )
  return (
    <ListCard
      title="Entries"
      text="From now on, people on a list are still captured and charged, but never delivered."
      label="Entries"
      query={query}
      columns={columns}
      rows={entries}
      pages={pages}
      empty={
        isFiltered
          ? { title: 'No entry matches', text: 'Choose another list or kind, or shorten your search.' }
          : {
              icon: Ban,
              title: 'Nobody is excluded',
              text: 'Put customers, competitors and people who asked not to be contacted on a list: their leads are never sent.',
              action: (
                <RoleButton variant="primary" onClick={onAdd}>
                  Exclude somebody
                </RoleButton>
              ),
            }
      }
    >
      <ListFilters
        address={address}
        filters={[
          { name: 'list', label: 'List', any: 'Every list', choices: useListChoices(own), className: 'w-52' },
          { name: 'kind', label: 'Kind', any: 'Every kind', choices: choicesOf(exclusionKindNames), className: 'w-44' },
        ]}
      >
        <TextField
          label="Search"
          className="min-w-48 flex-1"
          type="search"
          maxLength={200}
          placeholder="Part of a value or a reason"
          value={typed}
          onValue={setTyped}
        />
      </ListFilters>
    </ListCard>
  )
}

export function Page() {
  const address = useAddress('/signed-in/team/exclusions')
  const [open, setOpen] = useState<'add' | 'import' | null>(null)
  const { search, tabs } = address
  const close = () => setOpen(null)
  return (
    <PageFrame
      of="/exclusions"
      actions={
        <>
          <RoleButton icon={FileUp} onClick={() => setOpen('import')}>
            Import CSV
          </RoleButton>
          <RoleButton variant="primary" icon={Plus} onClick={() => setOpen('add')}>
            Exclude
          </RoleButton>
        </>
      }
      served
    >
      <Tabs
        label="Exclusions"
        {...tabs('lists', { keeps: true })}
        tabs={[
          { value: 'lists', label: 'Lists', content: <Entries address={address} onAdd={() => setOpen('add')} /> },
          { value: 'settings', label: 'Settings', content: <SettingsTab /> },
        ]}
      />
      {open === 'add' && <AddDialog onClose={close} list={search.list} />}
      {open === 'import' && <ImportDialog onClose={close} />}
    </PageFrame>
  )
}
