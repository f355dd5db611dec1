import { useState, type ReactNode } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { Card, Notice, RoleButton } from '../../ui/index.ts'
import { changeOf, noTopic, profileOf, type Agent } from './agent.ts'
import { Budget } from './budget.tsx'
import { Buyers, Company, Topics, type PartProps } from './fields.tsx'
import { StartButton } from './start.tsx'

/** The whole profile of an agent on one page; sources and limits follow at the next start. */
export function ProfileForm({ agent }: { readonly agent: Agent }): ReactNode {
  const [profile, setProfile] = useState(() => profileOf(agent))
  const save = useV1Mutation('updateAgent', {
    quiet: true,
    done: 'The profile was saved',
    refreshes: ['agent'],
    onSuccess: (result) => setProfile(profileOf(result.agent)),
  })
  const onChange: PartProps['onChange'] = (change) => setProfile((before) => ({ ...before, ...change }))
  const isDirty = JSON.stringify(profile) !== JSON.stringify(profileOf(agent))
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="info">
        Ranking follows what you save at once. Topics and the daily limit follow when you start the agent again.
      </Notice>
      <Card title="Your website">
        <Company profile={profile} onChange={onChange} />
      </Card>
      <Card title="Who buys">
        <Buyers profile={profile} onChange={onChange} />
      </Card>
      <Card title="What they talk about">
        <Topics profile={profile} onChange={onChange} />
      </Card>
      <Card title="Daily limit">
        <Budget profile={profile} onChange={onChange} agent={agent} />
      </Card>
      {save.error && (
        <Notice tone="bad" title="It was not saved">
          {save.error.message}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <RoleButton
          needs="member"
          variant={isDirty ? 'primary' : 'secondary'}
          busy={save.isPending}
          reason={!isDirty && 'Nothing has been changed.'}
          onClick={() => save.mutate({ agentId: agent.id, ...changeOf(profile, agent.trial !== null) })}
        >
          Save the profile
        </RoleButton>
        <StartButton
          agent={agent}
          label={agent.status === 'active' ? 'Start again with this' : 'Start the agent'}
          reason={isDirty ? 'Save the profile first.' : noTopic(agent)}
        />
      </div>
      {isDirty && <p className="text-sm text-muted">Save first, then start.</p>}
    </div>
  )
}
