import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countOf, Notice, TimeAgo, TimeUntil } from '../../ui/index.ts'
import { State } from './cells.tsx'
import type { Detail } from './detail.tsx'
import { Section } from './section.tsx'
import { attemptWords } from './words.ts'

function Delivery({ delivery }: { readonly delivery: Detail['deliveries'][number] }): ReactNode {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
      <State said={attemptWords[delivery.state]} />
      <span className="min-w-0 truncate">{delivery.ownerLabel}</span>
      <span className="text-muted tabular-nums">
        {countOf(delivery.attempts, 'attempt')}
        {delivery.lastStatus === null ? '' : `, last answer ${delivery.lastStatus}`}
      </span>
      <span className="text-muted">
        {delivery.finishedAt !== null ? (
          <TimeAgo at={delivery.finishedAt} />
        ) : delivery.nextAttemptAt !== null ? (
          <>
            next <TimeUntil at={delivery.nextAttemptAt} />
          </>
        ) : null}
      </span>
      <Link
        to="/webhooks"
        search={{ tab: 'log', delivery: delivery.id }}
        className="ml-auto text-accent-text underline underline-offset-2"
      >
        Payload and attempts
      </Link>
    </li>
  )
}

function WhyNot({
  reasons,
  sourceId,
}: {
  readonly reasons: readonly string[]
  readonly sourceId: string | null
}): ReactNode {
  if (reasons.length === 0) return null
  return (
    <Notice
      tone="warn"
      title="Why it was not delivered"
      action={
        sourceId !== null && (
          <Link
            to="/sources/$id"
            params={{ id: sourceId }}
            search={{ tab: 'webhook' }}
            className="font-medium underline underline-offset-2"
          >
            Webhook of its source
          </Link>
        )
      }
    >
      {reasons.length === 1 ? (
        <p>{reasons[0]}</p>
      ) : (
        <ul className="list-disc pl-5">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

/** Where the lead went: webhooks with their attempts, and campaigns; or why it went nowhere. */
export function DetailDelivery({
  detail: { lead, deliveries, whyNotDelivered, sends },
}: {
  readonly detail: Detail
}): ReactNode {
  return (
    <>
      <Section title="Webhook">
        <WhyNot reasons={whyNotDelivered} sourceId={lead.sourceId} />
        {deliveries.length > 0 ? (
          <ul className="flex flex-col divide-y divide-line">
            {deliveries.map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} />
            ))}
          </ul>
        ) : (
          whyNotDelivered.length === 0 && <p className="text-sm text-muted">Nothing was sent to a webhook yet.</p>
        )}
      </Section>
      <Section title="Campaigns">
        {sends.length === 0 && <p className="text-sm text-muted">Not sent to any campaign.</p>}
        {sends.length > 0 && (
          <ul className="flex flex-col divide-y divide-line">
            {sends.map((send) => (
              <li key={`${send.campaignId} ${send.at}`} className="flex flex-wrap items-baseline gap-x-3 py-2 text-sm">
                <span className="font-medium">{send.campaignName ?? `Campaign ${send.campaignId}`}</span>
                <span className="text-muted">
                  {send.state.replaceAll('_', ' ')}, <TimeAgo at={send.at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}
