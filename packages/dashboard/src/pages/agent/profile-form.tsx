import { useState, type ReactNode } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { Card, Notice, RoleButton } from '../../ui/index.ts'
import { changeOf, noTopic, profileOf, type Agent, type Profile } from './agent.ts'
import { Budget } from './budget.tsx'
import { editedOf, followed } from './edits.ts'
import { Buyers, Company, Topics, type PartProps } from './fields.tsx'
import { StartButton } from './start.tsx'

/** The profile as it is edited, over what is stored; `save` sends the fields that were edited, and no others. */
function useProfile(agent: Agent) {
  const stored = profileOf(agent)
  const [seen, setSeen] = useState(stored)
  const [{ before, profile }, setForm] = useState({ before: stored, profile: stored })
  const follow = (theirs: Profile, mine?: Profile) =>
    setForm((now) => ({ before: theirs, profile: followed(now.profile, mine ?? now.before, theirs) }))
  // Somebody else has changed it meanwhile.
  if (JSON.stringify(seen) !== JSON.stringify(stored)) {
    setSeen(stored)
    follow(stored)
  }
  const update = useV1Mutation('updateAgent', { quiet: true, done: 'The profile was saved', refreshes: ['agent'] })
  return {
    profile,
    isDirty: JSON.stringify(profile) !== JSON.stringify(before),
    onChange: ((change) =>
      setForm((now) => ({ ...now, profile: { ...now.profile, ...change } }))) as PartProps['onChange'],
    ...{ error: update.error, isSaving: update.isPending },
    save: () =>
      update.mutate(
        { agentId: agent.id, ...editedOf(changeOf(profile, agent.trial !== null), profile, before) },
        { onSuccess: (result) => follow(profileOf(result.agent), profile) },
      ),
  }
}

/** The whole profile of an agent on one page; sources and limits follow at the next start. */
export function ProfileForm({ agent }: { readonly agent: Agent }): ReactNode {
  const { profile, isDirty, onChange, error, isSaving, save } = useProfile(agent)
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
      {error && (
        <Notice tone="bad" title="It was not saved">
          {error.message}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <RoleButton
          needs="member"
          variant={isDirty ? 'primary' : 'secondary'}
          busy={isSaving}
          reason={!isDirty && 'Nothing has been changed.'}
          onClick={save}
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
