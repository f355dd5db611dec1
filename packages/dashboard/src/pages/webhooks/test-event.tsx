import type { ReactNode } from 'react'
import { useSessionMutation } from '../../api/index.ts'
import { CodeBlock, count, Notice, RoleButton } from '../../ui/index.ts'

/** Sends a marked sample to the address of a source and tells what came back. */
export function TestEvent({ sourceId }: { readonly sourceId: string }): ReactNode {
  const test = useSessionMutation('sendTestEvent')
  const answer = test.data
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <RoleButton needs="member" busy={test.isPending} onClick={() => test.mutate({ sourceId })}>
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
