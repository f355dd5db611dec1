import { agentSourceNames } from '@les/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead, useSourceNames, type ResultOf } from '../../api/index.ts'
import { Button, RoleButton } from '../../ui/button.tsx'
import { column, type Column } from '../../ui/columns.tsx'
import { Select } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { TextLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { Badge, Card, EmptyState, Loaded, Meter, Stats } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { nameOf, noTopic, type Agent } from './agent.ts'
import { Delivery } from './delivery.tsx'
import { Leads } from './leads.tsx'
import { ProfileForm, TrialMeters } from './profile-form.tsx'
import { Setup } from './setup.tsx'
import { StartButton, StopButton } from './start.tsx'

type Source = Agent['sources'][number]

const columns: readonly Column<Source>[] = [
  column('Source', { sortBy: (row) => row.label }, (row) => (
    <TextLink to="/sources/$id" params={{ id: row.id }}>
      {row.label}
    </TextLink>
  )),
  column('Kind', { sortBy: (row) => row.type }, (row) => agentSourceNames[row.type]),
  column('State', { sortBy: (row) => Number(row.active) }, (row) => (
    <Badge tone={row.active ? 'good' : 'neutral'}>{row.active ? 'active' : 'stopped'}</Badge>
  )),
]

function Sources({ agent }: { agent: Agent }) {
  const { nameOf } = useSourceNames()
  return (
    <div className="flex flex-col gap-5">
      {agent.trial && (
        <Card title="Free trial">
          <TrialMeters trial={agent.trial} />
        </Card>
      )}
      {agent.plan && (
        <Stats
          stats={[
            ['Credits a topic, a day', count(agent.plan.perTopic)],
            [
              'People watched at most',
              count(agent.plan.people),
              agent.peopleAdded ? 'found and watched' : agent.discoverRun ? 'being looked for' : undefined,
            ],
            ['Credits a day at most', count(agent.plan.total)],
          ]}
        />
      )}
      {agent.discoverRun && (
        <p className="text-sm">
          <TextLink to="/discover/$id" params={{ id: agent.discoverRun }}>
            The search for people to watch
          </TextLink>
        </p>
      )}
      <ListCard
        title="Sources"
        label="Sources of the agent"
        columns={columns}
        rows={agent.sources.map((row) => ({ ...row, label: nameOf(row.id, row.label) ?? row.label }))}
        empty={{ title: 'Nothing is set up yet', text: 'Starting the agent makes a daily search of each topic.' }}
      />
    </div>
  )
}

function OneAgent({ agent }: { agent: Agent }) {
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

function Which({ answer }: { answer: ResultOf<'getAgent'> }) {
  const navigate = useNavigate({ from: '/agent' })
  const { agent, agents } = answer
  if (agent === null) return null
  const isTrial = agent.trial !== null
  return (
    <div className="flex flex-wrap items-center gap-2">
      {agents.length > 1 && (
        <Select
          aria-label="Which agent"
          className="w-auto"
          value={agent.id}
          onValue={(id) => void navigate({ search: { agent: id } })}
          choices={agents.map((each) => ({
            value: each.id,
            label: `${nameOf(each)}${each.status === 'active' ? '' : ' (not running)'}`,
          }))}
        />
      )}
      <RoleButton
        reason={isTrial && 'A free trial has one agent.'}
        icon={Plus}
        onClick={() => void navigate({ search: { add: true, step: 'company' } })}
      >
        Another agent
      </RoleButton>
      {isTrial && <span className="text-[0.8125rem] text-muted">A free trial has one agent.</span>}
    </div>
  )
}

function Content({ answer: { agent } }: { answer: ResultOf<'getAgent'> }) {
  const { step, add = false } = useSearch({ from: '/signed-in/team/agent' })
  const navigate = useNavigate({ from: '/agent' })
  if (add || (agent === null && step !== undefined))
    return <Setup key="new" agent={null} add={add && agent !== null} step="company" />
  if (agent === null)
    return (
      <Card>
        <EmptyState
          icon={Bot}
          title="No agent yet"
          text={
            'Say what you sell and to whom. The agent then looks for posts your buyers care about every day, watches the people who write them, and ranks the people who engage.'
          }
          action={
            <RoleButton variant="primary" onClick={() => void navigate({ search: { step: 'company' } })}>
              Set up an agent
            </RoleButton>
          }
        />
      </Card>
    )
  if (agent.launchedAt === null || step !== undefined)
    return <Setup key={agent.id} agent={agent} add={false} step={step ?? 'company'} />
  return <OneAgent agent={agent} />
}

export function Page() {
  const { agent: agentId, add } = useSearch({ from: '/signed-in/team/agent' })
  const navigate = useNavigate({ from: '/agent' })
  const [isRescoring, setRescoring] = useState(false)
  const query = useRead('getAgent', agentId === undefined ? {} : { agentId }, {
    keepPrevious: true,
    ...(isRescoring ? { staleTime: 0, refetchInterval: 2_000 } : {}),
  })
  const judges = query.data?.agent?.rescoring !== undefined
  if (isRescoring !== judges) setRescoring(judges)
  const title = query.data?.agent && !add ? `Agent for ${nameOf(query.data.agent)}` : 'Agent'
  const actions = add ? (
    <Button onClick={() => void navigate({ search: {} })}>Back to your agents</Button>
  ) : (
    query.data && <Which answer={query.data} />
  )
  return (
    <PageFrame of="/agent" title={title} actions={actions} served>
      <Loaded query={query} lines={8}>
        {(answer) => <Content answer={answer} />}
      </Loaded>
    </PageFrame>
  )
}
