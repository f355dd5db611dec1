import { textOf } from '../../shell/navigation.ts'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useV1Query } from '../../api/index.ts'
import {
  Badge,
  Card,
  DataTable,
  EmptyState,
  Loaded,
  PageFrame,
  RoleButton,
  Served,
  TimeAgo,
  count,
  type Column,
} from '../../ui/index.ts'
import { NewRunDialog } from './new-run.tsx'
import { errorWords, stateOf, wantedWords, type Run } from './words.ts'

function State({ run }: { readonly run: Run }): ReactNode {
  const [words, tone] = stateOf(run)
  const why = errorWords(run)
  return (
    <div className="flex flex-col items-start gap-1">
      <Badge tone={tone}>{words}</Badge>
      {why && <span className="text-[0.8125rem] text-muted">{why}</span>}
    </div>
  )
}

const columns: readonly Column<Run>[] = [
  {
    id: 'topic',
    header: 'Topic',
    cell: (run) => (
      <div className="min-w-40">
        <Link
          to="/discover/$id"
          params={{ id: run.id }}
          className="font-medium text-accent-text underline-offset-2 hover:underline"
        >
          {run.keywords.join(', ')}
        </Link>
        <p className="text-[0.8125rem] text-muted">{wantedWords(run)}</p>
      </div>
    ),
  },
  { id: 'state', header: 'State', cell: (run) => <State run={run} /> },
  {
    id: 'found',
    header: 'People added',
    align: 'end',
    sortBy: (run) => run.found,
    cell: (run) => `${count(run.found)} of ${count(run.maxInfluencers)}`,
  },
  {
    id: 'made',
    header: 'Started',
    wide: true,
    sortBy: (run) => run.createdAt,
    cell: (run) => <TimeAgo at={run.createdAt} />,
  },
]

/** The Discover runs of the team. */
export function Page(): ReactNode {
  const { new: isMaking = false } = useSearch({ from: '/signed-in/team/discover' })
  const navigate = useNavigate({ from: '/discover' })
  const open = (next: boolean) => void navigate({ search: next ? { new: true } : {}, replace: !next })
  const query = useV1Query('listDiscoverRuns', {}, { topic: 'discover' })
  const make = (
    <RoleButton
      needs="member"
      variant="primary"
      icon={<Plus aria-hidden="true" size={16} />}
      onClick={() => open(true)}
    >
      New run
    </RoleButton>
  )
  return (
    <PageFrame title="Discover" text={textOf('/discover')} actions={make}>
      <Served>
        <Loaded query={query}>
          {({ runs }) => (
            <Card flush>
              <DataTable
                label="Discover runs"
                columns={columns}
                rows={runs}
                rowId={(run) => run.id}
                empty={
                  <EmptyState
                    icon={<Users size={28} />}
                    title="No run yet"
                    text={
                      'Name a topic, and a run finds people whose posts about it ' +
                      'are widely read. Then track them, or send them to a campaign.'
                    }
                    action={make}
                  />
                }
              />
            </Card>
          )}
        </Loaded>
      </Served>
      <NewRunDialog open={isMaking} onOpen={open} />
    </PageFrame>
  )
}
