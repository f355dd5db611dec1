import { useMemo, type ReactNode } from 'react'
import { Avatar, Card, Checkbox, DataTable, SafeLink, count, type Column } from '../../ui/index.ts'
import { average } from './cards.tsx'
import { nameOf, type Person } from './person.ts'
import { TrackButton } from './track-button.tsx'

/** The columns that are the same whoever is chosen. */
const facts: readonly Column<Person>[] = [
  {
    id: 'name',
    header: 'Person',
    sortBy: nameOf,
    cell: (row) => (
      <div className="flex min-w-44 items-center gap-2.5">
        <Avatar src={row.avatarUrl} name={nameOf(row)} size={28} />
        <div className="min-w-0">
          <SafeLink href={row.linkedinUrl} icon={false} className="font-medium">
            {nameOf(row)}
          </SafeLink>
          <p className="text-[0.8125rem] break-words text-muted">
            {[row.jobTitle, row.company].filter(Boolean).join(' at ') || 'Details are being looked up'}
          </p>
        </div>
      </div>
    ),
  },
  {
    id: 'country',
    header: 'Country',
    wide: true,
    sortBy: (row) => row.country,
    cell: (row) => row.country ?? <span className="text-muted">unknown</span>,
  },
  {
    id: 'average',
    header: 'Engagements a post',
    align: 'end',
    sortBy: (row) => row.averageEngagement,
    cell: (row) => average(row.averageEngagement),
  },
  {
    id: 'best',
    header: 'Best post',
    align: 'end',
    wide: true,
    sortBy: (row) => row.highestEngagement,
    cell: (row) => <SafeLink href={row.topPostUrl}>{count(row.highestEngagement)}</SafeLink>,
  },
  {
    id: 'posts',
    header: 'Posts',
    align: 'end',
    wide: true,
    sortBy: (row) => row.postCount,
    cell: (row) => count(row.postCount),
  },
  { id: 'track', header: 'Track', hideHeader: true, align: 'end', cell: (row) => <TrackButton person={row} /> },
]

/** The people of a run as a table. */
export function PeopleTable({
  people,
  chosen,
  onToggle,
}: {
  readonly people: readonly Person[]
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (url: string, chosen: boolean) => void
}): ReactNode {
  const columns = useMemo(
    (): readonly Column<Person>[] => [
      {
        id: 'pick',
        header: 'Choose',
        hideHeader: true,
        cell: (row) => (
          <Checkbox
            label={`Choose ${nameOf(row)}`}
            hideLabel
            checked={chosen.has(row.linkedinUrl)}
            onChecked={(next) => onToggle(row.linkedinUrl, next)}
          />
        ),
      },
      ...facts,
    ],
    [chosen, onToggle],
  )
  return (
    <Card flush>
      <DataTable label="People" columns={columns} rows={people} rowId={(row) => row.linkedinUrl} />
    </Card>
  )
}
