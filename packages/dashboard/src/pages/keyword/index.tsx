import { textOf } from '../../shell/navigation.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Search as SearchIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useV1Query } from '../../api/index.ts'
import { Card, DataTable, EmptyState, Loaded, PageFrame, RoleButton, Served, Tabs } from '../../ui/index.ts'
import { columns } from './columns.tsx'

function NewSearch(): ReactNode {
  const navigate = useNavigate()
  return (
    <RoleButton
      needs="member"
      variant="primary"
      icon={<Plus aria-hidden="true" size={16} />}
      onClick={() => void navigate({ to: '/keyword/new' })}
    >
      New search
    </RoleButton>
  )
}

function Rows({ stopped }: { readonly stopped: boolean }): ReactNode {
  const query = useV1Query('listSources', stopped ? { type: 'keyword', includeInactive: true } : { type: 'keyword' }, {
    topic: 'keywords',
  })
  const empty = stopped ? (
    <EmptyState
      title="No stopped searches"
      text="Searches that are stopped stay here with their posts and leads, and can be started again."
    />
  ) : (
    <EmptyState
      icon={<SearchIcon size={28} />}
      title="No keyword search yet"
      text="A search finds posts about a topic each day and captures the people who react to them or comment."
      action={<NewSearch />}
    />
  )
  return (
    <Loaded query={query}>
      {({ sources }) => (
        <Card flush>
          <DataTable
            label={stopped ? 'Stopped keyword searches' : 'Keyword searches'}
            columns={columns}
            rows={sources.filter((row) => (row.status === 'inactive') === stopped)}
            rowId={(row) => row.id}
            empty={empty}
          />
        </Card>
      )}
    </Loaded>
  )
}

/** The list of keyword searches. */
export function Page(): ReactNode {
  const { tab = 'active' } = useSearch({ from: '/signed-in/team/keyword' })
  const navigate = useNavigate({ from: '/keyword' })
  return (
    <PageFrame title="Keyword searches" text={textOf('/keyword')} actions={<NewSearch />}>
      <Served>
        <Tabs
          label="Which searches"
          value={tab}
          onValue={(next) => void navigate({ search: next === 'active' ? {} : { tab: next } })}
          tabs={[
            { value: 'active', label: 'Active', content: <Rows stopped={false} /> },
            { value: 'stopped', label: 'Stopped', content: <Rows stopped /> },
          ]}
        />
      </Served>
    </PageFrame>
  )
}
