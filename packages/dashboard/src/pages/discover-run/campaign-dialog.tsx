import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { ApiError, hasCode, useV1Mutation, useV1Query, type V1Input } from '../../api/index.ts'
import {
  Button,
  Dialog,
  EmptyState,
  ErrorState,
  Field,
  Notice,
  Select,
  Skeleton,
  buttonClass,
  countOf,
} from '../../ui/index.ts'
import { sendWords, type SendCounts } from '../leads/send-words.ts'

/** Whom to send: everything of a send but the campaign. */
export type Sending = Omit<V1Input<'sendLeads'>, 'campaignId'>

const keySettings = (
  <Link to="/settings" search={{ tab: 'credentials' }} className={buttonClass('primary')}>
    Open the key settings
  </Link>
)

function Result({ counts }: { readonly counts: SendCounts }): ReactNode {
  return (
    <ul className="list-disc pl-5">
      {sendWords(counts).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function Choose({ picked, onPick }: { readonly picked: string; readonly onPick: (id: string) => void }): ReactNode {
  const { data, error, isPending, refetch } = useV1Query('listCampaigns', {}, { topic: 'outreach', staleTime: 30_000 })
  if (isPending) return <Skeleton lines={2} />
  if (hasCode(error, 'not_connected'))
    return (
      <EmptyState
        title="Outreach is not connected"
        text="Store the key of your outreach platform; then its campaigns appear here."
        action={keySettings}
      />
    )
  if (hasCode(error, 'invalid_key'))
    return (
      <EmptyState title="The outreach platform refuses the stored key" text="Store a good one." action={keySettings} />
    )
  if (!data) return <ErrorState error={error} retry={() => void refetch()} />
  if (data.campaigns.length === 0)
    return (
      <EmptyState
        title="No campaign is open"
        text="Make one on the outreach platform; those that are over are not shown."
      />
    )
  const choices = data.campaigns.map(({ id, name, canTakeLeads }) => ({
    value: id,
    label: canTakeLeads ? name : `${name} (takes no leads yet)`,
    disabled: !canTakeLeads,
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

/** Sends people to a campaign of the outreach platform, and says what came of it. */
export function CampaignDialog({
  sending,
  howMany,
  onClose,
}: {
  readonly sending: Sending
  readonly howMany: number
  readonly onClose: () => void
}): ReactNode {
  const [picked, setPicked] = useState('')
  const send = useV1Mutation('sendLeads', { quiet: true, refreshes: ['leads', 'outreach', 'agent'] })
  const partial = send.error instanceof ApiError ? send.error.body.partial : undefined
  const actions = send.data ? (
    <Button variant="primary" onClick={onClose}>
      Close
    </Button>
  ) : (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button
        variant="primary"
        busy={send.isPending}
        disabled={picked === ''}
        onClick={() => send.mutate({ ...sending, campaignId: picked })}
      >
        Send {countOf(howMany, 'person', 'people')}
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onOpen={(open) => !open && onClose()}
      title="Send to campaign"
      text="Nobody is sent twice to the same campaign, and no credits are used."
      actions={actions}
    >
      <div className="flex flex-col gap-4 text-sm">
        {send.error && (
          <Notice tone="bad" title={partial ? 'The send broke off' : 'Nobody was sent'}>
            <p>{send.error.message}</p>
            {typeof partial === 'object' && partial !== null && <Result counts={partial as SendCounts} />}
          </Notice>
        )}
        {send.data ? (
          <Notice tone="good" title={`Sent to “${send.data.campaign.name}”`}>
            <Result counts={send.data} />
          </Notice>
        ) : (
          <Choose picked={picked} onPick={setPicked} />
        )}
      </div>
    </Dialog>
  )
}
