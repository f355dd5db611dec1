import { Link } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { useSourceNames } from '../../api/source-names.ts'
import type { SessionResult } from '../../api/types.ts'
import { buttonClass, Card, Chart, count, DataTable, EmptyState, share, type Column } from '../../ui/index.ts'
import { burnSeries, costWords } from './burn-series.ts'
import { SourceName } from './source-name.tsx'

type Burn = SessionResult<'getBurn'>
type Spender = Burn['sources'][number]

const dayMonth = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

const columnsOf = (total: number): readonly Column<Spender>[] => [
  {
    id: 'source',
    header: 'Source',
    cell: (row) => <SourceName id={row.sourceId} type={row.type} label={row.label} />,
    sortBy: (row) => row.label,
  },
  {
    id: 'type',
    header: 'Kind',
    cell: (row) => costWords[row.type] ?? row.type,
    sortBy: (row) => row.type,
    wide: true,
  },
  { id: 'credits', header: 'Credits', align: 'end', cell: (row) => count(row.credits), sortBy: (row) => row.credits },
  { id: 'share', header: 'Share', align: 'end', cell: (row) => share(row.credits, total) },
]

/** Credits by day and source, as a chart and as a table. */
export function BurnChart({ burn }: { readonly burn: Burn }): ReactNode {
  const { labelOf } = useSourceNames()
  const { data, series } = useMemo(() => {
    const sources = burn.sources.map((source) => ({ ...source, label: labelOf(source.sourceId, source.label) }))
    return burnSeries({ ...burn, sources })
  }, [burn, labelOf])
  const total = burn.days.reduce((sum, each) => sum + each.total, 0)
  if (total === 0)
    return (
      <Card>
        <EmptyState
          title="Nothing was spent"
          text="A credit is used for each new person a source finds. Track something, and this fills."
          action={
            <Link to="/sources" className={buttonClass('primary')}>
              Go to the sources
            </Link>
          }
        />
      </Card>
    )
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="Credits a day, by source"
        text={`${count(total)} credits in ${count(burn.days.length)} days. Days are those of universal time (UTC).`}
      >
        <Chart
          kind="bar"
          stacked
          label="Credits charged on each day, by source"
          data={data}
          x="date"
          xLabel="Day"
          series={series}
          formatX={(value) => dayMonth.format(new Date(value))}
          formatY={count}
          height={280}
        />
      </Card>
      <Card title="Who spends" flush>
        <DataTable label="Credits by source" columns={columnsOf(total)} rows={burn.sources} rowId={(row) => row.key} />
      </Card>
    </div>
  )
}
