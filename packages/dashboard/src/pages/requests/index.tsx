import { textOf } from '../../shell/navigation.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { api, keyOf } from '../../api/index.ts'
import { compact } from '../../app/search.ts'
import {
  Badge,
  Button,
  buttonClass,
  Card,
  count,
  DataTable,
  EmptyState,
  ErrorState,
  Field,
  Input,
  PageFrame,
  Select,
  Skeleton,
  TimeAgo,
  type Column,
} from '../../ui/index.ts'
import { CallDrawer } from './call-drawer.tsx'
import { statuses, surfaces, type Search } from './search.ts'
import { toneOf, wayIn, type Call } from './words.ts'

/** The filters after a change; what is undefined is no longer one. */
type Changed = { readonly [Name in keyof Search]: Search[Name] | undefined }

const columnsOf = (onOpen: (call: Call) => void): readonly Column<Call>[] => [
  { id: 'at', header: 'When', cell: (call) => <TimeAgo at={call.at} /> },
  {
    id: 'what',
    header: 'Call',
    phone: 'whole',
    cell: (call) => (
      <div className="max-w-96 min-w-40">
        <button
          type="button"
          className="rounded text-start font-medium text-ink underline-offset-2 hover:underline"
          onClick={() => onOpen(call)}
        >
          {call.operation ?? 'No such endpoint'}
        </button>
        <p className="font-mono text-xs break-all text-muted">
          {call.method} {call.path}
        </p>
      </div>
    ),
  },
  {
    id: 'status',
    header: 'Answer',
    cell: (call) => (
      <div className="flex flex-wrap items-center gap-1.5">
        <Badge tone={toneOf(call.status)}>{call.status}</Badge>
        {call.code && <span className="font-mono text-xs">{call.code}</span>}
      </div>
    ),
  },
  { id: 'took', header: 'Took', align: 'end', wide: true, cell: (call) => `${count(call.durationMs)} ms` },
  {
    id: 'by',
    header: 'By',
    wide: true,
    cell: (call) => (
      <div>
        <p className="break-words">{call.caller.name}</p>
        <p className="text-xs text-muted">{wayIn[call.surface]}</p>
      </div>
    ),
  },
]

/** The filters as the address has them; a text is looked for when it is sent. */
function Filters({
  search,
  onChange,
}: {
  readonly search: Search
  readonly onChange: (next: Changed) => void
}): ReactNode {
  const [asked, setAsked] = useState(search.requestId ?? '')
  const any = { value: '', label: 'Any' }
  return (
    <form
      className="flex flex-wrap items-end gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ ...search, requestId: asked.trim() === '' ? undefined : asked.trim() })
      }}
    >
      <Field label="Answer">
        <Select
          value={search.status ?? ''}
          onValue={(value) => onChange({ ...search, status: statuses.find((one) => one === value) })}
          choices={[
            any,
            { value: '2xx', label: 'Done (2xx)' },
            { value: '4xx', label: 'Refused (4xx)' },
            { value: '5xx', label: 'Failed (5xx)' },
          ]}
        />
      </Field>
      <Field label="Through">
        <Select
          value={search.surface ?? ''}
          onValue={(value) => onChange({ ...search, surface: surfaces.find((one) => one === value) })}
          choices={[any, ...surfaces.map((value) => ({ value, label: wayIn[value] }))]}
        />
      </Field>
      <Field label="Request id">
        <Input value={asked} onChange={(event) => setAsked(event.target.value)} maxLength={128} />
      </Field>
      <Button type="submit">Find</Button>
    </form>
  )
}

/** The calls that match, newest first, and the button for older ones. */
function Calls({
  filters,
  query,
  onOpen,
}: {
  readonly filters: ReactNode
  readonly query: ReturnType<typeof useCalls>
  readonly onOpen: (id: string) => void
}): ReactNode {
  return (
    <Card flush>
      {filters}
      {query.isPending ? (
        <Skeleton lines={6} className="p-4" />
      ) : query.isError ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : (
        <DataTable
          label="API calls"
          columns={columnsOf((call) => onOpen(call.id))}
          rows={query.data.pages.flatMap((page) => page.requests)}
          rowId={(call) => call.id}
          empty={
            <EmptyState
              icon={<ScrollText />}
              title="No calls"
              text="Calls with an API key or by an agent tool are listed here within a second."
              action={
                <Link to="/settings" search={{ tab: 'keys' }} className={buttonClass('primary')}>
                  API keys
                </Link>
              }
            />
          }
        />
      )}
      {query.hasNextPage && (
        <div className="flex justify-center p-3">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older calls
          </Button>
        </div>
      )}
    </Card>
  )
}

function useCalls(filters: Omit<Search, 'call'>) {
  return useInfiniteQuery({
    queryKey: keyOf('settings', 'listRequests', filters),
    queryFn: ({ pageParam, signal }) =>
      api.session(
        'listRequests',
        { ...filters, limit: '50', ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** The log of calls by keys and agent tools. */
export function Page(): ReactNode {
  const search = useSearch({ from: '/signed-in/team/requests' })
  const navigate = useNavigate()
  const { call: open, ...given } = search
  const change = (next: Changed): void => void navigate({ to: '.', search: compact({ ...next }) })
  const query = useCalls(compact(given))
  return (
    <PageFrame
      title="API calls"
      text={textOf('/requests')}
      actions={
        <Button busy={query.isRefetching} onClick={() => void query.refetch()}>
          Refresh
        </Button>
      }
    >
      <Calls
        filters={<Filters search={search} onChange={change} />}
        query={query}
        onOpen={(id) => change({ ...search, call: id })}
      />
      <CallDrawer id={open} onClose={() => change({ ...search, call: undefined })} />
    </PageFrame>
  )
}
