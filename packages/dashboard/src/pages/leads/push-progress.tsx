import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { v1Options } from '../../api/hooks.ts'
import { countOf, ErrorState, Meter, Skeleton } from '../../ui/index.ts'

const everyMs = 2_000

/** How far one push has come, followed until nothing is under way. */
export function PushProgress({
  pushId,
  queued,
  considered,
}: {
  readonly pushId: string
  readonly queued: number
  readonly considered: number
}): ReactNode {
  const options = v1Options('getPush', { pushId }, { topic: 'deliveries', enabled: queued > 0 })
  const { data, error, refetch } = useQuery({
    ...options,
    refetchInterval: (query) => (query.state.data?.finished ? false : everyMs),
  })
  const skipped = considered - queued
  const aside =
    skipped > 0
      ? `${countOf(skipped, 'lead')} not sent: delivered before, on the way, or left out by the webhook’s own filter.`
      : null
  if (queued === 0) return <p className="text-sm text-muted">Nothing to send. {aside}</p>
  if (error !== null) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={1} />
  const { pending, sending, delivered, failed, held } = data.counts
  const words = [
    `${delivered} of ${data.total} delivered`,
    pending + sending > 0 && `${pending + sending} on the way`,
    failed > 0 && `${failed} failed`,
    held > 0 && `${held} on hold`,
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <div className="flex flex-col gap-1" aria-live="polite">
      <Meter
        label={data.finished ? 'Finished' : 'Being sent'}
        value={delivered}
        max={data.total}
        text={words}
        tone={failed > 0 ? 'warn' : 'good'}
      />
      {held > 0 && (
        <p className="text-[0.8125rem] text-muted">
          On hold: these leads wait for their details, or for the webhook to be set again, and go by themselves.
        </p>
      )}
      {aside && <p className="text-[0.8125rem] text-muted">{aside}</p>}
    </div>
  )
}
