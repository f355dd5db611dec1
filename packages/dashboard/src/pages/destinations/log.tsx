import { getRouteApi } from '@tanstack/react-router'
import { useV1Mutation, useV1Query } from '../../api/index.ts'
import { compact } from '../../app/search.ts'
import {
  Badge,
  Card,
  countColumn,
  EmptyState,
  RecordList,
  RoleButton,
  SafeLink,
  SelectField,
  TextLink,
  TimeAgo,
  type Column,
} from '../../ui/index.ts'
import { kindsInWords, type Destination } from './kinds.ts'
import { states } from './search.ts'
import { deliveryWords, type Delivery } from './words.ts'

const route = getRouteApi('/signed-in/team/destinations/$id')
const pageSize = 50

/** What may be sent again; what waits or has arrived stays as it is. */
const again: readonly Delivery['state'][] = ['refused', 'unknown', 'excluded']

function Retry({ id, delivery }: { id: string; delivery: Delivery }) {
  const retry = useV1Mutation('retryDestinationDelivery', { refreshes: ['deliveries'], done: 'It is sent again' })
  if (!again.includes(delivery.state)) return null
  return (
    <RoleButton
      needs="member"
      size="sm"
      busy={retry.isPending}
      onClick={() => retry.mutate({ id, deliveryId: delivery.id })}
    >
      Send again
    </RoleButton>
  )
}

const columnsOf = ({ id, kind }: Destination): readonly Column<Delivery>[] => [
  {
    id: 'state',
    header: 'State',
    width: 'minmax(220px, 2fr)',
    cell: ({ state, error }) => (
      <div className="flex flex-col items-start gap-1">
        <Badge tone={deliveryWords[state].tone}>{deliveryWords[state].text}</Badge>
        {error && (
          <p className="text-[0.8125rem] break-words text-muted">
            {error.field && <code className="font-medium text-ink">{error.field}</code>}
            {error.field && ': '}
            {error.message}
          </p>
        )}
      </div>
    ),
  },
  {
    id: 'lead',
    header: 'Lead',
    cell: ({ leadId }) =>
      leadId === null ? (
        <span className="text-muted">gone</span>
      ) : (
        <TextLink to="/leads" search={{ lead: leadId }}>
          Open the lead
        </TextLink>
      ),
  },
  {
    id: 'remote',
    header: `In ${kindsInWords[kind].label}`,
    cell: ({ remoteId, remoteUrl }) =>
      remoteUrl ? (
        <SafeLink href={remoteUrl}>Open there</SafeLink>
      ) : (
        <span className="break-all">{remoteId ?? '–'}</span>
      ),
  },
  countColumn('attempts', 'Tries', ({ attempts }) => attempts),
  { id: 'at', header: 'When', cell: ({ at }) => <TimeAgo at={at} /> },
  {
    id: 'retry',
    header: 'Send again',
    hideHeader: true,
    align: 'end',
    cell: (delivery) => <Retry id={id} delivery={delivery} />,
  },
]

export function Log({ destination }: { destination: Destination }) {
  const { state, offset = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useV1Query(
    'listDestinationDeliveries',
    { id: destination.id, limit: pageSize, offset, ...compact({ state }) },
    { topic: 'deliveries', keepPrevious: true },
  )
  const { deliveries = [], total = 0, hasMore = false } = query.data ?? {}
  return (
    <Card flush title="Deliveries" text="Newest first. What is unknown is never sent again by itself.">
      <div className="border-b border-line px-4 py-3">
        <SelectField
          label="State"
          className="w-52"
          value={state ?? ''}
          onValue={(value) =>
            void navigate({ search: compact({ state: states.find((each) => each === value) }), resetScroll: false })
          }
          choices={[
            { value: '', label: 'Every state' },
            ...states.map((value) => ({ value, label: deliveryWords[value].text })),
          ]}
        />
      </div>
      <RecordList
        label="Deliveries"
        query={query}
        columns={columnsOf(destination)}
        rows={deliveries}
        rowId={({ id }) => id}
        pages={{
          offset,
          limit: pageSize,
          shown: deliveries.length,
          total,
          hasMore,
          onOffset: (next) =>
            void navigate({ search: (before) => compact({ ...before, offset: next === 0 ? undefined : next }) }),
        }}
        empty={
          <EmptyState
            title={state === undefined ? 'Nothing was delivered yet' : 'No delivery is in this state'}
            text="Who is captured from now on appears here by themselves; send who was captured before by the button above."
          />
        }
      />
    </Card>
  )
}
