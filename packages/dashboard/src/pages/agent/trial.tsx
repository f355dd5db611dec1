import type { ReactNode } from 'react'
import { Meter, TimeUntil } from '../../ui/index.ts'
import type { Agent } from './agent.ts'

/** What a free trial still allows the agent. */
export function TrialMeters({ trial }: { readonly trial: NonNullable<Agent['trial']> }): ReactNode {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>
        The free trial pays for the agent itself
        {trial.endsAt && (
          <>
            ; it ends <TimeUntil at={trial.endsAt} />
          </>
        )}
        .
      </p>
      <Meter
        label="People checked"
        value={trial.checked}
        max={trial.checkedLimit}
        tone={trial.checked >= trial.checkedLimit ? 'bad' : 'good'}
      />
      <Meter label="People watched" value={trial.watched} max={trial.watchLimit} />
    </div>
  )
}
