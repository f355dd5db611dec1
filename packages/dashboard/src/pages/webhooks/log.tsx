import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSessionQuery } from '../../api/index.ts'
import { compact } from '../../app/search.ts'
import {
  Badge,
  Button,
  buttonClass,
  Card,
  count,
  DataTable,
  EmptyState,
  ErrorState,
  Field,
  Select,
  Skeleton,
  TimeAgo,
  TimeUntil,
  type Column,
} from '../../ui/index.ts'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { events, states, type Search } from './search.ts'
import { useDeliveries, type Delivery } from './use-deliveries.ts'
import { eventWords, outcomeWords, stateWords } from './words.ts'

const lookOfRow = 'rounded text-start font-medium text-ink underline-offset-2 hover:underline'

const columnsOf = (onOpen: (delivery: Delivery) => void): readonly Column<Delivery>[] => [
  {
    id: 'what',
    header: 'Event',
    cell: (delivery) => (
      <div className="max-w-72 min-w-40">
        <button type="button" className={lookOfRow} onClick={() => onOpen(delivery)}>
          {delivery.leadName ?? eventWords[delivery.event]}
        </button>
        <div className="text-[0.8125rem] text-muted">
          {delivery.leadName === null ? delivery.event : eventWords[delivery.event]}
        </div>
      </div>
    ),
  },
  {
    id: 'owner',
    header: 'Source',
    wide: true,
    cell: (delivery) => <span className="break-words">{delivery.ownerLabel}</span>,
  },
  {
    id: 'state',
    header: 'State',
    cell: (delivery) => <Badge tone={stateWords[delivery.state].tone}>{stateWords[delivery.state].name}</Badge>,
  },
  { id: 'attempts', header: 'Attempts', align: 'end', wide: true, cell: (delivery) => count(delivery.attempts) },
  {
    id: 'answer',
    header: 'Last answer',
    wide: true,
    cell: (delivery) =>
      delivery.lastStatus ??
      (delivery.lastOutcome === null ? (
        '–'
      ) : (
        <span className="text-[0.8125rem]">{outcomeWords(delivery.lastOutcome)}</span>
      )),
  },
  { id: 'made', header: 'Created', cell: (delivery) => <TimeAgo at={delivery.createdAt} /> },
  {
    id: 'next',
    header: 'Next attempt',
    wide: true,
    cell: (delivery) => <TimeUntil at={delivery.nextAttemptAt} none="–" />,
  },
]

function Filters({
  value,
  onChange,
}: {
  readonly value: Search
  readonly onChange: (change: { readonly [K in keyof Search]?: Search[K] | undefined }) => void
}): ReactNode {
  const { data } = useSessionQuery('listEndpoints', {}, { topic: 'deliveries' })
  const owners = (data?.endpoints ?? []).map((endpoint) => ({ value: endpoint.ownerId, label: endpoint.label }))
  const isKnown = value.ownerId === undefined || owners.some((owner) => owner.value === value.ownerId)
  return (
    <div className="flex flex-wrap items-end gap-3 border-b border-line p-3">
      <Field label="State" className="w-36">
        <Select
          value={value.state ?? ''}
          onValue={(state) => onChange({ state: state === '' ? undefined : state })}
          choices={[
            { value: '' as const, label: 'Any' },
            ...states.map((state) => ({ value: state, label: stateWords[state].name })),
          ]}
        />
      </Field>
      <Field label="Event" className="w-40">
        <Select
          value={value.event ?? ''}
          onValue={(event) => onChange({ event: event === '' ? undefined : event })}
          choices={[
            { value: '' as const, label: 'Any' },
            ...events.map((event) => ({ value: event, label: eventWords[event] })),
          ]}
        />
      </Field>
      <Field label="Source" className="w-52">
        <Select
          value={value.ownerId ?? ''}
          onValue={(ownerId) => onChange({ ownerId: ownerId || undefined })}
          choices={[
            { value: '', label: 'All' },
            ...owners,
            ...(isKnown ? [] : [{ value: value.ownerId!, label: 'One source or agent' }]),
          ]}
        />
      </Field>
      {value.leadId && (
        <Button size="sm" onClick={() => onChange({ leadId: undefined })}>
          Only one lead: show all
        </Button>
      )}
    </div>
  )
}

/** Why no delivery is listed, with the next step. */
function NoDeliveries({ isFiltered, onAll }: { readonly isFiltered: boolean; readonly onAll: () => void }): ReactNode {
  if (isFiltered) return <EmptyState title="No delivery matches" action={<Button onClick={onAll}>Show all</Button>} />
  return (
    <EmptyState
      icon={<ScrollText size={28} />}
      title="Nothing was delivered yet"
      text="Once a source has an address and captures a lead, every delivery is listed here with what was sent and what came back."
      action={
        <Link to="/sources" className={buttonClass('primary')}>
          Choose a source
        </Link>
      }
    />
  )
}

/** The log of deliveries, filtered by the address of the page; a line opens its payload and attempts. */
export function Log(): ReactNode {
  const search = useSearch({ from: '/signed-in/team/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  const { query, rows } = useDeliveries(search)
  const set = (change: { readonly [K in keyof Search]?: Search[K] | undefined }) =>
    void navigate({ search: (before) => compact({ ...before, ...change }), replace: true })
  const open = (delivery: Delivery) => set({ delivery: delivery.id })
  const isFiltered = [search.state, search.event, search.ownerId, search.leadId].some((filter) => filter !== undefined)
  const showAll = () => set({ state: undefined, event: undefined, ownerId: undefined, leadId: undefined })
  return (
    <Card flush>
      <Filters value={search} onChange={set} />
      {query.isPending ? (
        <Skeleton lines={6} className="p-4" />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : (
        <DataTable
          label="Deliveries"
          columns={columnsOf(open)}
          rows={rows}
          rowId={(delivery) => delivery.id}
          onOpen={open}
          empty={<NoDeliveries isFiltered={isFiltered} onAll={showAll} />}
        />
      )}
      {query.hasNextPage && (
        <div className="flex justify-center border-t border-line p-3">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show earlier ones
          </Button>
        </div>
      )}
      <DeliveryDrawer id={search.delivery} onClose={() => set({ delivery: undefined })} />
    </Card>
  )
}
