import { teamStates } from '@les/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, type SessionResult } from '../../api/index.ts'
import {
  Badge,
  Button,
  Card,
  count,
  countOf,
  RecordList,
  EmptyState,
  Loaded,
  Notice,
  PageFrame,
  planName,
  Tabs,
  TimeAgo,
  TimeUntil,
  toast,
  type Column,
} from '../../ui/index.ts'
import type { tabs } from './search.ts'

type Overview = SessionResult<'getOperatorOverview'>
type Team = Overview['teams'][number]
type Vendor = Overview['vendors'][number]
type Margin = Overview['margins'][number]
type Queue = Overview['queues'][number]
type Poison = Overview['poison'][number]

const queryKey = ['operator', 'overview'] as const
const dollars = (amount: number | null): string => (amount === null ? '–' : `$${amount.toFixed(2)}`)

const teamColumns: readonly Column<Team>[] = [
  {
    id: 'name',
    header: 'Team',
    sortBy: (team) => team.name,
    cell: (team) => (
      <>
        <span className="font-medium">{team.name}</span>
        <div className="font-mono text-xs text-muted">{team.id}</div>
      </>
    ),
  },
  { id: 'plan', header: 'Plan', wide: true, cell: (team) => planName(team.plan) },
  {
    id: 'status',
    header: 'Standing',
    cell: (team) => <Badge tone={team.status === 'expired' ? 'warn' : 'neutral'}>{teamStates[team.status].text}</Badge>,
  },
  {
    id: 'credits',
    header: 'Credits left',
    align: 'end',
    sortBy: (team) => team.credits,
    cell: (team) => count(team.credits),
  },
  {
    id: 'used',
    header: 'Used this period',
    align: 'end',
    wide: true,
    sortBy: (team) => team.usedThisPeriod,
    cell: (team) => count(team.usedThisPeriod),
  },
  {
    id: 'sources',
    header: 'Sources',
    align: 'end',
    sortBy: (team) => team.activeSources,
    cell: (team) => count(team.activeSources),
  },
]

const keyWords: Readonly<Record<Vendor['key'], string>> = {
  good: 'Key good',
  refused: 'Key refused',
  unknown: 'Not read',
}
const vendorColumns: readonly Column<Vendor>[] = [
  {
    id: 'vendor',
    header: 'Vendor',
    cell: (vendor) => (
      <>
        <span className="inline-flex gap-1">
          <span className="font-medium">{vendor.vendor}</span>
          <span className="text-muted">{vendor.plan}</span>
        </span>
        {vendor.held !== null && <div className="text-[0.8125rem] text-warn-text">Held: {vendor.held.inWords}</div>}
      </>
    ),
  },
  {
    id: 'key',
    header: 'Key',
    cell: (vendor) => (
      <Badge tone={vendor.key === 'good' ? 'good' : vendor.key === 'refused' ? 'bad' : 'neutral'}>
        {keyWords[vendor.key]}
      </Badge>
    ),
  },
  {
    id: 'balance',
    header: 'Balance',
    align: 'end',
    cell: (vendor) => (
      <>
        {dollars(vendor.balance)}
        {vendor.daysLeft !== null && (
          <div className="text-[0.8125rem] text-muted">about {countOf(vendor.daysLeft, 'day')}</div>
        )}
      </>
    ),
  },
  {
    id: 'today',
    header: 'Today',
    align: 'end',
    cell: (vendor) => (
      <>
        {dollars(vendor.today.dollars)}
        <div className="text-[0.8125rem] text-muted">
          {countOf(vendor.today.calls, 'call')}
          {vendor.dailyCap === null ? '' : `, cap ${dollars(vendor.dailyCap)}`}
        </div>
      </>
    ),
  },
  { id: 'flight', header: 'In flight', align: 'end', wide: true, cell: (vendor) => count(vendor.inFlight) },
]

const marginColumns: readonly Column<Margin>[] = [
  { id: 'name', header: 'Team', cell: (team) => team.name },
  {
    id: 'credits',
    header: 'Credits charged',
    align: 'end',
    sortBy: (team) => team.credits,
    cell: (team) => count(team.credits),
  },
  { id: 'cost', header: 'Cost', align: 'end', sortBy: (team) => team.dollars, cell: (team) => dollars(team.dollars) },
  { id: 'revenue', header: 'Revenue', align: 'end', wide: true, cell: (team) => dollars(team.revenue) },
  { id: 'margin', header: 'Margin', align: 'end', sortBy: (team) => team.margin, cell: (team) => dollars(team.margin) },
]

const queueColumns: readonly Column<Queue>[] = [
  { id: 'kind', header: 'Kind of work', cell: (queue) => queue.kind },
  {
    id: 'waiting',
    header: 'Waiting',
    align: 'end',
    cell: (queue) => `${count(queue.waiting)}${queue.atLeast ? ' or more' : ''}`,
  },
  { id: 'oldest', header: 'Oldest since', cell: (queue) => <TimeAgo at={queue.oldest} /> },
]

function Retry({ work }: { work: Poison }) {
  const client = useQueryClient()
  const retry = useMutation({
    mutationFn: () => api.session('retryPoisonWork', { kind: work.kind, teamId: work.teamId, id: work.id }),
    onSuccess: ({ due }) =>
      due ? toast.good('It is tried now') : toast.info('Nothing to try: it is under way, over, or well again'),
    onError: (error) => toast.bad('It could not be tried', error.message),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <Button size="sm" busy={retry.isPending} onClick={() => retry.mutate()}>
      Try again
    </Button>
  )
}

const poisonColumns: readonly Column<Poison>[] = [
  {
    id: 'work',
    header: 'Work',
    cell: (work) => (
      <>
        {work.kind} <span className="text-muted">of {work.teamName}</span>
        <div className="font-mono text-xs text-muted">{work.id}</div>
      </>
    ),
  },
  { id: 'failures', header: 'Failures in a row', align: 'end', cell: (work) => count(work.failures) },
  { id: 'next', header: 'Next try', wide: true, cell: (work) => <TimeUntil at={work.nextTryAt} none="–" /> },
  { id: 'retry', header: 'Try again', hideHeader: true, cell: (work) => <Retry work={work} /> },
]

/** What operators of the service see: alerts, teams, vendors, money, queues, and work that fails. */
function Overviewed({ data }: { data: Overview }) {
  const { tab = 'teams' } = useSearch({ from: '/signed-in/team/operations' })
  const navigate = useNavigate({ from: '/operations' })
  const contents = {
    teams: (
      <>
        <Card flush>
          <RecordList
            label="Teams"
            columns={teamColumns}
            rows={data.teams}
            rowId={({ id }) => id}
            empty={<EmptyState title="No team yet" />}
          />
        </Card>
        {data.moreTeams && <p className="mt-2 text-sm text-muted">Only the newest teams are listed.</p>}
      </>
    ),
    vendors: (
      <Card flush>
        <RecordList
          label="Vendors"
          columns={vendorColumns}
          rows={data.vendors}
          rowId={({ vendor }) => vendor}
          empty={<EmptyState title="No vendor is set up" />}
        />
      </Card>
    ),
    costs: (
      <Card flush>
        <RecordList
          label="Costs of 30 days"
          columns={marginColumns}
          rows={data.margins}
          rowId={({ teamId }) => teamId}
          empty={<EmptyState title="Nothing was spent in 30 days" />}
        />
      </Card>
    ),
    work: (
      <div className="flex flex-col gap-4">
        <Card flush title="What waits">
          <RecordList
            label="Queues"
            columns={queueColumns}
            rows={data.queues}
            rowId={({ kind }) => kind}
            empty={<EmptyState title="Nothing waits" />}
          />
        </Card>
        <Card flush title="What fails">
          <RecordList
            label="Work that fails"
            columns={poisonColumns}
            rows={data.poison}
            rowId={({ kind, id }) => `${kind} ${id}`}
            empty={<EmptyState title="No work fails" />}
          />
        </Card>
      </div>
    ),
  }
  return (
    <div className="flex flex-col gap-4">
      {data.alerts.length === 0 ? (
        <Notice tone="good">Nothing needs you.</Notice>
      ) : (
        <div className="flex flex-col gap-2">
          {data.alerts.map(({ level, text, advice }) => (
            <Notice key={text} tone={level} title={text}>
              {advice}
            </Notice>
          ))}
        </div>
      )}
      <Tabs
        label="What operators see"
        value={tab}
        onValue={(next) => void navigate({ search: { tab: next as (typeof tabs)[number] }, replace: true })}
        tabs={[
          { value: 'teams', label: 'Teams and credits', content: contents.teams },
          { value: 'vendors', label: 'Vendors', content: contents.vendors },
          { value: 'costs', label: 'Costs and margins', content: contents.costs },
          {
            value: 'work',
            label: `Work${data.poison.length > 0 ? ` (${data.poison.length})` : ''}`,
            content: contents.work,
          },
        ]}
      />
    </div>
  )
}

export function Page() {
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.session('getOperatorOverview', {}, { signal }),
    refetchInterval: 30_000,
  })
  return (
    <PageFrame title="Operations" text="The whole service: only people named in LES_OPERATORS see this page.">
      <Loaded query={query}>{(data) => <Overviewed data={data} />}</Loaded>
    </PageFrame>
  )
}
