import { textOf } from '../../shell/navigation.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bot, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useV1Query, type V1Result } from '../../api/index.ts'
import { Button, Card, EmptyState, Loaded, PageFrame, RoleButton, Select, Served } from '../../ui/index.ts'
import { nameOf } from './agent.ts'
import { OneAgent } from './one-agent.tsx'
import { Setup } from './setup.tsx'

/** Which agent is shown, and adding another; a free trial has one. */
function Which({ answer }: { readonly answer: V1Result<'getAgent'> }): ReactNode {
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
        needs="member"
        reason={isTrial && 'A free trial has one agent.'}
        icon={<Plus aria-hidden="true" size={16} />}
        onClick={() => void navigate({ search: { add: true, step: 'company' } })}
      >
        Another agent
      </RoleButton>
      {isTrial && <span className="text-[0.8125rem] text-muted">A free trial has one agent.</span>}
    </div>
  )
}

function Content({ answer }: { readonly answer: V1Result<'getAgent'> }): ReactNode {
  const { step, add = false } = useSearch({ from: '/signed-in/team/agent' })
  const navigate = useNavigate({ from: '/agent' })
  const { agent } = answer
  if (add) return <Setup key="new" agent={null} add={agent !== null} step="company" />
  if (agent === null && step === undefined) {
    return (
      <Card>
        <EmptyState
          icon={<Bot size={28} />}
          title="No agent yet"
          text={
            'Say what you sell and to whom. The agent then looks for posts your buyers ' +
            'care about every day, watches the people who write them, and ranks who engages.'
          }
          action={
            <RoleButton needs="member" variant="primary" onClick={() => void navigate({ search: { step: 'company' } })}>
              Set up an agent
            </RoleButton>
          }
        />
      </Card>
    )
  }
  if (agent === null) return <Setup key="new" agent={null} add={false} step="company" />
  const wasStarted = agent.launchedAt !== null
  if (!wasStarted || step !== undefined)
    return <Setup key={agent.id} agent={agent} add={false} step={step ?? 'company'} />
  return <OneAgent agent={agent} />
}

/** The Engagement Agent: set-up, start, and its ranked leads. */
export function Page(): ReactNode {
  const { agent: agentId, add } = useSearch({ from: '/signed-in/team/agent' })
  const navigate = useNavigate({ from: '/agent' })
  const [isRescoring, setRescoring] = useState(false)
  const query = useV1Query('getAgent', agentId === undefined ? {} : { agentId }, {
    topic: 'agent',
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
    <PageFrame title={title} text={textOf('/agent')} actions={actions}>
      <Served>
        <Loaded query={query} lines={8}>
          {(answer) => <Content answer={answer} />}
        </Loaded>
      </Served>
    </PageFrame>
  )
}
