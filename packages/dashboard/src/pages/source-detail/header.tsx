import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge, count, credits, Notice, share, Stat, TimeAgo } from '../../ui/index.ts'
import { Coverage, stateOf, warningTone, type Warning } from '../sources/health.tsx'
import type { Health } from './source.ts'

const fixes: Partial<
  Record<Warning['kind'], { readonly tab: 'fit' | 'webhook' | 'outreach' | 'settings'; readonly word: string }>
> = {
  no_icp: { tab: 'fit', word: 'Set criteria' },
  low_yield: { tab: 'fit', word: 'Look at the criteria' },
  webhook_disabled: { tab: 'webhook', word: 'Mend the webhook' },
  outreach_paused: { tab: 'outreach', word: 'See the rule' },
  starved: { tab: 'settings', word: 'Raise the limit' },
}

/** A warning in words, with what to do and where. */
function Warned({ warning, id }: { readonly warning: Warning; readonly id: string }): ReactNode {
  const fix = fixes[warning.kind]
  const link = 'font-medium underline underline-offset-2'
  const action = fix ? (
    <Link to="/sources/$id" params={{ id }} search={{ tab: fix.tab }} className={link}>
      {fix.word}
    </Link>
  ) : warning.kind === 'out_of_credits' ? (
    <Link to="/credits" className={link}>
      See credits
    </Link>
  ) : undefined
  return (
    <Notice tone={warningTone(warning.kind)} title={warning.text} action={action}>
      {warning.advice}
    </Notice>
  )
}

/** How a source is doing, in figures and in words. */
export function Header({ source }: { readonly source: Health }): ReactNode {
  const { word, tone } = stateOf(source)
  return (
    <div className="flex flex-col gap-3">
      {source.warnings.map((warning) => (
        <Warned key={warning.kind} warning={warning} id={source.id} />
      ))}
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
        <Stat
          label="State"
          value={
            <span className="text-base">
              <Badge tone={tone}>{word}</Badge>
            </span>
          }
          hint={
            source.lastRun === null ? (
              'No run yet'
            ) : (
              <>
                {source.lastRun.words}
                {source.lastRun.finishedAt && (
                  <>
                    {' '}
                    (<TimeAgo at={source.lastRun.finishedAt} />)
                  </>
                )}
              </>
            )
          }
        />
        <Stat
          label="Next run"
          value={
            <span className="text-base">
              <TimeAgo at={source.nextSyncAt} none="not planned" />
            </span>
          }
          hint={
            source.silentDays !== null && source.silentDays > 0
              ? `No new lead for ${source.silentDays === 1 ? 'a day' : `${source.silentDays} days`}`
              : undefined
          }
        />
        <Stat
          label="Leads"
          value={count(source.leads)}
          hint={
            [
              source.rawLeads > 0 && `${count(source.rawLeads)} raw`,
              source.pendingEnrichment > 0 && `${count(source.pendingEnrichment)} being looked up`,
            ]
              .filter(Boolean)
              .join(', ') || undefined
          }
        />
        <Stat
          label="Fit your criteria"
          value={count(source.icpLeads)}
          hint={source.leads > 0 ? `${share(source.icpLeads, source.leads)} of the leads` : undefined}
        />
        <div className="col-span-2 rounded-xl border border-line bg-surface px-4 py-3 lg:col-span-1">
          <p className="text-[0.8125rem] text-muted">Spent in 30 days</p>
          <p className="text-base font-semibold tabular-nums">{credits(source.creditsSpent)}</p>
          <div className="mt-1">
            <p className="text-[0.8125rem] text-muted">Coverage</p>
            <Coverage coverage={source.coverage} />
          </div>
        </div>
      </div>
    </div>
  )
}
