import { sourceWarningNames } from '@les/contract'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, count, cx, share, warningTone, type Tone } from '../../ui/index.ts'
import type { SourceHealth } from './use-sources.ts'

/** A warning about a source. */
export type Warning = SourceHealth['warnings'][number]

/** The warnings of a source, a word each. */
export function WarningBadges({ warnings }: { readonly warnings: readonly Warning[] }): ReactNode {
  if (warnings.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-1">
      {warnings.map((warning) => (
        <li key={warning.kind} title={`${warning.text} ${warning.advice}`}>
          <Badge tone={warningTone(warning.kind)} icon={<TriangleAlert aria-hidden="true" size={12} />}>
            {sourceWarningNames[warning.kind]}
          </Badge>
          <span className="sr-only">
            {warning.text} {warning.advice}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What a source does now, in a word. */
export function stateOf(
  source: Pick<SourceHealth, 'status' | 'running' | 'waiting' | 'lastRun' | 'ended' | 'warnings'>,
): {
  readonly word: string
  readonly tone: Tone
} {
  if (source.status === 'inactive') return { word: 'Stopped', tone: 'neutral' }
  if (source.waiting !== null) return { word: 'Waiting', tone: 'warn' }
  if (source.running) return { word: 'Syncing', tone: 'info' }
  if (source.ended !== null) return { word: 'Ended', tone: 'neutral' }
  if (source.lastRun === null) return { word: 'Waiting', tone: 'neutral' }
  if (source.lastRun.state === 'failed') return { word: 'Failed', tone: 'bad' }
  // What is warned of is not healthy; that nobody has set criteria is advice.
  const isWarned = source.warnings.some(({ kind }) => kind !== 'no_icp')
  return isWarned ? { word: 'Done', tone: 'neutral' } : { word: 'Healthy', tone: 'good' }
}

/** How much of the declared engagement was captured: a short bar with its figures. */
export function Coverage({
  coverage,
}: {
  readonly coverage: { readonly declared: number; readonly captured: number } | null
}): ReactNode {
  if (coverage === null || coverage.declared === 0) return <span className="text-muted">–</span>
  const part = Math.min(1, coverage.captured / coverage.declared)
  return (
    <div
      className="flex min-w-28 flex-col gap-1"
      data-tip={`Posts declare ${count(coverage.declared)} reactions and comments; ${count(coverage.captured)} lead rows are held for them`}
    >
      <span className="text-[0.8125rem] tabular-nums">
        {share(Math.min(coverage.captured, coverage.declared), coverage.declared)}{' '}
        <span className="text-muted">of {count(coverage.declared)}</span>
      </span>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className={cx('h-full rounded-full', part < 0.5 ? 'bg-(--chart-3)' : 'bg-accent')}
          style={{ width: `${part * 100}%` }}
        />
      </div>
    </div>
  )
}
