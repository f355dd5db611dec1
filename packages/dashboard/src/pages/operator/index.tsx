/** What operators of the service see: alerts, teams, vendors, money, queues, and work that fails. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api/index.ts'
import { Card, DataTable, EmptyState, Loaded, Notice, PageFrame, Tabs, type Column } from '../../ui/index.ts'
import {
  marginColumns,
  poisonColumns,
  queryKey,
  queueColumns,
  teamColumns,
  vendorColumns,
  type Overview,
} from './columns.tsx'
import type { tabs } from './search.ts'

function Alerts({ alerts }: { readonly alerts: Overview['alerts'] }): ReactNode {
  if (alerts.length === 0) return <Notice tone="good">Nothing needs you.</Notice>
  return (
    <div className="flex flex-col gap-2">
      {alerts.map(({ level, text, advice }) => (
        <Notice key={text} tone={level} title={text}>
          {advice}
        </Notice>
      ))}
    </div>
  )
}

function Table<T extends object>({
  title,
  empty,
  ...table
}: {
  readonly label: string
  readonly title?: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly rowId: (row: T) => string
  readonly empty: string
}): ReactNode {
  return (
    <Card flush {...(title === undefined ? {} : { title })}>
      <DataTable {...table} empty={<EmptyState title={empty} />} />
    </Card>
  )
}

type Shown = { readonly data: Overview }

function Teams({ data }: Shown): ReactNode {
  return (
    <>
      <Table label="Teams" columns={teamColumns} rows={data.teams} rowId={({ id }) => id} empty="No team yet" />
      {data.moreTeams && <p className="mt-2 text-sm text-muted">Only the newest teams are listed.</p>}
    </>
  )
}

function Work({ data }: Shown): ReactNode {
  return (
    <div className="flex flex-col gap-4">
      <Table
        label="Queues"
        title="What waits"
        columns={queueColumns}
        rows={data.queues}
        rowId={({ kind }) => kind}
        empty="Nothing waits"
      />
      <Table
        label="Work that fails"
        title="What fails"
        columns={poisonColumns}
        rows={data.poison}
        rowId={({ kind, id }) => `${kind} ${id}`}
        empty="No work fails"
      />
    </div>
  )
}

function Overviewed({ data }: Shown): ReactNode {
  const { tab = 'teams' } = useSearch({ from: '/signed-in/team/operations' })
  const navigate = useNavigate({ from: '/operations' })
  const contents = {
    teams: <Teams data={data} />,
    vendors: (
      <Table
        label="Vendors"
        columns={vendorColumns}
        rows={data.vendors}
        rowId={({ vendor }) => vendor}
        empty="No vendor is set up"
      />
    ),
    costs: (
      <Table
        label="Costs of 30 days"
        columns={marginColumns}
        rows={data.margins}
        rowId={({ teamId }) => teamId}
        empty="Nothing was spent in 30 days"
      />
    ),
    work: <Work data={data} />,
  }
  return (
    <div className="flex flex-col gap-4">
      <Alerts alerts={data.alerts} />
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

/** The operators' page. */
export function Page(): ReactNode {
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
