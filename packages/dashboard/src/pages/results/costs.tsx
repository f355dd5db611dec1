import { useMemo } from 'react'
import type { ResultOf } from '../../api/index.ts'
import { Chart } from '../../ui/chart.tsx'
import { column, countColumn, type Column } from '../../ui/columns.tsx'
import { decimal, share, shortened } from '../../ui/format.ts'
import { ListCard } from '../../ui/list-card.tsx'
import { Card, EmptyState, type Emptiness, type QueryLike } from '../../ui/show.tsx'
import { Explained } from '../../ui/text.tsx'

export type Row = ResultOf<'getResultsSummary'>['total']

export const groupNames = {
  source: 'Source',
  keyword: 'Keyword search',
  topic: 'Topic',
  post: 'Post',
  criteria: 'Criteria',
} as const

type Group = keyof typeof groupNames

const shown = 10
const short = (label: string) => shortened(label, 28)

const keyOf = ({ key, label }: Row): string => key ?? label

/** The cost of a reply and a meeting as bars, for groups that have any. */
export function CostChart({ rows, by }: { rows: readonly Row[]; by: Group }) {
  const data = useMemo(
    () =>
      rows
        .filter(({ costPerReply }) => costPerReply !== null)
        .toSorted((a, b) => a.costPerReply! - b.costPerReply!)
        .slice(0, shown)
        // Equal names are numbered, since a chart draws one bar per name.
        .map(({ label, costPerReply, costPerMeeting }, at, all) => ({
          group:
            all.filter((other) => short(other.label) === short(label)).length > 1
              ? `${at + 1}. ${short(label)}`
              : short(label),
          reply: costPerReply,
          meeting: costPerMeeting,
        })),
    [rows],
  )
  const what = groupNames[by].toLowerCase()
  return (
    <Card title={`Credits a reply and a meeting, by ${what}`} text={`The ${shown} with the cheapest replies first.`}>
      {data.length === 0 ? (
        <EmptyState title="Nobody has replied yet" text="Once somebody does, the cost of a reply is shown here." />
      ) : (
        <Chart
          kind="bar"
          label={`Credits for each person who replied, and for each meeting, by ${what}`}
          data={data}
          x="group"
          xLabel={groupNames[by]}
          series={[
            { key: 'reply', label: 'Credits a reply' },
            ...(data.some(({ meeting }) => meeting !== null) ? [{ key: 'meeting', label: 'Credits a meeting' }] : []),
          ]}
          formatY={decimal}
          height={300}
        />
      )}
    </Card>
  )
}

const cost = (id: string, header: string, of: (row: Row) => number | null, none: string): Column<Row> => ({
  id,
  header,
  align: 'end',
  sortBy: of,
  cell: (row) =>
    of(row) === null ? (
      <Explained className="text-muted" words={none}>
        –
      </Explained>
    ) : (
      decimal(of(row))
    ),
})

const columnsOf = (by: Group): readonly Column<Row>[] => [
  column(groupNames[by], { width: 'minmax(160px, 2fr)', sortBy: ({ label }) => label.toLowerCase() }, ({ label }) => (
    <span className="break-words">{label}</span>
  )),
  countColumn('Credits', ({ credits }) => credits),
  countColumn('Captured', ({ people }) => people),
  countColumn('Fit', ({ fitPeople }) => fitPeople),
  countColumn('Written to', ({ sent }) => sent),
  countColumn('Accepted', ({ accepted }) => accepted),
  countColumn('Replied', ({ replied }) => replied),
  column('Reply rate', { align: 'end' }, ({ replied, sent }) => share(replied, sent)),
  countColumn('Meetings', ({ meetings }) => meetings),
  countColumn('Won', ({ won }) => won),
  cost('reply', 'Credits a reply', ({ costPerReply }) => costPerReply, 'Nobody has replied'),
  cost('meeting', 'Credits a meeting', ({ costPerMeeting }) => costPerMeeting, 'No meeting so far'),
]

type FiguresProps = { query: QueryLike<ResultOf<'getResultsSummary'>>; by: Group; empty: Emptiness }

export function Figures({ query, by, empty }: FiguresProps) {
  const columns = useMemo(() => columnsOf(by), [by])
  return (
    <ListCard
      title={`By ${groupNames[by].toLowerCase()}`}
      text="Counts are people. A result counts for each source that charged for the person."
      label="Results"
      query={query}
      columns={columns}
      rows={query.data?.rows ?? []}
      rowId={keyOf}
      empty={empty}
    />
  )
}
