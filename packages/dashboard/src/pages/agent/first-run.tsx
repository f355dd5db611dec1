import type { ReactNode } from 'react'
import type { V1Result } from '../../api/index.ts'
import { Card, Meter, Stat, count } from '../../ui/index.ts'

/** How far the first run has come, and what the agent's leads add up to. */
export function FirstRun({ page }: { readonly page: V1Result<'listAgentLeads'> }): ReactNode {
  const { firstRun } = page
  return (
    <div className="flex flex-col gap-3">
      {!firstRun.done && firstRun.sourcesTotal > 0 && (
        <Card title="First run" text="Leads appear as they are captured; nothing to reload.">
          <div className="flex flex-col gap-2 text-sm" aria-live="polite">
            <Meter label="Sources synced" value={firstRun.sourcesDone} max={firstRun.sourcesTotal} />
            <p className="text-muted">
              {firstRun.peopleReady
                ? 'The people to watch have been found.'
                : 'People to watch are still being looked for.'}
              {firstRun.enriching > 0 && ` Details of ${count(firstRun.enriching)} are being looked up.`}
            </p>
          </div>
        </Card>
      )}
      <div className="grid grid-cols-3 gap-3">
        <Stat label="Leads ranked" value={count(page.total)} />
        <Stat label="People captured" value={count(page.checked)} />
        <Stat label="People being looked up" value={count(page.enriching)} />
      </div>
    </div>
  )
}
