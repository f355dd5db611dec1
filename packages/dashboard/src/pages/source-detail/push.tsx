import type { ReactNode } from 'react'
import { useTeam, useV1Mutation, useV1Query } from '../../api/index.ts'
import { Button, count, countOf, Meter } from '../../ui/index.ts'

/** How far a push has come; live updates move it. */
function Progress({ pushId }: { readonly pushId: string }): ReactNode {
  const { data } = useV1Query('getPush', { pushId }, { topic: 'deliveries' })
  if (data === undefined) return null
  const { delivered, failed, held } = data.counts
  const rest = [failed > 0 && `${count(failed)} failed`, held > 0 && `${count(held)} held until people are looked up`]
    .filter(Boolean)
    .join(', ')
  return (
    <div className="w-full max-w-xl" aria-live="polite">
      <Meter
        label={data.finished ? 'Sent' : 'Being sent'}
        value={delivered}
        max={data.total}
        tone={failed > 0 ? 'warn' : 'good'}
      />
      {rest && <p className="mt-1 text-[0.8125rem] text-muted">{rest}</p>}
    </div>
  )
}

/** Sends what was captured before the address was set, and what failed; nobody who was delivered goes again. */
export function PushCaptured({
  sourceId,
  icpOnly,
}: {
  readonly sourceId: string
  readonly icpOnly: boolean
}): ReactNode {
  const { can } = useTeam()
  const push = useV1Mutation('pushSource', {
    refreshes: ['deliveries', 'leads'],
    done: ({ queued }) => (queued === 0 ? 'There was nothing left to send' : `${countOf(queued, 'lead')} on the way`),
  })
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          disabled={!can('member')}
          title={can('member') ? undefined : 'Only members may send leads'}
          busy={push.isPending}
          onClick={() => push.mutate({ id: sourceId })}
        >
          Send leads captured before
        </Button>
        <span className="text-[0.8125rem] text-muted">
          {icpOnly
            ? 'Those that fit and were not delivered yet, and what failed.'
            : 'All that were not delivered yet, and what failed.'}
        </span>
      </div>
      {push.data && push.data.queued > 0 && <Progress pushId={push.data.pushId} />}
    </div>
  )
}
