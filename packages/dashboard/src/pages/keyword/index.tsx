import { sourceWarningNames } from '@les/contract'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Search as SearchIcon } from 'lucide-react'
import { useRead } from '../../api/index.ts'
import { RoleButton } from '../../ui/button.tsx'
import { column, TwoLines, type Column } from '../../ui/columns.tsx'
import { count } from '../../ui/format.ts'
import { NameLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { Badge, warningTone } from '../../ui/show.tsx'
import { TimeAgo, TimeUntil } from '../../ui/text.tsx'
import { useAddress } from '../../app/address.ts'
import { endWords, nameOf, stopWords, type SearchRow } from './words.ts'

const warnings: Readonly<Record<string, keyof typeof sourceWarningNames>> = {
  ai_error: 'failing',
  error: 'failing',
  budget: 'out_of_credits',
  credits: 'starved',
  team_cap: 'starved',
  lead_cap: 'starved',
}

function State({ row }: { row: SearchRow }) {
  const end = endWords(row)
  if (end !== null) return <Badge>{end}</Badge>
  const stoppedBy = row.lastRun?.stoppedBy
  const warned = stoppedBy ? warnings[stoppedBy] : undefined
  if (warned) return <Badge tone={warningTone(warned)}>{sourceWarningNames[warned]}</Badge>
  return row.lastRun === undefined ? <Badge tone="info">Syncing</Badge> : <Badge tone="good">Healthy</Badge>
}

const columns: readonly Column<SearchRow>[] = [
  column('Search', { sortBy: (row) => nameOf(row) }, (row) => (
    <TwoLines
      first={
        <NameLink to="/sources/$id" params={{ id: row.id }}>
          {nameOf(row)}
        </NameLink>
      }
      second={row.name && (row.expression ?? row.keywords?.join(', '))}
    />
  )),
  column('State', (row) => <State row={row} />),
  column('Last run', { sortBy: (row) => row.lastRun?.finishedAt ?? null }, (row) =>
    row.lastRun === undefined ? (
      <span className="text-muted">none yet</span>
    ) : (
      <TwoLines plain first={<TimeAgo at={row.lastRun.finishedAt} />} second={stopWords(row)} />
    ),
  ),
  column('Posts kept', { align: 'end', sortBy: (row) => row.lastRun?.postsKept ?? null }, (row) =>
    row.lastRun?.postsKept === undefined
      ? '–'
      : `${count(row.lastRun.postsKept)} of ${count(row.lastRun.postsScanned ?? 0)}`,
  ),
  column('Credits, last run', { align: 'end', sortBy: (row) => row.lastRun?.creditsSpent ?? null }, (row) =>
    row.lastRun === undefined ? '–' : `${count(row.lastRun.creditsSpent)} of ${count(row.creditCap)}`,
  ),
  column('Next run', { sortBy: (row) => row.schedule?.nextRunAt ?? null }, (row) => (
    <TimeUntil at={row.schedule?.nextRunAt} none="no more" clock />
  )),
]

function NewSearch() {
  const navigate = useNavigate()
  return (
    <RoleButton variant="primary" icon={Plus} onClick={() => void navigate({ to: '/keyword/new' })}>
      New search
    </RoleButton>
  )
}

function Rows({ stopped }: { stopped: boolean }) {
  const query = useRead('listSources', stopped ? { type: 'keyword', includeInactive: true } : { type: 'keyword' }, {
    topic: 'keywords',
  })
  const empty = stopped
    ? {
        title: 'No stopped searches',
        text: 'Searches that are stopped stay here with their posts and leads, and can be started again.',
      }
    : {
        icon: SearchIcon,
        title: 'No keyword search yet',
        text: 'A search finds posts about a topic each day and captures the people who react to them or comment.',
        action: <NewSearch />,
      }
  return (
    <ListCard
      query={query}
      label={stopped ? 'Stopped keyword searches' : 'Keyword searches'}
      columns={columns}
      rows={query.data?.sources.filter((row) => (row.status === 'inactive') === stopped) ?? []}
      empty={empty}
    />
  )
}

export function Page() {
  const { tabs } = useAddress('/signed-in/team/keyword')
  return (
    <PageFrame of="/keyword" actions={<NewSearch />} served>
      <Tabs
        label="Which searches"
        {...tabs('active')}
        tabs={[
          { value: 'active', label: 'Active', content: <Rows stopped={false} /> },
          { value: 'stopped', label: 'Stopped', content: <Rows stopped /> },
        ]}
      />
    </PageFrame>
  )
}
