import { runState } from '@les/contract'
import type { ReactNode } from 'react'
import { useV1Query, type V1Result } from '../../api/index.ts'
import { Card, count, countOf, Meter, Notice, TimeAgo } from '../../ui/index.ts'
import type { Health } from './source.ts'

/** True while an answer tells of a sync that is not over: people are looked up after the run itself has ended. */
const isUnderWay = (answer: V1Result<'getSourceSync'> | undefined): boolean =>
  answer !== undefined && !answer.isFinal && answer.state !== 'idle'

/** How the latest sync of a source stands: live updates refresh it, and a slow poll in case they do not arrive. */
const useSync = (source: Health) =>
  useV1Query(
    'getSourceSync',
    { id: source.id },
    {
      topic: 'syncs',
      refetchInterval: ({ state }) => (source.running || isUnderWay(state.data) ? 5_000 : false),
      staleTime: 1_000,
    },
  )

/** How far the sync under way has come; nothing while none is. */
export function LiveSync({ source }: { readonly source: Health }): ReactNode {
  const { data } = useSync(source)
  if (data === undefined || !isUnderWay(data)) return null
  const { progress, enrichment } = data
  const wanted = enrichment.pending + enrichment.completed + enrichment.failed
  return (
    <Card
      title={source.type === 'keyword' ? 'Run under way' : 'Sync under way'}
      text={
        <>
          {runState(data.state).text}
          {data.startedAt && (
            <>
              {' '}
              · began <TimeAgo at={data.startedAt} />
            </>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3" aria-live="polite">
        <Meter
          label="Posts"
          value={progress.postsProcessed}
          max={Math.max(1, progress.postsTotal)}
          text={
            progress.postsTotal === 0
              ? 'looking for posts'
              : `${count(progress.postsProcessed)} of ${count(progress.postsTotal)}`
          }
        />
        {wanted > 0 && <Meter label="People looked up" value={wanted - enrichment.pending} max={wanted} />}
        <p className="text-sm">
          {countOf(progress.leadsCaptured, 'lead')} captured so far
          {progress.leadsTotal > progress.leadsCaptured && (
            <span className="text-muted"> · {count(progress.leadsTotal)} in all</span>
          )}
        </p>
        {source.waiting !== null && <Notice tone="warn">Waiting: {source.waiting}. It goes on by itself.</Notice>}
        {data.error && <Notice tone="bad">{data.error}</Notice>}
      </div>
    </Card>
  )
}
