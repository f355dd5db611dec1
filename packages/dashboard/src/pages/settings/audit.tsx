import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useMemo, type ReactNode } from 'react'
import { api, keyOf, useSessionQuery, useSourceNames, type SessionResult } from '../../api/index.ts'
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
import { sentenceOf, type Known, type Place } from './audit-words.ts'

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

const link = 'rounded font-medium text-accent-text underline underline-offset-2'

function Named({ name, place }: { readonly name: string; readonly place?: Place | undefined }): ReactNode {
  if (place === undefined) return <span className="font-medium">{name}</span>
  if ('id' in place)
    return (
      <Link to={place.to} params={{ id: place.id }} className={link}>
        {name}
      </Link>
    )
  return (
    <Link to={place.to} search={'tab' in place ? { tab: place.tab } : {}} className={link}>
      {name}
    </Link>
  )
}

const columnsOf = (known: Known): readonly Column<Entry>[] => [
  {
    id: 'what',
    header: 'What happened',
    phone: 'whole',
    cell: (row) => (
      <div className="flex min-w-40 flex-col gap-1">
        <p className="break-words">
          <span className="font-medium">{row.actor.name}</span>{' '}
          {sentenceOf(row, known).map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay where they are.
            <Fragment key={at}>{typeof part === 'string' ? part : <Named {...part} />} </Fragment>
          ))}
        </p>
        <Details entry={row} />
      </div>
    ),
  },
  { id: 'by', header: 'By', width: '7rem', cell: (row) => <Badge>{actors[row.actor.kind]}</Badge> },
  { id: 'at', header: 'When', width: '9rem', cell: (row) => <TimeAgo at={row.at} /> },
]

/** The names of what the team has now. */
function useKnown(): Known {
  const { sources } = useSourceNames()
  const members = useSessionQuery('listMembers', {}, { topic: 'people', staleTime: 60_000 })
  return useMemo(() => {
    const named = new Map(sources.flatMap((each) => [[each.username, each] as const, [each.id, each] as const]))
    const people = new Map(members.data?.members.map(({ userId, email }) => [userId, email]))
    return { source: (name) => named.get(name), member: (id) => people.get(id) }
  }, [sources, members.data])
}

/** Every change to the team: who, what and when. */
export function AuditTab(): ReactNode {
  const known = useKnown()
  const columns = useMemo(() => columnsOf(known), [known])
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
