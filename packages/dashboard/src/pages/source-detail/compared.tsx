import type { FilterRow } from '@les/contract'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { SessionResult } from '../../api/index.ts'
import { count, countOf, DataTable, Notice, rowWords, SafeLink, Tabs, type Column } from '../../ui/index.ts'
import { differenceWords, nearWords, perFitWords } from './compared-words.ts'

type Answer = SessionResult<'compareCriteria'>
type Person = Answer['gainedPeople'][number]

/** A trial: what came of it, and the rows that were tried. */
export type Tried = { readonly answer: Answer; readonly rows: readonly FilterRow[] }

const columns: readonly Column<Person>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (person) => <SafeLink href={person.linkedinUrl}>{person.name ?? 'Name unknown'}</SafeLink>,
  },
  { id: 'title', header: 'Job title', cell: (person) => person.jobTitle ?? '–' },
  { id: 'company', header: 'Company', wide: true, cell: (person) => person.company ?? '–' },
  { id: 'country', header: 'Country', wide: true, cell: (person) => person.country ?? '–' },
]

const missing = (rows: readonly FilterRow[]): Column<Person> => ({
  id: 'missing',
  header: 'All but',
  cell: ({ missing: place }) => (place === null || rows[place] === undefined ? '–' : rowWords(rows[place])),
})

function People({
  label,
  people,
  total,
  rows,
  none,
}: {
  readonly label: string
  readonly people: readonly Person[]
  readonly total: number
  readonly rows?: readonly FilterRow[] | undefined
  readonly none: string
}): ReactNode {
  if (total === 0) return <p className="text-sm text-muted">{none}</p>
  return (
    <div className="flex flex-col gap-2">
      <DataTable
        label={label}
        columns={rows ? [...columns, missing(rows)] : columns}
        rows={people}
        rowId={({ leadId }) => leadId}
      />
      {total > people.length && (
        <p className="text-[0.8125rem] text-muted">
          The newest {people.length} of {count(total)}.
        </p>
      )}
    </div>
  )
}

function Gained({ tried: { answer } }: { readonly tried: Tried }): ReactNode {
  return (
    <People
      label={`${countOf(answer.gained, 'person', 'people')} who would fit and do not now`}
      people={answer.gainedPeople}
      total={answer.gained}
      none="Nobody who does not fit now would."
    />
  )
}

function Lost({ tried: { answer, rows } }: { readonly tried: Tried }): ReactNode {
  return (
    <People
      label={`${countOf(answer.lost, 'person', 'people')} who fit now and would not`}
      people={answer.lostPeople}
      total={answer.lost}
      rows={answer.lostPeople.some(({ missing: place }) => place !== null) ? rows : undefined}
      none="Nobody who fits now is lost."
    />
  )
}

function NearMisses({ tried: { answer, rows } }: { readonly tried: Tried }): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      {answer.nearBy.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm">
          {answer.nearBy.map(({ row, count: people }) => (
            <li key={row} className="flex gap-3">
              <span className="min-w-10 text-right font-medium tabular-nums">{count(people)}</span>
              <span>fail only: {rows[row] ? rowWords(rows[row]) : `row ${row + 1}`}</span>
            </li>
          ))}
        </ul>
      )}
      <People
        label={`${countOf(answer.near, 'person', 'people')} who fail one row alone`}
        people={answer.nearPeople}
        total={answer.near}
        rows={rows}
        none={nearWords(rows.length, answer)}
      />
    </div>
  )
}

type Change = 'gained' | 'lost' | 'near'

function Changes({
  tried,
  open,
  onOpen,
}: {
  readonly tried: Tried
  readonly open: Change
  readonly onOpen: (change: Change) => void
}): ReactNode {
  const { gained, lost, near } = tried.answer
  return (
    <Tabs
      label="What would change"
      value={open}
      onValue={onOpen}
      tabs={[
        { value: 'gained', label: `Gained (${count(gained)})`, content: <Gained tried={tried} /> },
        { value: 'lost', label: `Lost (${count(lost)})`, content: <Lost tried={tried} /> },
        { value: 'near', label: `Near misses (${count(near)})`, content: <NearMisses tried={tried} /> },
      ]}
    />
  )
}

/** What criteria that are not saved would change: who is gained, who is lost, and who misses by one row. */
export function Compared({ tried }: { readonly tried: Tried }): ReactNode {
  const { answer } = tried
  const [open, setOpen] = useState<Change>(answer.gained > 0 || answer.lost === 0 ? 'gained' : 'lost')
  return (
    <section
      aria-label="Result of the trial"
      aria-live="polite"
      className="flex flex-col gap-3 rounded-lg border border-line p-3"
    >
      <div className="flex flex-col gap-0.5 text-sm">
        <p className="font-medium">{differenceWords(answer)}</p>
        <p className="text-muted">{perFitWords(answer)}</p>
      </div>
      {!answer.isWhole && <Notice>Only the newest 50,000 leads of this source were looked at.</Notice>}
      {answer.people > 0 && <Changes tried={tried} open={open} onOpen={setOpen} />}
      <p className="text-[0.8125rem] text-muted">
        Nothing was saved, judged or sent, and no credits were used. Saving judges stored leads again at no cost; what a
        sync may spend is set under{' '}
        <Link to="." search={{ tab: 'settings' }} className="underline underline-offset-2">
          Settings
        </Link>
        .
      </p>
    </section>
  )
}
