import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { hasCode } from '../api/error.ts'
import { useV1Query } from '../api/hooks.ts'
import { closedWords } from '../pages/outreach/words.ts'
import { buttonClass, EmptyState, ErrorState, Field, Select, Skeleton } from '../ui/index.ts'
import { SendPreviewDialog, type Wanted } from './send-dialog.tsx'

const keySettings = (
  <Link to="/settings" search={{ tab: 'credentials' }} className={buttonClass('primary')}>
    Open the key settings
  </Link>
)

/** The choice of a campaign, read live; says what to do where none can be chosen. */
function Choose({ picked, onPick }: { readonly picked: string; readonly onPick: (id: string) => void }): ReactNode {
  const { data, error, isPending, refetch } = useV1Query('listCampaigns', {}, { topic: 'outreach', staleTime: 30_000 })
  if (isPending) return <Skeleton lines={2} />
  if (hasCode(error, 'not_connected'))
    return (
      <EmptyState
        title="Outreach is not connected"
        text="Store the key of your outreach platform first; then its campaigns appear here."
        action={keySettings}
      />
    )
  if (hasCode(error, 'invalid_key'))
    return (
      <EmptyState
        title="The outreach platform refuses the stored key"
        text="It was changed or taken back there. Store a good one."
        action={keySettings}
      />
    )
  if (!data) return <ErrorState error={error} retry={() => void refetch()} />
  if (data.campaigns.length === 0)
    return (
      <EmptyState
        title="No campaign is open"
        text="Make one on the outreach platform; those that are finished or canceled are not shown."
      />
    )
  const choices = data.campaigns.map(({ id, name, canTakeLeads, status }) => ({
    value: id,
    disabled: !canTakeLeads,
    label: canTakeLeads
      ? `${name}${status === 'PAUSED' ? ' (paused: stays paused)' : ''}`
      : `${name} (${closedWords({ status })})`,
  }))
  return (
    <Field label="Campaign" hint="Read live from the outreach platform.">
      <Select
        value={picked}
        onValue={onPick}
        choices={[{ value: '', label: 'Choose a campaign', disabled: true }, ...choices]}
      />
    </Field>
  )
}

/** Sends people to a campaign of the outreach platform, after a preview; `wantedFor` says whom. */
export function CampaignSendDialog({
  wantedFor,
  onClose,
  onSent,
}: {
  readonly wantedFor: (campaignId: string) => Wanted
  readonly onClose: () => void
  readonly onSent?: () => void
}): ReactNode {
  const [picked, setPicked] = useState('')
  return (
    <SendPreviewDialog
      title="Send to campaign"
      text="Nobody is sent twice to the same campaign, and no credits are used."
      wanted={picked === '' ? null : wantedFor(picked)}
      onClose={onClose}
      {...(onSent ? { onSent } : {})}
    >
      <Choose picked={picked} onPick={setPicked} />
    </SendPreviewDialog>
  )
}
