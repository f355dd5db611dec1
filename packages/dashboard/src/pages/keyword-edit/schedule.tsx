import type { ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { Card, Field, Input, Select, count, timeZone } from '../../ui/index.ts'
import type { Change, Draft } from './draft.ts'

/** How often the search runs and when it ends. */
export function Schedule({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }): ReactNode {
  return (
    <Card title="When it runs">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Runs">
          <Select
            value={draft.repeat}
            onValue={(repeat) => onChange({ repeat })}
            choices={[
              { value: 'daily', label: 'Every day' },
              { value: 'once', label: 'Once' },
              { value: 'runs', label: 'A number of times, daily' },
            ]}
          />
        </Field>
        {draft.repeat === 'runs' && (
          <Field label="Number of runs" hint={`At most ${count(bounds.maxRuns.max)}.`}>
            <Input
              inputMode="numeric"
              value={draft.maxRuns}
              onChange={(event) => onChange({ maxRuns: event.target.value })}
            />
          </Field>
        )}
        <Field label="No run after" optional hint={`In your time zone, ${timeZone}.`}>
          <Input
            type="datetime-local"
            value={draft.endAt}
            onChange={(event) => onChange({ endAt: event.target.value })}
          />
        </Field>
      </div>
    </Card>
  )
}
