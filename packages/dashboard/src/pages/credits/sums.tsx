import { ledgerReasonNames } from '@les/contract'
import { useMemo } from 'react'
import { useRead, useReadAt, useSourceNames, type ResultOf } from '../../api/index.ts'
import { column, countColumn, type Column } from '../../ui/columns.tsx'
import { SelectField } from '../../ui/field.tsx'
import { count, countOf } from '../../ui/format.ts'
import { TextLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { useNow } from '../../ui/text.tsx'
import { sumGroups as groups } from '../../app/searches.ts'
import type { Address } from './ledger.tsx'

type Sum = ResultOf<'getLedgerSummary'>['rows'][number]

/** Free lines by reason: «12 seen before». */
const freeWords = ({ free }: Pick<Sum, 'free'>): string =>
  Object.entries(free)
    .map(([reason, number]) => {
      const words = ledgerReasonNames[reason as keyof typeof ledgerReasonNames].replace(/^Free: /, '')
      return `${count(number)} × ${words}`
    })
    .join('; ')

const beginning = '2000-01-01'

export function RunSum({ syncId }: { syncId: string }) {
  const { data } = useRead('getLedgerSummary', { groupBy: 'run', syncId, from: beginning })
  const [sum] = data?.rows ?? []
  if (sum === undefined) return <p>{data === undefined ? 'Being added up…' : 'Nothing was seen in this run.'}</p>
  const free = sum.seen - sum.charged
  return (
    <p role="status">
      {sum.label}: {count(sum.seen)} seen = {count(sum.charged)} charged + {count(free)} free
      {free > 0 && ` (${freeWords(sum)})`}. It cost {countOf(-sum.credits, 'credit')}.
    </p>
  )
}

const names = { run: 'Run', source: 'Source', day: 'Day' } as const
const choices = groups.map((value) => ({ value, label: `By ${names[value].toLowerCase()}` }))

// The ledger counts by UTC days, whatever the reader's zone.
const utcDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

const columnsOf = (
  by: (typeof groups)[number],
  labelOf: (id: string | null, label: string | null) => string | null,
): readonly Column<Sum>[] => [
  column(names[by], { width: 'minmax(140px, 1fr)' }, (row) => {
    if (by === 'day' && row.key !== null) return utcDay.format(new Date(row.key))
    if (row.key === null) return 'Nothing of these'
    const label = by === 'source' ? labelOf(row.key, row.label) : row.label
    return (
      <TextLink
        to="/credits"
        search={{ tab: 'ledger', ...(by === 'run' ? { syncId: row.key } : { sourceId: row.key }) }}
      >
        {label ?? 'Unnamed'}
      </TextLink>
    )
  }),
  countColumn('Seen', (row) => row.seen),
  countColumn('Charged', (row) => row.charged),
  countColumn('Free', (row) => row.seen - row.charged),
  column('Why free', { width: 'minmax(180px, 2fr)', phone: 'whole' }, (row) => (
    <span className="text-[0.8125rem] text-muted">{freeWords(row) || '–'}</span>
  )),
  countColumn('Credits', (row) => -row.credits),
]

/** What was seen, charged and free, by run, source or day. */
export function Sums({ address: { search, change, ...address }, days }: { address: Address; days: number }) {
  const { by = 'run' } = search
  const pages = address.pages()
  const { labelOf } = useSourceNames()
  const now = useNow()
  // Rounded to a day, so that the query key does not change with every tick of the clock.
  const from = new Date(now - days * 86_400_000).toISOString().slice(0, 10)
  const query = useReadAt('getLedgerSummary', pages, { groupBy: by, from })
  const columns = useMemo(() => columnsOf(by, labelOf), [by, labelOf])
  return (
    <ListCard
      title="Seen = charged + free"
      text="Everyone who was seen was either charged or free, each with a reason."
      actions={
        <SelectField
          label="Added up"
          hideLabel
          className="w-36"
          value={by}
          onValue={(next) => change({ by: next })}
          choices={choices}
        />
      }
      label="Sums"
      query={query}
      columns={columns}
      rows={query.data?.rows ?? []}
      rowId={(row) => row.key ?? 'none'}
      pages={pages}
      empty={{ title: 'Nothing was seen in this time', text: 'Choose a longer time, or track a source.' }}
    />
  )
}
