import type { ReactNode } from 'react'
import { Card, countOf } from '../../ui/index.ts'
import { runWords, type SearchRow } from '../keyword/words.ts'

/** What the last run of a search did, a sentence each, and how many runs it has left; nothing before the first has ended. */
export function LastRun({ row }: { readonly row: SearchRow }): ReactNode {
  if (row.lastRun === undefined) return null
  const { maxRuns, runsCompleted = 0 } = row.schedule ?? {}
  return (
    <Card title="What the last run did">
      <ul className="list-disc pl-5 text-sm">
        {runWords({ ...row, lastRun: row.lastRun }).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {maxRuns != null && (
          <li>
            {countOf(runsCompleted, 'run')} of {maxRuns} made.
          </li>
        )}
      </ul>
    </Card>
  )
}
