import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge, Meter, Tabs, TimeAgo } from '../../ui/index.ts'
import { noTopic, type Agent } from './agent.ts'
import { Delivery } from './delivery.tsx'
import { Leads } from './leads.tsx'
import { ProfileForm } from './profile-form.tsx'
import { Sources } from './sources.tsx'
import { StartButton, StopButton } from './start.tsx'

/** An agent that has been started before. */
export function OneAgent({ agent }: { readonly agent: Agent }): ReactNode {
  const { tab = 'leads' } = useSearch({ from: '/signed-in/team/agent' })
  const navigate = useNavigate({ from: '/agent' })
  const isActive = agent.status === 'active'
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <Badge tone={isActive ? 'good' : 'neutral'}>{isActive ? 'At work' : 'Stopped'}</Badge>
        {agent.launchedAt && (
          <span className="text-muted">
            last started <TimeAgo at={agent.launchedAt} />
          </span>
        )}
        <span className="ml-auto flex flex-wrap gap-2">
          {isActive ? <StopButton agent={agent} /> : <StartButton agent={agent} reason={noTopic(agent)} />}
        </span>
      </div>
      {agent.rescoring && (
        <Meter label="Judging people again" value={agent.rescoring.judged} max={agent.rescoring.people} tone="good" />
      )}
      <Tabs
        label="Parts of the agent"
        value={tab}
        onValue={(next) => void navigate({ search: { agent: agent.id, ...(next === 'leads' ? {} : { tab: next }) } })}
        tabs={[
          { value: 'leads', label: 'Leads', content: <Leads key={agent.id} agent={agent} /> },
          { value: 'profile', label: 'Profile and limit', content: <ProfileForm key={agent.id} agent={agent} /> },
          { value: 'delivery', label: 'Where leads go', content: <Delivery agent={agent} /> },
          { value: 'sources', label: 'Sources and plan', content: <Sources agent={agent} /> },
        ]}
      />
    </div>
  )
}
