import { agentSourceNames } from '@les/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSourceNames } from '../../api/index.ts'
import { Badge, Card, DataTable, EmptyState, Stat, count, type Column } from '../../ui/index.ts'
import type { Agent } from './agent.ts'
import { TrialMeters } from './trial.tsx'

type Source = Agent['sources'][number]

const columns: readonly Column<Source>[] = [
  {
    id: 'label',
    header: 'Source',
    sortBy: (row) => row.label,
    cell: (row) => (
      <Link to="/sources/$id" params={{ id: row.id }} className="text-accent-text underline underline-offset-2">
        {row.label}
      </Link>
    ),
  },
  { id: 'type', header: 'Kind', sortBy: (row) => row.type, cell: (row) => agentSourceNames[row.type] },
  {
    id: 'active',
    header: 'State',
    sortBy: (row) => Number(row.active),
    cell: (row) => <Badge tone={row.active ? 'good' : 'neutral'}>{row.active ? 'active' : 'stopped'}</Badge>,
  },
]

/** What the agent has set up, and the plan it runs by. */
export function Sources({ agent }: { readonly agent: Agent }): ReactNode {
  const { nameOf } = useSourceNames()
  return (
    <div className="flex flex-col gap-5">
      {agent.trial && (
        <Card title="Free trial">
          <TrialMeters trial={agent.trial} />
        </Card>
      )}
      {agent.plan && (
        <div className="grid gap-3 sm:grid-cols-3">
          <Stat label="Credits a topic, a day" value={count(agent.plan.perTopic)} />
          <Stat
            label="People watched at most"
            value={count(agent.plan.people)}
            hint={agent.peopleAdded ? 'found and watched' : agent.discoverRun ? 'being looked for' : undefined}
          />
          <Stat label="Credits a day at most" value={count(agent.plan.total)} />
        </div>
      )}
      {agent.discoverRun && (
        <p className="text-sm">
          <Link
            to="/discover/$id"
            params={{ id: agent.discoverRun }}
            className="text-accent-text underline underline-offset-2"
          >
            The search for people to watch
          </Link>
        </p>
      )}
      <Card flush title="Sources">
        <DataTable
          label="Sources of the agent"
          columns={columns}
          rows={agent.sources.map((row) => ({ ...row, label: nameOf(row.id, row.label) ?? row.label }))}
          rowId={(row) => row.id}
          empty={
            <EmptyState title="Nothing is set up yet" text="Starting the agent makes a daily search of each topic." />
          }
        />
      </Card>
    </div>
  )
}
