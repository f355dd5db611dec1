import { sourceWarningNames } from '@les/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge, TimeAgo, TimeUntil, count, warningTone, type Column } from '../../ui/index.ts'
import { endWords, nameOf, stopWords, type SearchRow } from './words.ts'

/** What the end of a run is warned of as, in the words that the list of sources has for it. */
const warnings: Readonly<Record<string, keyof typeof sourceWarningNames>> = {
  ai_error: 'failing',
  error: 'failing',
  budget: 'out_of_credits',
  credits: 'starved',
  team_cap: 'starved',
  lead_cap: 'starved',
}

function State({ row }: { readonly row: SearchRow }): ReactNode {
  const end = endWords(row)
  if (end !== null) return <Badge>{end}</Badge>
  const stoppedBy = row.lastRun?.stoppedBy
  const warned = stoppedBy ? warnings[stoppedBy] : undefined
  if (warned) return <Badge tone={warningTone(warned)}>{sourceWarningNames[warned]}</Badge>
  return row.lastRun === undefined ? <Badge tone="info">Syncing</Badge> : <Badge tone="good">Healthy</Badge>
}

/** The columns of the list of keyword searches. */
export const columns: readonly Column<SearchRow>[] = [
  {
    id: 'name',
    header: 'Search',
    sortBy: nameOf,
    cell: (row) => (
      <div className="min-w-40">
        <Link
          to="/sources/$id"
          params={{ id: row.id }}
          className="font-medium text-accent-text underline-offset-2 hover:underline"
        >
          {nameOf(row)}
        </Link>
        {row.name && <p className="text-[0.8125rem] text-muted">{row.expression ?? row.keywords?.join(', ')}</p>}
      </div>
    ),
  },
  { id: 'state', header: 'State', cell: (row) => <State row={row} /> },
  {
    id: 'last',
    header: 'Last run',
    wide: true,
    sortBy: (row) => row.lastRun?.finishedAt ?? null,
    cell: (row) =>
      row.lastRun === undefined ? (
        <span className="text-muted">none yet</span>
      ) : (
        <div>
          <TimeAgo at={row.lastRun.finishedAt} />
          <p className="text-[0.8125rem] text-muted">{stopWords(row)}</p>
        </div>
      ),
  },
  {
    id: 'kept',
    header: 'Posts kept',
    align: 'end',
    wide: true,
    sortBy: (row) => row.lastRun?.postsKept ?? null,
    cell: (row) =>
      row.lastRun?.postsKept === undefined
        ? '–'
        : `${count(row.lastRun.postsKept)} of ${count(row.lastRun.postsScanned ?? 0)}`,
  },
  {
    id: 'spent',
    header: 'Credits, last run',
    align: 'end',
    wide: true,
    sortBy: (row) => row.lastRun?.creditsSpent ?? null,
    cell: (row) => (row.lastRun === undefined ? '–' : `${count(row.lastRun.creditsSpent)} of ${count(row.creditCap)}`),
  },
  {
    id: 'next',
    header: 'Next run',
    wide: true,
    sortBy: (row) => row.schedule?.nextRunAt ?? null,
    cell: (row) => <TimeUntil at={row.schedule?.nextRunAt} none="no more" clock />,
  },
]
