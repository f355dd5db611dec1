import { ShieldCheck } from 'lucide-react'
import { useRead, useReadAt, type ResultOf } from '../../api/index.ts'
import { actsColumn, column, whenColumn, type Column } from '../../ui/columns.tsx'
import { useTyped } from '../../ui/edited.ts'
import { TextField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { ListCard } from '../../ui/list-card.tsx'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { Badge, Card, EmptyState, Loaded, type Tone } from '../../ui/show.tsx'
import { CopyButton } from '../../ui/text.tsx'
import { useAddress, type Address as AddressOf } from '../../app/address.ts'
import { PersonCard } from './person.tsx'
import { RetentionTab } from './retention.tsx'

type Address = AddressOf<'/signed-in/team/privacy'>

function Find({ address: { search, change } }: { address: Address }) {
  const { typed, setTyped, sendNow } = useTyped(search.query, (query) => change({ query }))
  const { query = '' } = search
  const found = useRead('searchPeople', { query }, { enabled: query !== '', keepPrevious: true })
  return (
    <Card flush title="Find a person" text="Export or erase the data held about them, or stop its delivery.">
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
          hint="Profile address, handle, member id, email address or a part of the name. For an erased person: the exact address, handle or id."
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
              <EmptyState title="Nothing is held about anybody like that" />
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

type Erasure = ResultOf<'listErasures'>['erasures'][number]

const states: Readonly<Record<'waiting' | 'delivered' | 'failed', { readonly text: string; readonly tone: Tone }>> = {
  waiting: { text: 'being told', tone: 'info' },
  delivered: { text: 'told', tone: 'good' },
  failed: { text: 'could not be told', tone: 'bad' },
}

function Told({ receipt: { toldDownstream, notTold } }: Erasure) {
  if (toldDownstream.length + notTold.length === 0) return 'Nothing had been sent to anybody'
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
  whenColumn('Erased', (row) => row.receipt.erasedAt),
  column('Reason', { width: 'minmax(120px, 1fr)' }, (row) => row.reason ?? '–'),
  column(
    'What went',
    { width: 'minmax(140px, 1fr)' },
    (row) =>
      Object.entries(row.receipt.counts)
        .filter(([, number]) => number > 0)
        .map(([kind, number]) => `${count(number)} ${kind}`)
        .join(', ') || 'Nothing was held',
  ),
  column('Told downstream', { width: 'minmax(140px, 1fr)' }, (row) => <Told {...row} />),
  column('Person', (row) => <span className="font-mono text-xs">{row.receipt.subjectHash.slice(0, 12)}…</span>),
  actsColumn('Receipt', (row) => <CopyButton label="Copy the receipt" value={JSON.stringify(row.receipt, null, 2)} />),
]

function Receipts({ address }: { address: Address }) {
  const pages = address.pages()
  const query = useReadAt('listErasures', pages, {})
  return (
    <ListCard
      title="Receipts"
      text="Proof of each erasure, signed with the secret of your webhooks, and signed again each time a downstream system was told."
      label="Receipts"
      query={query}
      columns={columns}
      rows={query.data?.erasures ?? []}
      pages={pages}
      empty={{ title: 'Nobody was erased' }}
    />
  )
}

export function Page() {
  const address = useAddress('/signed-in/team/privacy')
  return (
    <PageFrame of="/privacy">
      <Tabs
        label="Privacy"
        {...address.tabs('find', { keeps: true })}
        tabs={[
          { value: 'find', label: 'People', content: <Find address={address} /> },
          { value: 'receipts', label: 'Receipts', content: <Receipts address={address} /> },
          { value: 'retention', label: 'Retention', content: <RetentionTab /> },
        ]}
      />
    </PageFrame>
  )
}
