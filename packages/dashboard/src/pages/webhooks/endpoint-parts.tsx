import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useWrite, type ResultOf } from '../../api/index.ts'
import { Button, RoleButton } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Badge, Notice } from '../../ui/show.tsx'
import { CodeBlock, CopyField, TimeAgo } from '../../ui/text.tsx'

export type Endpoint = ResultOf<'listEndpoints'>['endpoints'][number]

const reasons: Readonly<Record<string, string>> = {
  gone: 'Your address answered that it is gone for good (410).',
  failing: 'Every delivery failed for five days.',
}

export function EndpointBadge({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.disabledAt !== null) return <Badge tone="bad">Off</Badge>
  if (endpoint.failingSince !== null) return <Badge tone="warn">Failing</Badge>
  if (!endpoint.autoSend) return <Badge>By hand</Badge>
  return <Badge tone="good">Working</Badge>
}

export function EndpointTrouble({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.disabledAt !== null)
    return (
      <Notice tone="bad" title="Deliveries to this address were switched off">
        {endpoint.disabledReason && <p>{reasons[endpoint.disabledReason] ?? endpoint.disabledReason}</p>}
        <p>
          {endpoint.counts.held > 0 ? `${count(endpoint.counts.held)} are held and nothing is lost. ` : ''}Fix the
          receiver, then save the address again or replay what is held: both switch the address on and send.
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
      Each delivery is retried for about a day. After 5 days with nothing but failures, the address is switched off and
      deliveries are held.
    </Notice>
  )
}

export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
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

export function Secret({ secret }: { secret: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="flex max-w-xl flex-col items-start gap-2">
      {isShown ? (
        <div className="w-full">
          <CopyField
            label="Signing secret"
            value={secret}
            hint="One secret for all addresses of the team. Keep it on your server only; an owner can rotate it under Settings."
          />
        </div>
      ) : (
        <p className="text-sm">
          <span className="font-medium">Signing secret</span>{' '}
          <span aria-hidden="true" className="ml-2 font-mono">
            whsec_••••••••••••
          </span>
        </p>
      )}
      <Button size="sm" onClick={() => setShown(!isShown)} icon={isShown ? EyeOff : Eye}>
        {isShown ? 'Hide secret' : 'Show secret'}
      </Button>
    </div>
  )
}

export function TestEvent({ sourceId }: { sourceId: string }) {
  const test = useWrite('sendTestEvent')
  const answer = test.data
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <RoleButton busy={test.isPending} onClick={() => test.mutate({ sourceId })}>
          Send a test event
        </RoleButton>
        <span className="text-[0.8125rem] text-muted">
          An invented person, marked <code className="font-mono">"sample": true</code>. No lead changes.
        </span>
      </div>
      {answer && (
        <div className="flex w-full max-w-xl flex-col gap-2">
          <Notice
            tone={answer.delivered ? 'good' : 'bad'}
            title={answer.delivered ? `Delivered: your address answered ${answer.status ?? ''}` : 'Not delivered'}
          >
            {answer.reason && <p>{answer.reason}</p>}
            <p>
              {answer.status !== null && !answer.delivered && `It answered ${answer.status}. `}It took{' '}
              {count(answer.elapsedMs)} ms.
            </p>
          </Notice>
          {answer.response && <CodeBlock label="What it answered" code={answer.response} maxHeight={160} />}
        </div>
      )}
    </div>
  )
}
