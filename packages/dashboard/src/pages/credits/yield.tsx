import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSessionQuery } from '../../api/hooks.ts'
import type { SessionResult } from '../../api/types.ts'
import {
  Badge,
  buttonClass,
  Card,
  count,
  DataTable,
  EmptyState,
  Explained,
  Loaded,
  type Column,
} from '../../ui/index.ts'
import { costWords } from './burn-series.ts'
import { Funnel } from './funnel.tsx'
import { SourceName } from './source-name.tsx'

type Row = SessionResult<'listYield'>['sources'][number]

const figure = (id: 'seen' | 'charged' | 'enriched' | 'icp' | 'delivered' | 'sent', header: string): Column<Row> => ({
  id,
  header,
  align: 'end',
  wide: true,
  cell: (row) => count(row[id]),
  sortBy: (row) => row[id],
})
const price = (value: number): string => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(value)

const columns: readonly Column<Row>[] = [
  {
    id: 'source',
    header: 'Source',
    cell: (row) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <SourceName id={row.sourceId} type={row.type} label={row.label} />
        <span className="text-[0.8125rem] text-muted">{costWords[row.type] ?? row.type}</span>
        {row.status === 'inactive' && <Badge>no longer tracked</Badge>}
      </span>
    ),
    sortBy: (row) => row.label,
  },
  figure('seen', 'Seen'),
  figure('charged', 'Charged'),
  figure('enriched', 'Details'),
  figure('icp', 'Fit'),
  figure('delivered', 'Delivered'),
  figure('sent', 'In campaign'),
  { id: 'credits', header: 'Credits', align: 'end', cell: (row) => count(row.credits), sortBy: (row) => row.credits },
  {
    id: 'price',
    header: 'Credits per fit',
    align: 'end',
    cell: (row) =>
      row.creditsPerIcpLead === null ? (
        <Explained className="text-muted" words="No lead fits, or no ideal customer profile is set">
          none fit
        </Explained>
      ) : (
        price(row.creditsPerIcpLead)
      ),
    sortBy: (row) => row.creditsPerIcpLead,
  },
]

/** What each source yields for its credits, the most expensive first. */
export function Yield({ days }: { readonly days: number }): ReactNode {
  const query = useSessionQuery('listYield', { days }, { topic: 'credits', keepPrevious: true })
  return (
    <Loaded query={query} lines={8}>
      {({ total, sources }) => (
        <div className="flex flex-col gap-4">
          <Funnel total={total} />
          <Card
            title="What a lead that fits costs"
            text="The most expensive source first. Stop one that costs much and fits little, or narrow what it captures."
            flush
          >
            <DataTable
              label="What each source yields"
              columns={columns}
              rows={sources}
              rowId={(row) => row.sourceId}
              empty={
                <EmptyState
                  title="No source has spent anything"
                  text="Once a source captures people, its yield stands here."
                  action={
                    <Link to="/sources" className={buttonClass('primary')}>
                      Go to the sources
                    </Link>
                  }
                />
              }
            />
          </Card>
        </div>
      )}
    </Loaded>
  )
}
