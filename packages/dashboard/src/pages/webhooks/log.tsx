import { deliveryOutcome, deliveryStates, type EventName } from '@les/contract'
import { ScrollText } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useRead, useReadPages, useTeam, type ResultOf } from '../../api/index.ts'
import { Button } from '../../ui/button.tsx'
import { column, type Column } from '../../ui/columns.tsx'
import { DetailDrawer } from '../../ui/dialog.tsx'
import { bound, Checkbox, SelectField } from '../../ui/field.tsx'
import { choicesOf } from '../../ui/form.tsx'
import { count } from '../../ui/format.ts'
import { PrimaryLink, TextLink } from '../../ui/link.tsx'
import { ListCard, ListFilters } from '../../ui/list-card.tsx'
import { Badge, Facts, SaidBadge, Section } from '../../ui/show.tsx'
import { CodeBlock, TimeAgo, TimeUntil } from '../../ui/text.tsx'
import { useAddress, type Address } from '../../app/address.ts'
import { compact } from '../../app/search.ts'
import { deliveryStates as states } from '../../app/searches.ts'
import { SendPreviewDialog } from '../../sends/index.ts'
import type { Endpoint } from './endpoint-parts.tsx'

type Delivery = ResultOf<'listDeliveries'>['deliveries'][number]

const meanings: Readonly<Record<Delivery['state'], string>> = {
  pending: 'It is sent at its next attempt.',
  sending: 'An attempt is under way.',
  sent: 'Your address accepted it.',
  failed: 'Given up after all attempts. Send it again once the receiver works.',
  held: 'Kept until the address works again, until the person was looked up, or until you send it again. Nothing is lost.',
  excluded: 'The person was excluded before it was sent.',
  cancelled: 'The source was stopped or its address was removed before it was sent.',
}

const eventWords: Readonly<Record<EventName, string>> = {
  'lead.detected': 'New lead',
  'post.detected': 'New post',
  'sync.completed': 'Sync completed',
  'sync.failed': 'Sync failed',
  'person.erased': 'Person erased',
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const spans = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
] as const

/** Replays an endpoint's failed, held or (if chosen) sent deliveries of a chosen time, after a preview. */
export function ReplayDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [span, setSpan] = useState<(typeof spans)[number]['value']>('24')
  const [chosen, setChosen] = useState({ failed: true, held: true, sent: false })
  const change = (part: Partial<typeof chosen>) => setChosen({ ...chosen, ...part })
  const states = (['failed', 'held', 'sent'] as const).filter((state) => chosen[state])
  // The preview and the send use the same instant.
  const since = useMemo(() => new Date(Date.now() - Number(span) * 3_600_000).toISOString(), [span])
  return (
    <SendPreviewDialog
      title={`Send again to ${endpoint.label}`}
      text="Sends the same bytes with the same id: a receiver that remembers ids accepts each of them once."
      wanted={states.length === 0 ? null : { kind: 'replay', ownerId: endpoint.ownerId, states, since }}
      onClose={onClose}
    >
      <SelectField label="Deliveries made in" value={span} onValue={setSpan} choices={spans} />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">Which of them</legend>
        <Checkbox {...bound(chosen, change, 'failed')} label="Failed" />
        <Checkbox {...bound(chosen, change, 'held')} label="Held" />
        <Checkbox
          {...bound(chosen, change, 'sent')}
          label="Delivered before"
          hint="Use this if your side has lost them."
        />
      </fieldset>
    </SendPreviewDialog>
  )
}

const mono = (text: string) => <span className="font-mono text-xs leading-5 break-all">{text}</span>

type Detail = ResultOf<'getDelivery'>

const whyNotAgain: Partial<Record<Delivery['state'], string>> = {
  pending: 'It is on its way already',
  sending: 'It is on its way already',
  cancelled: 'It was dropped and cannot be sent',
  excluded: 'The person is excluded: push the lead once they no longer are',
}

function Shown({ detail }: { detail: Detail }) {
  const { can } = useTeam()
  const [sending, setSending] = useState(false)
  const { delivery, payload, attempts } = detail
  const state = deliveryStates[delivery.state]
  const isUnderway = delivery.state === 'pending' || delivery.state === 'sending'
  const why = can('member') ? whyNotAgain[delivery.state] : 'Only members may send it again'
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex flex-col gap-1 text-sm">
          <p className="flex items-center gap-2">
            <SaidBadge said={state} />
            <span className="text-muted">{meanings[delivery.state]}</span>
          </p>
          {delivery.nextAttemptAt && isUnderway && (
            <p>
              Next attempt <TimeUntil at={delivery.nextAttemptAt} />
            </p>
          )}
        </div>
        <Button reason={why} onClick={() => setSending(true)}>
          Send it again…
        </Button>
        {sending && (
          <SendPreviewDialog
            title="Send it again"
            text="Sends the same bytes with the same id: a receiver that remembers ids accepts it once."
            wanted={{ kind: 'delivery', deliveryId: delivery.id }}
            onClose={() => setSending(false)}
          />
        )}
      </div>
      <Facts
        facts={[
          [
            'Event',
            <span key="event">
              {eventWords[delivery.event]} <code className="font-mono text-xs text-muted">{delivery.event}</code>
            </span>,
          ],
          ['Of', delivery.ownerLabel],
          [
            'Lead',
            delivery.leadId && (
              <TextLink to="/leads" search={{ lead: delivery.leadId }}>
                {delivery.leadName ?? 'Name unknown'}
              </TextLink>
            ),
          ],
          ['Address', mono(delivery.url ?? 'removed since')],
          ['Made', <TimeAgo key="made" at={delivery.createdAt} />],
          ['Id', mono(delivery.id)],
        ]}
      />
      <Section title="Attempts">
        {attempts.length === 0 ? (
          <p className="text-sm text-muted">No attempt yet.</p>
        ) : (
          <ol className="flex flex-col gap-3">
            {attempts.map((attempt) => (
              <li key={attempt.number} className="flex flex-col gap-1.5 rounded-lg border border-line p-3 text-sm">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <span className="font-medium">Attempt {attempt.number}</span>
                  <Badge tone={attempt.status !== null && attempt.status < 300 ? 'good' : 'bad'}>
                    {attempt.status ?? 'no answer'}
                  </Badge>
                  <span className="text-muted tabular-nums">
                    <TimeAgo at={attempt.at} /> · {count(attempt.elapsedMs)} ms
                  </span>
                </p>
                <p className="text-[0.8125rem] text-muted">{deliveryOutcome(attempt.outcome)}</p>
                {attempt.response && (
                  <CodeBlock label={`Answer to attempt ${attempt.number}`} code={attempt.response} maxHeight={140} />
                )}
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Section title="Payload">
        {payload === null ? (
          <p className="text-sm text-muted">Made when it is first sent.</p>
        ) : (
          <CodeBlock label="JSON, indented for reading" code={pretty(payload)} maxHeight={480} />
        )}
      </Section>
    </div>
  )
}

const stateChoices = states.map((state) => ({ value: state, label: deliveryStates[state].text }))

const lookOfRow = 'rounded text-start font-medium text-ink underline-offset-2 hover:underline'

const columnsOf = (onOpen: (delivery: Delivery) => void): readonly Column<Delivery>[] => [
  column('Event', (delivery) => (
    <div className="max-w-72 min-w-40">
      <button type="button" className={lookOfRow} onClick={() => onOpen(delivery)}>
        {delivery.leadName ?? eventWords[delivery.event]}
      </button>
      <div className="text-[0.8125rem] text-muted">
        {delivery.leadName === null ? delivery.event : eventWords[delivery.event]}
      </div>
    </div>
  )),
  column('Source', (delivery) => <span className="break-words">{delivery.ownerLabel}</span>),
  column('State', (delivery) => <SaidBadge said={deliveryStates[delivery.state]} />),
  column('Attempts', { align: 'end' }, (delivery) => count(delivery.attempts)),
  column(
    'Last answer',
    (delivery) =>
      delivery.lastStatus ??
      (delivery.lastOutcome === null ? (
        '–'
      ) : (
        <span className="text-[0.8125rem]">{deliveryOutcome(delivery.lastOutcome)}</span>
      )),
  ),
  column('Created', (delivery) => <TimeAgo at={delivery.createdAt} />),
  column('Next attempt', (delivery) => <TimeUntil at={delivery.nextAttemptAt} none="–" />),
]

function Filters({ address }: { address: Address<'/signed-in/team/webhooks'> }) {
  const { ownerId, leadId } = address.search
  const { data } = useRead('listEndpoints', {})
  const owners = (data?.endpoints ?? []).map((endpoint) => ({ value: endpoint.ownerId, label: endpoint.label }))
  const isKnown = ownerId === undefined || owners.some((owner) => owner.value === ownerId)
  const ownerChoices = [...owners, ...(isKnown ? [] : [{ value: ownerId, label: 'One source or agent' }])]
  return (
    <ListFilters
      address={address}
      replace
      filters={[
        { name: 'state', label: 'State', any: 'Any', choices: stateChoices, className: 'w-36' },
        { name: 'event', label: 'Event', any: 'Any', choices: choicesOf(eventWords), className: 'w-40' },
        { name: 'ownerId', label: 'Source', any: 'All', choices: ownerChoices, className: 'w-52' },
      ]}
    >
      {leadId && (
        <Button size="sm" onClick={() => address.change({ leadId: undefined }, { replace: true })}>
          Only one lead: show all
        </Button>
      )}
    </ListFilters>
  )
}

export function Log() {
  const address = useAddress('/signed-in/team/webhooks')
  const { search } = address
  const set = (patch: Parameters<typeof address.change>[0]) => address.change(patch, { replace: true })
  const { state, event, ownerId, leadId } = search
  const wanted = compact({ state, event, ownerId, leadId })
  const query = useReadPages('listDeliveries', { ...wanted, limit: '50' })
  const opened = search.delivery
  const detail = useRead('getDelivery', { id: opened ?? '' }, { enabled: opened !== undefined })
  const open = (delivery: Delivery) => set({ delivery: delivery.id })
  const isFiltered = Object.keys(wanted).length > 0
  const showAll = () => set({ state: undefined, event: undefined, ownerId: undefined, leadId: undefined })
  return (
    <>
      <ListCard
        query={query}
        more="Show earlier ones"
        label="Deliveries"
        columns={columnsOf(open)}
        rows={query.data?.pages.flatMap((page) => page.deliveries) ?? []}
        onOpen={open}
        empty={
          isFiltered
            ? { title: 'No delivery matches', action: <Button onClick={showAll}>Show all</Button> }
            : {
                icon: ScrollText,
                title: 'Nothing was delivered yet',
                text: 'Once a source has an address and captures a lead, every delivery is listed here with what was sent and what came back.',
                action: <PrimaryLink to="/sources">Choose a source</PrimaryLink>,
              }
        }
      >
        <Filters address={address} />
      </ListCard>
      <DetailDrawer
        open={search.delivery !== undefined}
        onClose={() => set({ delivery: undefined })}
        title="Delivery"
        text="What was sent, and what came back."
        query={detail}
      >
        {(shown) => <Shown detail={shown} />}
      </DetailDrawer>
    </>
  )
}
