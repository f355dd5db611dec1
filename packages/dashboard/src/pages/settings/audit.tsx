import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, keyOf, type SessionResult } from '../../api/index.ts'
import {
  Badge,
  Button,
  Card,
  CodeBlock,
  DataTable,
  EmptyState,
  ErrorState,
  Skeleton,
  TimeAgo,
  type Column,
} from '../../ui/index.ts'
import { auditWords } from './audit-words.ts'

type Page = SessionResult<'listAudit'>
type Entry = Page['entries'][number]

const actors: Readonly<Record<Entry['actor']['kind'], string>> = {
  user: 'person',
  key: 'API key',
  operator: 'operator',
}

function Details({ entry }: { readonly entry: Entry }): ReactNode {
  if (Object.keys(entry.details).length === 0) return null
  return (
    <details>
      <summary className="w-fit rounded text-[0.8125rem] text-muted">What was sent</summary>
      <div className="mt-1 max-w-xl">
        <CodeBlock
          label="What was sent, without secrets"
          code={JSON.stringify(entry.details, null, 2)}
          maxHeight={240}
        />
      </div>
    </details>
  )
}

const columns: readonly Column<Entry>[] = [
  { id: 'at', header: 'When', cell: (row) => <TimeAgo at={row.at} /> },
  {
    id: 'actor',
    header: 'Who',
    cell: (row) => (
      <div>
        <p className="break-words">{row.actor.name}</p>
        <Badge>{actors[row.actor.kind]}</Badge>
      </div>
    ),
  },
  {
    id: 'deed',
    header: 'What',
    cell: (row) => (
      <div className="flex min-w-40 flex-col gap-1">
        <p className="font-medium">{auditWords(row.operation)}</p>
        {row.target && <p className="font-mono text-xs break-all text-muted">{row.target}</p>}
        <Details entry={row} />
      </div>
    ),
  },
]

/** Every change to the team: who, what and when. */
export function AuditTab(): ReactNode {
  const query = useInfiniteQuery({
    queryKey: keyOf('settings', 'listAudit'),
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.session('listAudit', pageParam === undefined ? {} : { cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  if (query.isPending) return <Skeleton lines={6} className="p-4" />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  return (
    <Card flush title="Audit log" text="Every change to the team, newest first. Secrets are never kept here.">
      <DataTable
        label="Audit log"
        columns={columns}
        rows={query.data.pages.flatMap((page) => page.entries)}
        rowId={(row) => row.id}
        empty={<EmptyState title="No changes yet" text="What members, keys and operators change is listed here." />}
      />
      {query.hasNextPage && (
        <div className="flex justify-center p-3">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older changes
          </Button>
        </div>
      )}
    </Card>
  )
}
