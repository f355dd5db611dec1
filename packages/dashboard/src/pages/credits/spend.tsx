import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useRead, useSourceNames, type ResultOf } from '../../api/index.ts'
import { Chart } from '../../ui/chart.tsx'
import { column, countColumn, type Column } from '../../ui/columns.tsx'
import { count, decimal, share } from '../../ui/format.ts'
import { Funnel } from '../../ui/funnel.tsx'
import { PrimaryLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { Badge, Card, EmptyState, Loaded } from '../../ui/show.tsx'
import { Explained } from '../../ui/text.tsx'
import { burnSeries, costWords } from './burn-series.ts'

export function SourceName({ id, type, label }: { id: string | null; type: string; label: string }) {
  const name = useSourceNames().labelOf(id, label)
  const className = 'break-words text-accent-text underline underline-offset-2'
  if (id !== null && ['person', 'company', 'post', 'keyword'].includes(type))
    return (
      <Link to="/sources/$id" params={{ id }} className={className}>
        {name}
      </Link>
    )
  return <span className="break-words">{name}</span>
}

const toSources = <PrimaryLink to="/sources">Go to the sources</PrimaryLink>

type Burn = ResultOf<'getBurn'>
type Spender = Burn['sources'][number]

const dayMonth = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

const columnsOf = (total: number): readonly Column<Spender>[] => [
  column('Source', { sortBy: (row) => row.label }, (row) => (
    <SourceName id={row.sourceId} type={row.type} label={row.label} />
  )),
  column('Kind', { sortBy: (row) => row.type }, (row) => costWords[row.type] ?? row.type),
  countColumn('Credits', (row) => row.credits),
  column('Share', { align: 'end' }, (row) => share(row.credits, total)),
]

export function BurnChart({ burn }: { burn: Burn }) {
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
          text="A credit is used for each new person a source finds. Track something to see it here."
          action={toSources}
        />
      </Card>
    )
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="Credits a day, by source"
        text={`${count(total)} credits in ${count(burn.days.length)} days. Days are in universal time (UTC).`}
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
      <ListCard
        title="Who spends"
        label="Credits by source"
        columns={columnsOf(total)}
        rows={burn.sources}
        rowId={(row) => row.key}
      />
    </div>
  )
}

const steps = [
  { key: 'seen', label: 'Seen', header: 'Seen', text: 'people on the posts that were read' },
  { key: 'charged', label: 'Charged', header: 'Charged', text: 'new people, a credit each' },
  { key: 'enriched', label: 'Details found', header: 'Details', text: 'job and company looked up' },
  { key: 'icp', label: 'Fit', header: 'Fit', text: 'match your ideal customer profile' },
  { key: 'delivered', label: 'Delivered', header: 'Delivered', text: 'sent to a webhook' },
  { key: 'sent', label: 'In a campaign', header: 'In campaign', text: 'sent to outreach' },
] as const

type Row = ResultOf<'listYield'>['sources'][number]

const columns: readonly Column<Row>[] = [
  column('Source', { sortBy: (row) => row.label }, (row) => (
    <span className="flex flex-wrap items-center gap-x-2">
      <SourceName id={row.sourceId} type={row.type} label={row.label} />
      <span className="text-[0.8125rem] text-muted">{costWords[row.type] ?? row.type}</span>
      {row.status === 'inactive' && <Badge>no longer tracked</Badge>}
    </span>
  )),
  ...steps.map(({ key, header }) => countColumn<Row>(header, (row) => row[key])),
  countColumn('Credits', (row) => row.credits),
  column('Credits per fit', { align: 'end', sortBy: (row) => row.creditsPerIcpLead }, (row) =>
    row.creditsPerIcpLead === null ? (
      <Explained className="text-muted" words="No lead fits, or no ideal customer profile is set">
        none fit
      </Explained>
    ) : (
      decimal(row.creditsPerIcpLead)
    ),
  ),
]

export function Yield({ days }: { days: number }) {
  const query = useRead('listYield', { days }, { keepPrevious: true })
  return (
    <Loaded query={query} lines={8}>
      {({ total, sources }) => (
        <div className="flex flex-col gap-4">
          <Card
            title="From seen to sent"
            text="How many people reach each step, and what share of the charged people that is."
          >
            <Funnel
              steps={steps.map(({ key, label, text }) => ({ key, label, text, value: total[key] }))}
              whole={{ value: total.charged, after: 'charged' }}
            />
          </Card>
          <ListCard
            title="What a lead that fits costs"
            text="The most expensive source first. Stop one that costs a lot and finds few people who fit, or narrow what it captures."
            label="What each source yields"
            columns={columns}
            rows={sources}
            rowId={(row) => row.sourceId}
            empty={{
              title: 'No source has spent anything',
              text: 'Once a source captures people, its yield appears here.',
              action: toSources,
            }}
          />
        </div>
      )}
    </Loaded>
  )
}
