import type { ReactNode } from 'react'
import type { SessionResult } from '../../api/index.ts'
import { Badge, count, Notice, TimeAgo } from '../../ui/index.ts'

/** A webhook address with its state. */
export type Endpoint = SessionResult<'listEndpoints'>['endpoints'][number]

const reasons: Readonly<Record<string, string>> = {
  gone: 'Your address said that it is gone for good (410).',
  failing: 'Nothing but failures came back for five days.',
}

/** The state of an address in a word. */
export function EndpointBadge({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  if (endpoint.disabledAt !== null) return <Badge tone="bad">Off</Badge>
  if (endpoint.failingSince !== null) return <Badge tone="warn">Failing</Badge>
  if (!endpoint.autoSend) return <Badge>By hand</Badge>
  return <Badge tone="good">Working</Badge>
}

/** What is wrong with an address and how to mend it; nothing when all is well. */
export function EndpointTrouble({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  if (endpoint.disabledAt !== null)
    return (
      <Notice tone="bad" title="Deliveries to this address were switched off">
        {endpoint.disabledReason && <p>{reasons[endpoint.disabledReason] ?? endpoint.disabledReason}</p>}
        <p>
          {endpoint.counts.held > 0 ? `${count(endpoint.counts.held)} are held and nothing is lost. ` : ''}Mend the
          receiver, then save the address again or replay what is held: both switch it on and send.
        </p>
      </Notice>
    )
  if (endpoint.failingSince === null) return null
  return (
    <Notice
      tone="warn"
      title={
        <>
          Failing since <TimeAgo at={endpoint.failingSince} />
        </>
      }
    >
      Each delivery is tried again for about a day. After 5 days of nothing but failures the address is switched off and
      deliveries are held.
    </Notice>
  )
}

/** The last seven days of an address, and what is wrong with it. */
export function EndpointState({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const { sent, waiting, failed, held } = endpoint.counts
  return (
    <div className="flex flex-col gap-3">
      <EndpointTrouble endpoint={endpoint} />
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm tabular-nums">
        <EndpointBadge endpoint={endpoint} />
        <span className="text-muted">Last 7 days:</span>
        <span>{count(sent)} delivered</span>
        {waiting > 0 && <span>{count(waiting)} waiting</span>}
        {failed > 0 && <span className="text-danger-text">{count(failed)} failed</span>}
        {held > 0 && <span className="text-warn-text">{count(held)} held</span>}
        <span className="text-muted">
          last <TimeAgo at={endpoint.lastSentAt} />
        </span>
      </p>
    </div>
  )
}
