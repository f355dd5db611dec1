import { useReadAt } from '../../api/index.ts'
import { actsColumn, column, countColumn, type Column } from '../../ui/columns.tsx'
import { ActButton } from '../../ui/form.tsx'
import { TextLink } from '../../ui/link.tsx'
import { ListCard, ListFilters } from '../../ui/list-card.tsx'
import { SaidBadge } from '../../ui/show.tsx'
import { SafeLink, TimeAgo } from '../../ui/text.tsx'
import { useAddress } from '../../app/address.ts'
import { destinationStates } from '../../app/searches.ts'
import { kindsInWords, type Destination } from './kinds.ts'
import { deliveryWords, type Delivery } from './words.ts'

const again: readonly Delivery['state'][] = ['refused', 'unknown', 'excluded']

const columnsOf = ({ id, kind }: Destination): readonly Column<Delivery>[] => [
  column('State', { width: 'minmax(220px, 2fr)' }, ({ state, error }) => (
    <div className="flex flex-col items-start gap-1">
      <SaidBadge said={deliveryWords[state]} />
      {error && (
        <p className="text-[0.8125rem] break-words text-muted">
          {error.field && <code className="font-medium text-ink">{error.field}</code>}
          {error.field && ': '}
          {error.message}
        </p>
      )}
    </div>
  )),
  column('Lead', ({ leadId }) =>
    leadId === null ? (
      <span className="text-muted">gone</span>
    ) : (
      <TextLink to="/leads" search={{ lead: leadId }}>
        Open the lead
      </TextLink>
    ),
  ),
  column(`In ${kindsInWords[kind].label}`, ({ remoteId, remoteUrl }) =>
    remoteUrl ? <SafeLink href={remoteUrl}>Open there</SafeLink> : <span className="break-all">{remoteId ?? '–'}</span>,
  ),
  countColumn('Tries', ({ attempts }) => attempts),
  column('When', ({ at }) => <TimeAgo at={at} />),
  actsColumn(
    'Send again',
    ({ id: deliveryId, state }) =>
      again.includes(state) && (
        <ActButton size="sm" does="retryDestinationDelivery" input={{ id, deliveryId }} done="It is being sent again">
          Send again
        </ActButton>
      ),
  ),
]

const stateChoices = destinationStates.map((value) => ({ value, label: deliveryWords[value].text }))
const filters = [
  { name: 'state', label: 'State', any: 'Every state', choices: stateChoices, className: 'w-52' },
] as const

export function Log({ destination }: { destination: Destination }) {
  const address = useAddress('/signed-in/team/destinations/$id')
  const { state } = address.search
  const pages = address.pages()
  const query = useReadAt('listDestinationDeliveries', pages, { id: destination.id, state })
  return (
    <ListCard
      title="Deliveries"
      text="Newest first. A delivery with an unknown outcome is never sent again automatically."
      label="Deliveries"
      query={query}
      columns={columnsOf(destination)}
      rows={query.data?.deliveries ?? []}
      pages={pages}
      empty={{
        title: state === undefined ? 'Nothing was delivered yet' : 'No delivery is in this state',
        text: 'People captured from now on appear here automatically; use the button above to send people captured before.',
      }}
    >
      <ListFilters address={address} filters={filters} />
    </ListCard>
  )
}
