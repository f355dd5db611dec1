import { runState } from '@les/contract'
import type { ReactNode } from 'react'
import { useV1Query } from '../../api/index.ts'
import { Badge, Card, Meter, TimeAgo, count, countOf, useNow, timeAgo } from '../../ui/index.ts'
import { endWords, runWords, type SearchRow } from '../keyword/words.ts'

function Live({ id }: { readonly id: string }): ReactNode {
  const { data } = useV1Query('getKeywordSync', { id }, { topic: 'syncs' })
  if (!data || !['queued', 'capturing', 'enriching'].includes(data.state)) return null
  const words = `Run under way: ${runState(data.state).text.toLowerCase()}`
  const { progress } = data
  return (
    <div className="mb-4 flex flex-col gap-2 rounded-lg bg-info-soft px-4 py-3 text-sm text-info-text" role="status">
      <p className="font-medium">{words}</p>
      {progress.postsTotal > 0 && (
        <Meter label="Posts read" value={progress.postsProcessed} max={progress.postsTotal} />
      )}
      <p>
        {countOf(progress.leadsCaptured, 'lead')} captured so far
        {progress.leadsCaptured > 0 && `, details of ${count(progress.leadsEnriched)} known`}.
      </p>
    </div>
  )
}

function Next({ row }: { readonly row: SearchRow }): ReactNode {
  const now = useNow()
  const end = endWords(row)
  const next = row.schedule?.nextRunAt
  if (end !== null)
    return (
      <p>
        <Badge tone="warn">{end}</Badge>
      </p>
    )
  const left = row.schedule?.maxRuns
    ? ` ${countOf(row.schedule.runsCompleted, 'run')} of ${row.schedule.maxRuns} made.`
    : ''
  return (
    <p>
      It runs by itself once a day{next ? `; the next run is ${timeAgo(next, now)}.` : '.'}
      {left}
    </p>
  )
}

/** How the search is doing: the run under way, the last one in words, and the next. */
export function Status({ row }: { readonly row: SearchRow }): ReactNode {
  return (
    <Card title="How it is doing">
      {row.status === 'active' && <Live id={row.id} />}
      <div className="flex flex-col gap-2 text-sm">
        <Next row={row} />
        {row.lastRun === undefined ? (
          <p className="text-muted">It has not finished a run yet.</p>
        ) : (
          <div>
            <p className="font-medium">
              Last run, <TimeAgo at={row.lastRun.finishedAt} />
            </p>
            <ul className="mt-1 list-disc pl-5">
              {runWords({ ...row, lastRun: row.lastRun }).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Card>
  )
}
