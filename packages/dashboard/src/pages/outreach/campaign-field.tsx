import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hasCode, useV1Query } from '../../api/index.ts'
import { Button, Field, Notice, Select, Skeleton, type Reason } from '../../ui/index.ts'
import { campaignState, closedWords } from './words.ts'

/** Why there are no campaigns to choose from, and what can be done about it. */
function NoCampaigns({ error, retry }: { readonly error: Error | null; readonly retry: () => void }): ReactNode {
  const settings = (
    <Link to="/settings" search={{ tab: 'credentials' }} className="font-medium underline underline-offset-2">
      Open Settings
    </Link>
  )
  if (hasCode(error, 'not_connected'))
    return (
      <Notice tone="info" title="The outreach platform is not connected" action={settings}>
        An owner of the team stores its key under Settings; then its campaigns appear here.
      </Notice>
    )
  if (hasCode(error, 'invalid_key'))
    return (
      <Notice tone="bad" title="The outreach platform refuses the stored key" action={settings}>
        An owner of the team has to store a good one under Settings.
      </Notice>
    )
  const again = (
    <Button size="sm" onClick={retry}>
      Try again
    </Button>
  )
  return (
    <Notice tone="warn" title="The campaigns could not be read" action={again}>
      {error?.message}
    </Notice>
  )
}

/** Chooses a campaign, read live from the outreach platform; those that take no leads say why. */
export function CampaignField({
  value,
  onValue,
  known,
  reason,
  error,
}: {
  readonly value: string
  readonly onValue: (id: string) => void
  readonly known?: { readonly id: string; readonly name: string } | undefined
  readonly reason?: Reason
  readonly error?: string | undefined
}): ReactNode {
  const query = useV1Query('listCampaigns', {}, { topic: 'outreach', staleTime: 60_000 })
  if (query.isPending) return <Skeleton lines={1} />
  if (query.data === undefined || hasCode(query.error, 'not_connected') || hasCode(query.error, 'invalid_key'))
    return <NoCampaigns error={query.error} retry={() => void query.refetch()} />
  const campaigns = query.data.campaigns
  const isGone = known !== undefined && !campaigns.some((campaign) => campaign.id === known.id)
  const choices = [
    { value: '', label: campaigns.length === 0 ? 'No campaign that is running or planned' : 'Choose a campaign…' },
    ...campaigns.map((campaign) => ({
      value: campaign.id,
      label: campaign.canTakeLeads
        ? `${campaign.name} (${campaignState(campaign.status)})`
        : `${campaign.name} (${closedWords(campaign)})`,
      disabled: !campaign.canTakeLeads,
    })),
    ...(isGone ? [{ value: known.id, label: `${known.name} (over)`, disabled: true }] : []),
  ]
  return (
    <Field label="Campaign" error={error}>
      <Select value={value} onValue={onValue} reason={reason} choices={choices} />
    </Field>
  )
}
