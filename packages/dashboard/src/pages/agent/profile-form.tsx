import type { ReactNode } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { Card, editedOf, Notice, RoleButton, useEdited } from '../../ui/index.ts'
import { changeOf, noTopic, profileOf, type Agent } from './agent.ts'
import { Budget } from './budget.tsx'
import { Buyers, Company, Topics } from './fields.tsx'
import { StartButton } from './start.tsx'

/** The profile as it is edited, and what saves it. */
function useProfile(agent: Agent) {
  const form = useEdited(profileOf(agent))
  const update = useV1Mutation('updateAgent', { quiet: true, done: 'The profile was saved', refreshes: ['agent'] })
  // What was edited alone: the rest may be somebody else's by now.
  const edits = editedOf(changeOf(form.value, agent.trial !== null), form.value, form.before)
  return { ...form, update, save: () => update.mutate({ agentId: agent.id, ...edits }, { onSuccess: form.saved }) }
}

/** The whole profile of an agent on one page; sources and limits follow at the next start. */
export function ProfileForm({ agent }: { readonly agent: Agent }): ReactNode {
  const { value: profile, isEdited, change: onChange, update, save } = useProfile(agent)
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
      {update.error && (
        <Notice tone="bad" title="It was not saved">
          {update.error.message}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <RoleButton
          needs="member"
          variant={isEdited ? 'primary' : 'secondary'}
          busy={update.isPending}
          reason={!isEdited && 'Nothing has been changed.'}
          onClick={save}
        >
          Save the profile
        </RoleButton>
        <StartButton
          agent={agent}
          label={agent.status === 'active' ? 'Start again with this' : 'Start the agent'}
          reason={isEdited ? 'Save the profile first.' : noTopic(agent)}
        />
      </div>
      {isEdited && <p className="text-sm text-muted">Save first, then start.</p>}
    </div>
  )
}
