import { useNavigate } from '@tanstack/react-router'
import { MoreHorizontal, Webhook } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { column, countColumn, type Column } from '../../ui/columns.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { count } from '../../ui/format.ts'
import { NameLink, PrimaryLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Badge, Loaded } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { EndpointBadge, EndpointTrouble, TestEvent, type Endpoint } from './endpoint-parts.tsx'
import { ReplayDialog } from './log.tsx'

function Owner({ endpoint }: { endpoint: Endpoint }) {
  return (
    <div className="flex max-w-80 min-w-44 flex-col items-start gap-1">
      {endpoint.ownerKind === 'source' ? (
        <NameLink to="/sources/$id" params={{ id: endpoint.ownerId }} search={{ tab: 'webhook' }}>
          {endpoint.label}
        </NameLink>
      ) : (
        <NameLink to="/agent">{endpoint.label}</NameLink>
      )}
      <span className="font-mono text-xs break-all text-muted">{endpoint.url}</span>
      <span className="flex flex-wrap gap-1">
        {endpoint.ownerKind === 'agent' && <Badge>Agent</Badge>}
        {endpoint.icpOnly && <Badge>Only fit</Badge>}
        {endpoint.syncEvents && <Badge>Sync events</Badge>}
      </span>
    </div>
  )
}

function RowActions({ endpoint }: { endpoint: Endpoint }) {
  const navigate = useNavigate()
  const [open, setOpen] = useState<'test' | 'replay' | null>(null)
  const entries = [
    {
      label: 'Show its deliveries',
      onSelect: () => void navigate({ to: '/webhooks', search: { tab: 'log', ownerId: endpoint.ownerId } }),
    },
    ...(endpoint.ownerKind === 'source' ? [{ label: 'Send a test event…', onSelect: () => setOpen('test') }] : []),
    { label: 'Send failed ones again…', onSelect: () => setOpen('replay') },
  ]
  return (
    <>
      <Menu
        trigger={<IconButton label={`Actions for ${endpoint.label}`} size="sm" icon={MoreHorizontal} iconSize={18} />}
        entries={entries}
      />
      <Dialog
        open={open === 'test'}
        onClose={() => setOpen(null)}
        title={`Test the address of ${endpoint.label}`}
        text={endpoint.url}
      >
        <TestEvent sourceId={endpoint.ownerId} />
      </Dialog>
      {open === 'replay' && <ReplayDialog endpoint={endpoint} onClose={() => setOpen(null)} />}
    </>
  )
}

const columns: readonly Column<Endpoint>[] = [
  column('Source and address', { sortBy: (endpoint) => endpoint.label.toLowerCase() }, (endpoint) => (
    <Owner endpoint={endpoint} />
  )),
  column('State', (endpoint) => <EndpointBadge endpoint={endpoint} />),
  countColumn('Delivered', (endpoint) => endpoint.counts.sent),
  column('Waiting', { align: 'end' }, (endpoint) => count(endpoint.counts.waiting)),
  column('Failed', { align: 'end', sortBy: (endpoint) => endpoint.counts.failed }, (endpoint) =>
    endpoint.counts.failed > 0 ? <span className="text-danger-text">{count(endpoint.counts.failed)}</span> : '0',
  ),
  column('On hold', { align: 'end' }, (endpoint) => count(endpoint.counts.held)),
  column('Last delivered', (endpoint) => <TimeAgo at={endpoint.lastSentAt} />),
  column('Actions', { hideHeader: true, width: '3rem' }, (endpoint) => <RowActions endpoint={endpoint} />),
]

export function Endpoints() {
  const query = useRead('listEndpoints', {})
  return (
    <Loaded query={query}>
      {({ endpoints }) => (
        <div className="flex flex-col gap-4">
          {endpoints
            .filter((endpoint) => endpoint.disabledAt !== null || endpoint.failingSince !== null)
            .map((endpoint) => (
              <section
                key={endpoint.ownerId}
                aria-label={`Trouble with ${endpoint.label}`}
                className="flex flex-col gap-1"
              >
                <h2 className="text-sm font-semibold">{endpoint.label}</h2>
                <EndpointTrouble endpoint={endpoint} />
              </section>
            ))}
          <ListCard
            title="Addresses"
            text="Figures are of the last 7 days."
            label="Webhook addresses"
            columns={columns}
            rows={endpoints}
            rowId={(endpoint) => endpoint.ownerId}
            empty={{
              icon: Webhook,
              title: 'No address is set yet',
              text: 'Open a source and give it an address under Webhook. Every new lead is then posted there, signed.',
              action: <PrimaryLink to="/sources">Choose a source</PrimaryLink>,
            }}
          />
        </div>
      )}
    </Loaded>
  )
}
