import { Link } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SessionResult } from '../../api/index.ts'
import { buttonClass, Card, count, DataTable, EmptyState, Explained, TimeAgo, type Column } from '../../ui/index.ts'

type Result = SessionResult<'listOutreachResults'>['campaigns'][number]

const columns: readonly Column<Result>[] = [
  {
    id: 'name',
    header: 'Campaign',
    cell: (result) => (
      <div className="min-w-40">
        <span className="font-medium break-words">{result.name ?? 'Name unknown'}</span>
        <div className="font-mono text-xs text-muted">{result.campaignId}</div>
      </div>
    ),
    sortBy: (result) => (result.name ?? '').toLowerCase(),
  },
  { id: 'sent', header: 'Sent', align: 'end', cell: (result) => count(result.sent), sortBy: (result) => result.sent },
  {
    id: 'waiting',
    header: 'Waiting',
    align: 'end',
    cell: (result) => count(result.waiting),
    sortBy: (result) => result.waiting,
  },
  {
    id: 'refused',
    header: 'Refused',
    align: 'end',
    wide: true,
    cell: (result) => <Explained words="The platform did not take them">{count(result.refused)}</Explained>,
  },
  {
    id: 'unknown',
    header: 'Being looked up',
    align: 'end',
    wide: true,
    cell: (result) => (
      <Explained words="Sent without an answer: looked up before anybody is sent again">
        {count(result.unknown)}
      </Explained>
    ),
  },
  {
    id: 'last',
    header: 'Last sent',
    wide: true,
    cell: (result) => <TimeAgo at={result.lastSentAt} />,
    sortBy: (result) => result.lastSentAt ?? '',
  },
]

/** What was sent to each campaign. */
export function Results({ results }: { readonly results: readonly Result[] }): ReactNode {
  const empty = (
    <EmptyState
      icon={<Send size={28} />}
      title="Nobody was sent to a campaign yet"
      text="Choose people in the list of leads and send them, or make a rule on a source that sends by itself."
      action={
        <Link to="/leads" className={buttonClass('primary')}>
          Choose leads
        </Link>
      }
    />
  )
  return (
    <Card title="What was sent" text="People handed to the platform. Nobody is sent twice to the same campaign." flush>
      <DataTable
        label="Results by campaign"
        columns={columns}
        rows={results}
        rowId={(result) => result.campaignId}
        empty={empty}
      />
    </Card>
  )
}
