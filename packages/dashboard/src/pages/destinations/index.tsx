import { useNavigate } from '@tanstack/react-router'
import { Plug } from 'lucide-react'
import { useV1Query } from '../../api/index.ts'
import { textOf } from '../../shell/navigation.ts'
import {
  Badge,
  countColumn,
  Card,
  EmptyState,
  LinkButton,
  PageFrame,
  RecordList,
  Served,
  TextLink,
  whenColumn,
  type Column,
} from '../../ui/index.ts'
import { kindsInWords, type Destination } from './kinds.ts'
import { Mend, StateBadge } from './parts.tsx'
import { pauseWords } from './words.ts'

export { ConnectPage } from './connect.tsx'
export { DetailPage } from './detail.tsx'

const columns: readonly Column<Destination>[] = [
  {
    id: 'name',
    header: 'Destination',
    width: 'minmax(180px, 1.5fr)',
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ id, kind, name }) => (
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <TextLink to="/destinations/$id" params={{ id }} className="min-w-0 font-medium break-words">
          {name}
        </TextLink>
        <Badge>{kindsInWords[kind].label}</Badge>
      </div>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 'minmax(200px, 2fr)',
    phone: 'whole',
    cell: (destination) => (
      <div className="flex flex-col items-start gap-1.5">
        <StateBadge destination={destination} />
        {destination.pausedReason !== null && (
          <p className="text-[0.8125rem] text-muted">{pauseWords[destination.pausedReason].text}</p>
        )}
        <Mend destination={destination} size="sm" />
      </div>
    ),
  },
  countColumn('delivered', 'Delivered', ({ counts }) => counts.delivered),
  countColumn('waiting', 'Waiting', ({ counts }) => counts.waiting),
  countColumn('refused', 'Refused', ({ counts }) => counts.refused),
  countColumn('excluded', 'Excluded', ({ counts }) => counts.excluded),
  whenColumn('last', 'Last delivery', ({ lastDeliveredAt }) => lastDeliveredAt),
]

const connect = (
  <LinkButton to="/destinations/connect" search={{}} variant="primary">
    Connect
  </LinkButton>
)

export function Page() {
  const query = useV1Query('listDestinations', {}, { topic: 'deliveries' })
  const navigate = useNavigate()
  return (
    <PageFrame title="Destinations" text={textOf('/destinations')} actions={connect}>
      <Served>
        <Card
          flush
          title="Connected"
          text="Each gets who is captured from its start on; for who was there before there is a push."
        >
          <RecordList
            label="Destinations"
            query={query}
            columns={columns}
            rows={query.data?.destinations ?? []}
            rowId={({ id }) => id}
            rowLabel={({ name }) => name}
            onOpen={({ id }) => void navigate({ to: '/destinations/$id', params: { id }, search: {} })}
            empty={
              <EmptyState
                icon={Plug}
                title="No destination yet"
                text="Connect HubSpot, Slack, a sheet, a bucket or another place, and leads arrive there by themselves."
                action={connect}
              />
            }
          />
        </Card>
      </Served>
    </PageFrame>
  )
}
