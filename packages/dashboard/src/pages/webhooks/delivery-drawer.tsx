import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { SendPreviewDialog } from '../../sends/index.ts'
import { useSessionQuery, useTeam, type SessionResult } from '../../api/index.ts'
import { Badge, Button, CodeBlock, count, Drawer, Loaded, TimeAgo, TimeUntil } from '../../ui/index.ts'
import { eventWords, outcomeWords, pretty, stateWords } from './words.ts'

type Detail = SessionResult<'getDelivery'>

function Attempts({ attempts }: { readonly attempts: Detail['attempts'] }): ReactNode {
  if (attempts.length === 0) return <p className="text-sm text-muted">No attempt yet.</p>
  return (
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
          <p className="text-[0.8125rem] text-muted">{outcomeWords(attempt.outcome)}</p>
          {attempt.response && (
            <CodeBlock label={`Answer to attempt ${attempt.number}`} code={attempt.response} maxHeight={140} />
          )}
        </li>
      ))}
    </ol>
  )
}

function Facts({ delivery }: { readonly delivery: Detail['delivery'] }): ReactNode {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      <dt className="text-muted">Event</dt>
      <dd>
        {eventWords[delivery.event]} <code className="font-mono text-xs text-muted">{delivery.event}</code>
      </dd>
      <dt className="text-muted">Of</dt>
      <dd className="break-words">{delivery.ownerLabel}</dd>
      {delivery.leadId && (
        <>
          <dt className="text-muted">Lead</dt>
          <dd>
            <Link
              to="/leads"
              search={{ lead: delivery.leadId }}
              className="text-accent-text underline underline-offset-2"
            >
              {delivery.leadName ?? 'Name unknown'}
            </Link>
          </dd>
        </>
      )}
      <dt className="text-muted">Address</dt>
      <dd className="font-mono text-xs leading-5 break-all">{delivery.url ?? 'removed since'}</dd>
      <dt className="text-muted">Made</dt>
      <dd>
        <TimeAgo at={delivery.createdAt} />
      </dd>
      <dt className="text-muted">Id</dt>
      <dd className="font-mono text-xs leading-5 break-all">{delivery.id}</dd>
    </dl>
  )
}

function Shown({ detail }: { readonly detail: Detail }): ReactNode {
  const { can } = useTeam()
  const [sending, setSending] = useState(false)
  const { delivery, payload, attempts } = detail
  const state = stateWords[delivery.state]
  const isUnderway = delivery.state === 'pending' || delivery.state === 'sending'
  const why = !can('member')
    ? 'Only members may send it again'
    : isUnderway
      ? 'It is on its way already'
      : delivery.state === 'cancelled'
        ? 'It was dropped and cannot be sent'
        : undefined
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex flex-col gap-1 text-sm">
          <p className="flex items-center gap-2">
            <Badge tone={state.tone}>{state.name}</Badge>
            <span className="text-muted">{state.means}</span>
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
            text="The same bytes under the same id: a receiver that keeps ids takes it once."
            wanted={{ kind: 'delivery', deliveryId: delivery.id }}
            onClose={() => setSending(false)}
          />
        )}
      </div>
      <Facts delivery={delivery} />
      <section className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">Attempts</h3>
        <Attempts attempts={attempts} />
      </section>
      <section className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">Payload</h3>
        {payload === null ? (
          <p className="text-sm text-muted">Made when it is first sent.</p>
        ) : (
          <CodeBlock label="JSON, indented for reading" code={pretty(payload)} maxHeight={480} />
        )}
      </section>
    </div>
  )
}

/** One delivery: its payload, every attempt with what came back, and sending it again. */
export function DeliveryDrawer({
  id,
  onClose,
}: {
  readonly id: string | undefined
  readonly onClose: () => void
}): ReactNode {
  const query = useSessionQuery('getDelivery', { id: id ?? '' }, { topic: 'deliveries', enabled: id !== undefined })
  return (
    <Drawer
      open={id !== undefined}
      onOpen={(open) => !open && onClose()}
      title="Delivery"
      text="What was sent, and what came back."
    >
      {id !== undefined && <Loaded query={query}>{(detail) => <Shown detail={detail} />}</Loaded>}
    </Drawer>
  )
}
