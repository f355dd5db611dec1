import { runState } from '@les/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, keyOf, type SessionResult } from '../../api/index.ts'
import { Badge, Button, Card, count, DataTable, EmptyState, TimeAgo, TimeUntil, type Column } from '../../ui/index.ts'
import { Coverage } from '../sources/health.tsx'
import { NotRead } from './list-parts.tsx'
import type { Health } from './source.ts'

type Run = SessionResult<'listRuns'>['runs'][number]

const triggers: Readonly<Record<Run['trigger'], string>> = {
  track: 'Tracked',
  scheduled: 'On schedule',
  manual: 'By hand',
}
const columns: readonly Column<Run>[] = [
  {
    id: 'at',
    header: 'Began',
    cell: (run) => (
      <>
        <TimeAgo at={run.startedAt ?? run.createdAt} />
        <div className="text-[0.8125rem] text-muted">{triggers[run.trigger]}</div>
      </>
    ),
  },
  {
    id: 'why',
    header: 'How it ended',
    cell: (run) => (
      <div className="flex max-w-80 min-w-44 flex-col items-start gap-1">
        <Badge tone={runState(run.state).tone}>{runState(run.state).text}</Badge>
        <span className="text-[0.8125rem] text-muted">{run.words}</span>
      </div>
    ),
  },
  {
    id: 'posts',
    header: 'Posts finished',
    align: 'end',
    wide: true,
    cell: (run) => `${count(run.postsProcessed)} of ${count(run.postsTotal)}`,
  },
  { id: 'coverage', header: 'Coverage', wide: true, cell: (run) => <Coverage coverage={run.coverage} /> },
  { id: 'leads', header: 'Leads', align: 'end', cell: (run) => count(run.leadRows) },
  { id: 'credits', header: 'Credits', align: 'end', cell: (run) => count(run.creditsSpent) },
]

/** The runs of a source, newest first, each with why it stopped. */
export function Runs({ source }: { readonly source: Health }): ReactNode {
  const query = useInfiniteQuery({
    queryKey: keyOf('syncs', 'listRuns', source.id),
    queryFn: ({ pageParam, signal }) =>
      api.session(
        'listRuns',
        { id: source.id, limit: '25', ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
  if (query.data === undefined) return <NotRead query={query} lines={5} />
  const rows = query.data.pages.flatMap((page) => page.runs)
  return (
    <Card title="Runs" text="Each reading of this source, and why it stopped where it did." flush>
      <DataTable
        label="Runs"
        columns={columns}
        rows={rows}
        rowId={(run) => run.syncId}
        empty={
          <EmptyState
            title="No run yet"
            text={
              source.nextSyncAt ? (
                <>
                  The next one is planned <TimeUntil at={source.nextSyncAt} clock />.
                </>
              ) : (
                'None is planned.'
              )
            }
          />
        }
      />
      {query.hasNextPage && (
        <div className="flex justify-center border-t border-line p-3">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show earlier runs
          </Button>
        </div>
      )}
    </Card>
  )
}
