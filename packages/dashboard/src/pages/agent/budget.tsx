import type { ReactNode } from 'react'
import { Field, Input } from '../../ui/index.ts'
import type { Agent } from './agent.ts'
import type { PartProps } from './fields.tsx'
import { Plan } from './plan.tsx'
import { TrialMeters } from './trial.tsx'

/** The daily limit and how it would be split; on a free trial, the allowance instead. */
export function Budget({ profile, onChange, agent }: PartProps & { readonly agent: Agent | null }): ReactNode {
  const isTrial = agent?.trial !== null && agent?.trial !== undefined
  const daily = profile.dailyCredits.trim() === '' ? Number.NaN : Number(profile.dailyCredits)
  return (
    <div className="flex flex-col gap-5">
      {isTrial ? (
        <TrialMeters trial={agent.trial!} />
      ) : (
        <Field
          label="Credits a day at most"
          hint="From 50 to 20,000. Half goes to watching people, the rest to the topics; what people do not need goes to the topics too."
          className="max-w-md"
        >
          <Input
            inputMode="numeric"
            value={profile.dailyCredits}
            onChange={(event) => onChange({ dailyCredits: event.target.value })}
          />
        </Field>
      )}
      {agent !== null && (
        <Plan agentId={agent.id} dailyCredits={isTrial ? null : daily} topics={agent.profile.topics.length} />
      )}
    </div>
  )
}
