import type { ReactNode } from 'react'
import { useSessionQuery, type SessionResult } from '../../api/index.ts'
import { Badge, CodeBlock, count, Drawer, Loaded, TimeAgo } from '../../ui/index.ts'
import { toneOf, wayIn } from './words.ts'

type Detail = SessionResult<'getRequest'>

function Shown({ request, body, curl, les }: Detail): ReactNode {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Operation', request.operation ?? 'no such endpoint'],
    ['By', request.caller.name],
    ['Through', wayIn[request.surface]],
    ['When', <TimeAgo key="at" at={request.at} />],
    ['Took', `${count(request.durationMs)} ms`],
    [
      'Request id',
      <code key="id" className="font-mono text-xs break-all">
        {request.requestId}
      </code>,
    ],
  ]
  return (
    <div className="flex flex-col gap-5">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={toneOf(request.status)}>{request.status}</Badge>
        {request.code && <code className="font-mono text-xs">{request.code}</code>}
        <span className="font-mono text-xs break-all">
          {request.method} {request.path}
        </span>
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {request.standsFor > 1 && (
        <p className="text-sm text-muted">
          Stands for {count(request.standsFor)} such calls: above a rate, reads are sampled.
        </p>
      )}
      {body && (
        <section className="flex flex-col gap-2">
          <h3 className="text-sm font-semibold">What was sent</h3>
          <CodeBlock label="Without secrets, long texts cut" code={JSON.stringify(body, null, 2)} maxHeight={320} />
        </section>
      )}
      <section className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">Make it again</h3>
        <CodeBlock label="As curl" code={curl} maxHeight={240} />
        <CodeBlock label="As les" code={les} maxHeight={240} />
      </section>
    </div>
  )
}

/** One call: what was sent, how it was answered, and the commands that make it again. */
export function CallDrawer({
  id,
  onClose,
}: {
  readonly id: string | undefined
  readonly onClose: () => void
}): ReactNode {
  const query = useSessionQuery('getRequest', { id: id ?? '' }, { topic: 'settings', enabled: id !== undefined })
  return (
    <Drawer
      open={id !== undefined}
      onOpen={(open) => !open && onClose()}
      title="Call"
      text="What was asked, and how it was answered."
    >
      {id !== undefined && <Loaded query={query}>{(detail) => <Shown {...detail} />}</Loaded>}
    </Drawer>
  )
}
