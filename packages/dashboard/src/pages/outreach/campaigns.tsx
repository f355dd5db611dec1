import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hasCode, useV1Query } from '../../api/index.ts'
import {
  Badge,
  Button,
  buttonClass,
  Card,
  count,
  DataTable,
  EmptyState,
  ErrorState,
  Skeleton,
  type Column,
} from '../../ui/index.ts'
import { campaignState, closedWords, type Campaign } from './words.ts'

const columns: readonly Column<Campaign>[] = [
  {
    id: 'name',
    header: 'Campaign',
    cell: (campaign) => (
      <div className="min-w-40">
        <span className="font-medium break-words">{campaign.name}</span>
        <div className="font-mono text-xs text-muted">{campaign.id}</div>
      </div>
    ),
    sortBy: (campaign) => campaign.name.toLowerCase(),
  },
  {
    id: 'state',
    header: 'State',
    cell: (campaign) => (
      <Badge tone={campaign.status === 'IN_PROGRESS' ? 'good' : campaign.status === 'DRAFT' ? 'neutral' : 'info'}>
        {campaignState(campaign.status)}
      </Badge>
    ),
  },
  { id: 'senders', header: 'Senders', align: 'end', cell: (campaign) => count(campaign.accountIds.length) },
  {
    id: 'takes',
    header: 'Takes leads',
    cell: (campaign) => (campaign.canTakeLeads ? 'Yes' : `No: ${closedWords(campaign)}`),
  },
]

/** The campaigns of the platform, read live. */
export function Campaigns({ connected }: { readonly connected: boolean }): ReactNode {
  const query = useV1Query('listCampaigns', {}, { topic: 'outreach', staleTime: 30_000, enabled: connected })
  const reload = (
    <Button
      size="sm"
      busy={query.isFetching}
      reason={!connected && 'Store the key of the platform under Settings first.'}
      onClick={() => void query.refetch()}
    >
      Read again
    </Button>
  )
  const shown = () => {
    if (!connected || hasCode(query.error, 'not_connected'))
      return (
        <EmptyState
          title="Not connected"
          text="Once the key of the platform is stored under Settings, its campaigns are listed here."
          action={
            <Link to="/settings" search={{ tab: 'credentials' }} className={buttonClass('primary')}>
              Open the key settings
            </Link>
          }
        />
      )
    if (query.isPending) return <Skeleton lines={4} className="p-4" />
    if (query.data === undefined) return <ErrorState error={query.error} retry={() => void query.refetch()} />
    return (
      <DataTable
        label="Campaigns"
        columns={columns}
        rows={query.data.campaigns}
        rowId={(campaign) => campaign.id}
        empty={
          <EmptyState
            title="No campaign is running or planned"
            text="Make one on the outreach platform, with at least one sender."
          />
        }
      />
    )
  }
  return (
    <Card
      title="Campaigns"
      text="As the platform has them now; those that are over are left out."
      actions={reload}
      flush
    >
      {shown()}
    </Card>
  )
}
