import { getRouteApi } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { useV1Query, type V1Result } from '../../api/index.ts'
import { compact } from '../../app/search.ts'
import { textOf } from '../../shell/navigation.ts'
import {
  Badge,
  Card,
  count,
  CopyButton,
  EmptyState,
  Loaded,
  PageFrame,
  RecordList,
  Tabs,
  TextField,
  useTyped,
  whenColumn,
  type Column,
  type Tone,
} from '../../ui/index.ts'
import { PersonCard } from './person.tsx'
import { RetentionTab } from './retention.tsx'
import type { Search } from './search.ts'

const route = getRouteApi('/signed-in/team/privacy')

function useAddress() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  /** `undefined` takes a parameter out. */
  const change = (patch: { readonly [Name in keyof Search]: Search[Name] | undefined }) =>
    void navigate({ search: (before) => compact({ ...before, ...patch }), resetScroll: false })
  return { search, change }
}

type Address = ReturnType<typeof useAddress>

function Find({ address: { search, change } }: { address: Address }) {
  const { typed, setTyped, sendNow } = useTyped(search.query, (query) => change({ query }))
  const { query = '' } = search
  const found = useV1Query('searchPeople', { query }, { topic: 'leads', enabled: query !== '', keepPrevious: true })
  return (
    <Card flush title="Find a person" text="What is held of them can be exported, kept from going out, or erased.">
      <form
        className="border-b border-line px-4 py-3"
        onSubmit={(event) => {
          event.preventDefault()
          sendNow()
        }}
      >
        <TextField
          label="Person"
          type="search"
          className="max-w-lg"
          hint="Profile address, handle, member id, email address or a part of the name. Somebody erased: the exact address, handle or id."
          maxLength={500}
          autoComplete="off"
          value={typed}
          onValue={setTyped}
        />
      </form>
      {query === '' ? (
        <EmptyState icon={ShieldCheck} title="Whom is it about?" text="Type above; at most 50 people are shown." />
      ) : (
        <Loaded query={found}>
          {({ people }) =>
            people.length === 0 ? (
              <EmptyState title="Nothing is held of anybody like that" />
            ) : (
              <ul className="divide-y divide-line" aria-label="People found">
                {people.map((person) => (
                  <PersonCard key={person.personId} person={person} />
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
    </Card>
  )
}

type Erasure = V1Result<'listErasures'>['erasures'][number]

const states: Readonly<Record<'waiting' | 'delivered' | 'failed', { readonly text: string; readonly tone: Tone }>> = {
  waiting: { text: 'being told', tone: 'info' },
  delivered: { text: 'told', tone: 'good' },
  failed: { text: 'could not be told', tone: 'bad' },
}

function Told({ receipt: { toldDownstream, notTold } }: Erasure) {
  if (toldDownstream.length + notTold.length === 0) return 'Nobody had been sent anything'
  return (
    <span className="flex flex-wrap gap-1.5">
      {(['waiting', 'delivered', 'failed'] as const).map((state) => {
        const told = toldDownstream.filter((each) => each.state === state)
        return (
          told.length > 0 && (
            <Badge key={state} tone={states[state].tone}>
              {count(told.length)} {states[state].text}
            </Badge>
          )
        )
      })}
      {notTold.map((place) => (
        <Badge key={place} tone="warn">
          {place}: remove them there
        </Badge>
      ))}
    </span>
  )
}

const columns: readonly Column<Erasure>[] = [
  whenColumn('at', 'Erased', (row) => row.receipt.erasedAt),
  { id: 'reason', header: 'Reason', width: 'minmax(120px, 1fr)', cell: (row) => row.reason ?? '–' },
  {
    id: 'went',
    header: 'What went',
    width: 'minmax(140px, 1fr)',
    cell: (row) =>
      Object.entries(row.receipt.counts)
        .filter(([, number]) => number > 0)
        .map(([kind, number]) => `${count(number)} ${kind}`)
        .join(', ') || 'Nothing was held',
  },
  { id: 'told', header: 'Told downstream', width: 'minmax(140px, 1fr)', cell: (row) => <Told {...row} /> },
  {
    id: 'hash',
    header: 'Person',
    cell: (row) => <span className="font-mono text-xs">{row.receipt.subjectHash.slice(0, 12)}…</span>,
  },
  {
    id: 'receipt',
    header: 'Receipt',
    hideHeader: true,
    align: 'end',
    cell: (row) => <CopyButton label="Copy the receipt" value={JSON.stringify(row.receipt, null, 2)} />,
  },
]

const pageSize = 50

function Receipts({ address: { search, change } }: { address: Address }) {
  const { offset = 0 } = search
  const query = useV1Query('listErasures', { limit: pageSize, offset }, { topic: 'leads', keepPrevious: true })
  const { erasures = [], total = 0, hasMore = false } = query.data ?? {}
  return (
    <Card
      flush
      title="Receipts"
      text="What proves an erasure: signed with the secret of your webhooks, and signed anew when somebody downstream was told."
    >
      <RecordList
        label="Receipts"
        query={query}
        columns={columns}
        rows={erasures}
        rowId={(row) => row.id}
        pages={{
          offset,
          limit: pageSize,
          shown: erasures.length,
          total,
          hasMore,
          onOffset: (next) => change({ offset: next === 0 ? undefined : next }),
        }}
        empty={<EmptyState title="Nobody was erased" />}
      />
    </Card>
  )
}

export function Page() {
  const address = useAddress()
  const { search, change } = address
  return (
    <PageFrame title="Privacy" text={textOf('/privacy')}>
      <Tabs
        label="Privacy"
        value={search.tab ?? 'find'}
        onValue={(tab) => change({ tab: tab === 'find' ? undefined : tab, offset: undefined })}
        tabs={[
          { value: 'find', label: 'People', content: <Find address={address} /> },
          { value: 'receipts', label: 'Receipts', content: <Receipts address={address} /> },
          { value: 'retention', label: 'Retention', content: <RetentionTab /> },
        ]}
      />
    </PageFrame>
  )
}
