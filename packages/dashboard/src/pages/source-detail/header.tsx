import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge, count, credits, cx, lacksCriteria, share, TimeAgo, TimeUntil, warningTone } from '../../ui/index.ts'
import { Coverage, stateOf, type Warning } from '../sources/health.tsx'
import type { Health } from './source.ts'
import { worstFirst } from './worst.ts'

const fixes: Partial<
  Record<Warning['kind'], { readonly tab: 'fit' | 'webhook' | 'outreach' | 'settings'; readonly word: string }>
> = {
  no_icp: { tab: 'fit', word: 'Set criteria' },
  low_yield: { tab: 'fit', word: 'Look at the criteria' },
  webhook_disabled: { tab: 'webhook', word: 'Mend the webhook' },
  outreach_paused: { tab: 'outreach', word: 'See the rule' },
  starved: { tab: 'settings', word: 'Raise the limit' },
}

/** The one act that mends a warning. */
function Mend({ warning, id }: { readonly warning: Warning; readonly id: string }): ReactNode {
  const fix = fixes[warning.kind]
  const className = 'shrink-0 font-medium underline underline-offset-2'
  if (fix)
    return (
      <Link to="/sources/$id" params={{ id }} search={{ tab: fix.tab }} className={className}>
        {fix.word}
      </Link>
    )
  return warning.kind === 'out_of_credits' ? (
    <Link to="/credits" className={className}>
      See credits
    </Link>
  ) : null
}

const colours = {
  bad: 'border-danger/40 bg-danger-soft text-danger-text',
  warn: 'border-line bg-warn-soft text-warn-text',
  info: 'border-line bg-info-soft text-info-text',
} as const

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

function Warned({ warning, id }: { readonly warning: Warning; readonly id: string }): ReactNode {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="min-w-0 flex-1">
        <strong className="font-medium">{sentence(warning.text)}</strong> {warning.advice}
      </span>
      <Mend warning={warning} id={id} />
    </p>
  )
}

/**
 * How a source is doing in one line: the worst of its warnings with the act that mends it, the others behind it; else
 * what its last run came to.
 */
function HealthLine({ source }: { readonly source: Health }): ReactNode {
  const { word, tone } = stateOf(source)
  const [worst, ...others] = worstFirst(source.warnings)
  if (source.ended !== null)
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Badge tone="warn">Ended</Badge>
        <span className="text-muted">{source.ended} It runs again when you say so above.</span>
      </div>
    )
  if (worst === undefined)
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Badge tone={tone}>{word}</Badge>
        <span className="text-muted">
          {source.lastRun === null ? 'No run yet' : source.lastRun.words}
          {source.lastRun?.finishedAt && (
            <>
              {' '}
              (<TimeAgo at={source.lastRun.finishedAt} />)
            </>
          )}
        </span>
      </div>
    )
  const colour = warningTone(worst.kind)
  return (
    <section
      aria-label="Health"
      className={cx(
        'flex flex-col gap-2 rounded-lg border px-3 py-2 text-sm',
        colours[colour === 'bad' || colour === 'info' ? colour : 'warn'],
      )}
    >
      <Warned warning={worst} id={source.id} />
      {others.length > 0 && (
        <details>
          <summary className="cursor-pointer">{others.length === 1 ? 'One more' : `${others.length} more`}</summary>
          <div className="mt-2 flex flex-col gap-2">
            {others.map((warning) => (
              <Warned key={warning.kind} warning={warning} id={source.id} />
            ))}
          </div>
        </details>
      )}
    </section>
  )
}

function Figure({
  label,
  value,
  hint,
}: {
  readonly label: string
  readonly value: ReactNode
  readonly hint?: string | undefined
}): ReactNode {
  return (
    <div className="min-w-0 bg-surface px-3 py-2">
      <p className="text-xs text-muted">{label}</p>
      <p className="text-sm font-semibold tabular-nums">{value}</p>
      {hint && <p className="text-xs break-words text-muted">{hint}</p>}
    </div>
  )
}

/** How a source is doing: one line of health, and a strip of figures. */
export function Header({ source }: { readonly source: Health }): ReactNode {
  const rest = [
    source.rawLeads > 0 && `${count(source.rawLeads)} raw`,
    source.pendingEnrichment > 0 && `${count(source.pendingEnrichment)} being looked up`,
  ].filter(Boolean)
  return (
    <div className="flex flex-col gap-3">
      <HealthLine source={source} />
      <div className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 lg:grid-cols-6">
        <Figure label="Leads" value={count(source.leads)} hint={rest.join(', ') || undefined} />
        <Figure
          label="Fit your criteria"
          value={lacksCriteria(source) ? '–' : count(source.icpLeads)}
          hint={
            lacksCriteria(source)
              ? source.raw
                ? 'raw leads are not judged'
                : 'no criteria yet'
              : source.leads > 0
                ? `${share(source.icpLeads, source.leads)} of the leads`
                : undefined
          }
        />
        <Figure label="Spent in 30 days" value={credits(source.creditsSpent)} />
        <Figure label="Coverage" value={<Coverage coverage={source.coverage} />} />
        <Figure
          label="Last run"
          value={<TimeAgo at={source.lastRun?.finishedAt ?? null} none={source.running ? 'under way' : 'none yet'} />}
        />
        <Figure
          label="Next run"
          value={<TimeUntil at={source.nextSyncAt} none="not planned" clock />}
          hint={
            source.silentDays !== null && source.silentDays > 0
              ? `No new lead for ${source.silentDays === 1 ? 'a day' : `${source.silentDays} days`}`
              : undefined
          }
        />
      </div>
    </div>
  )
}
