import { useNavigate } from '@tanstack/react-router'
import { Plug } from 'lucide-react'
import { useRead } from '../../api/index.ts'
import { column, countColumn, whenColumn, type Column } from '../../ui/columns.tsx'
import { PrimaryLink, TextLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Badge } from '../../ui/show.tsx'
import { kindsInWords, type Destination } from './kinds.ts'
import { ResumeButton, StateBadge } from './parts.tsx'
import { pauseWords } from './words.ts'

export { ConnectPage } from './connect.tsx'
export { DetailPage } from './detail.tsx'

const columns: readonly Column<Destination>[] = [
  column(
    'Destination',
    { width: 'minmax(180px, 1.5fr)', sortBy: ({ name }) => name.toLowerCase() },
    ({ id, kind, name }) => (
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <TextLink to="/destinations/$id" params={{ id }} className="min-w-0 font-medium break-words">
          {name}
        </TextLink>
        <Badge>{kindsInWords[kind].label}</Badge>
      </div>
    ),
  ),
  column('State', { width: 'minmax(200px, 2fr)', phone: 'whole' }, (destination) => (
    <div className="flex flex-col items-start gap-1.5">
      <StateBadge destination={destination} />
      {destination.pausedReason !== null && (
        <p className="text-[0.8125rem] text-muted">{pauseWords[destination.pausedReason].text}</p>
      )}
      <ResumeButton destination={destination} size="sm" />
    </div>
  )),
  countColumn('Delivered', ({ counts }) => counts.delivered),
  countColumn('Waiting', ({ counts }) => counts.waiting),
  countColumn('Refused', ({ counts }) => counts.refused),
  countColumn('Excluded', ({ counts }) => counts.excluded),
  whenColumn('Last delivery', ({ lastDeliveredAt }) => lastDeliveredAt),
]

const connect = (
  <PrimaryLink to="/destinations/connect" search={{}}>
    Connect
  </PrimaryLink>
)

export function Page() {
  const query = useRead('listDestinations', {})
  const navigate = useNavigate()
  return (
    <PageFrame of="/destinations" actions={connect} served>
      <ListCard
        title="Connected"
        text="Each receives people captured after it was started. People captured before are sent only if you push them."
        label="Destinations"
        query={query}
        columns={columns}
        rows={query.data?.destinations ?? []}
        rowLabel={({ name }) => name}
        onOpen={({ id }) => void navigate({ to: '/destinations/$id', params: { id }, search: {} })}
        empty={{
          icon: Plug,
          title: 'No destination yet',
          text: 'Connect HubSpot, Slack, a sheet, a bucket or another place, and leads arrive there automatically.',
          action: connect,
        }}
      />
    </PageFrame>
  )
}
