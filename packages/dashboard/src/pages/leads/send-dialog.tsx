import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { ApiError, hasCode } from '../../api/error.ts'
import { useV1Mutation, useV1Query } from '../../api/hooks.ts'
import { closedWords } from '../outreach/words.ts'
import {
  Button,
  buttonClass,
  count,
  countOf,
  Dialog,
  EmptyState,
  ErrorState,
  Field,
  Notice,
  Select,
  Skeleton,
  type Choice,
} from '../../ui/index.ts'
import { mostPicked } from './selection.ts'
import { sendWords, type SendCounts } from './send-words.ts'

function Lines({ counts }: { readonly counts: SendCounts }): ReactNode {
  return (
    <ul className="list-disc pl-5">
      {sendWords(counts).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

/** Why no campaign can be shown, with the way to mend it. */
function NoCampaigns({ error, retry }: { readonly error: unknown; readonly retry: () => void }): ReactNode {
  const connect = (
    <Link to="/settings" search={{ tab: 'credentials' } as never} className={buttonClass('primary')}>
      Open the key settings
    </Link>
  )
  if (hasCode(error, 'not_connected'))
    return (
      <EmptyState
        title="Outreach is not connected"
        text="Store the key of your outreach platform first; then its campaigns appear here."
        action={connect}
      />
    )
  if (hasCode(error, 'invalid_key'))
    return (
      <EmptyState
        title="The outreach platform refuses the stored key"
        text="It was changed or taken back there. Store a good one."
        action={connect}
      />
    )
  return <ErrorState error={error} retry={retry} />
}

function Failure({ error }: { readonly error: Error }): ReactNode {
  const partial = error instanceof ApiError ? error.body.partial : undefined
  return (
    <Notice tone="bad" title={partial ? 'The send broke off' : 'Nobody was sent'}>
      <p>{error.message}</p>
      {typeof partial === 'object' && partial !== null && (
        <>
          <p className="mt-2">Until then:</p>
          <Lines counts={partial as SendCounts} />
          <p className="mt-2">Sending the same people again is safe: nobody is sent twice to a campaign.</p>
        </>
      )}
    </Notice>
  )
}

/** Sends chosen people to a campaign of the outreach platform, and says what came of it. */
export function SendDialog({
  ids,
  onClose,
}: {
  readonly ids: readonly string[]
  readonly onClose: () => void
}): ReactNode {
  const campaigns = useV1Query('listCampaigns', {}, { topic: 'outreach', staleTime: 30_000 })
  const send = useV1Mutation('sendLeads', { refreshes: ['leads', 'outreach'], quiet: true })
  const [picked, setPicked] = useState('')
  const all = campaigns.data?.campaigns ?? []
  const choices: Choice[] = [
    { value: '', label: 'Choose a campaign', disabled: true },
    ...all.map(({ id, name, canTakeLeads, status }) => ({
      value: id,
      disabled: !canTakeLeads,
      label: canTakeLeads
        ? `${name}${status === 'PAUSED' ? ' (paused: stays paused)' : ''}`
        : `${name} (${closedWords({ status })})`,
    })),
  ]
  const isTooMany = ids.length > mostPicked
  const actions =
    send.data || all.length === 0 ? (
      <Button onClick={onClose}>Close</Button>
    ) : (
      <>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          busy={send.isPending}
          disabled={picked === '' || isTooMany}
          onClick={() => send.mutate({ campaignId: picked, leadIds: [...ids] })}
        >
          Send {countOf(ids.length, 'person', 'people')}
        </Button>
      </>
    )
  const body = () => {
    if (send.data)
      return (
        <Notice tone="good" title={`Sent to “${send.data.campaign.name}”`}>
          <Lines counts={send.data} />
        </Notice>
      )
    if (campaigns.isPending) return <Skeleton lines={2} />
    if (campaigns.error !== null) return <NoCampaigns error={campaigns.error} retry={() => void campaigns.refetch()} />
    if (all.length === 0)
      return (
        <EmptyState
          title="No campaign is open"
          text="Make one on the outreach platform; those that are finished or canceled are not shown."
        />
      )
    return (
      <Field
        label="Campaign"
        hint="Read live from the outreach platform."
        error={isTooMany ? `At most ${count(mostPicked)} people at once: choose fewer.` : undefined}
      >
        <Select value={picked} onValue={setPicked} choices={choices} />
      </Field>
    )
  }
  return (
    <Dialog
      open
      onOpen={(open) => !open && onClose()}
      title="Send to campaign"
      text="People whose details are complete are added to the campaign. Nobody is sent twice to the same one, and no credits are used."
      actions={actions}
    >
      <div className="flex flex-col gap-4 text-sm">
        {send.error !== null && <Failure error={send.error} />}
        {body()}
      </div>
    </Dialog>
  )
}
