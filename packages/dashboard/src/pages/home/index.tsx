import { textOf } from '../../shell/navigation.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe, useSessionQuery, useV1Query } from '../../api/index.ts'
import {
  Badge,
  buttonClass,
  Card,
  count,
  countOf,
  EmptyState,
  Loaded,
  Meter,
  PageFrame,
  TimeAgo,
} from '../../ui/index.ts'
import { Person } from '../leads/cells.tsx'
import { engagementWords } from '../leads/words.ts'
import { warningTone } from '../sources/health.tsx'
import { FirstDay } from './first-day.tsx'

const shown = 8
const dayMs = 86_400_000
const link = 'text-accent-text underline underline-offset-2'

/** The start of the day a day ago, so that the address and the cache stay the same for a while. */
const sinceYesterday = (now: string): string =>
  new Date(Math.floor((Date.parse(now) - dayMs) / 3_600_000) * 3_600_000).toISOString()

function Today(): ReactNode {
  const { now } = useMe()
  const since = sinceYesterday(now)
  const fitting = useV1Query(
    'listLeads',
    { isIcp: true, since, limit: shown, includeSyncing: true },
    { topic: 'leads', staleTime: 30_000 },
  )
  const all = useV1Query('listLeads', { since, limit: 1, includeSyncing: true }, { topic: 'leads', staleTime: 30_000 })
  return (
    <Card
      title="Worth a look"
      text={
        all.data && fitting.data
          ? `${countOf(fitting.data.total, 'lead')} of ${count(all.data.total)} captured in the last day fit.`
          : 'Leads of the last day that fit.'
      }
      actions={
        <Link to="/leads" search={{ isIcp: true, since }} className={buttonClass('secondary', 'sm')}>
          See all
        </Link>
      }
    >
      <Loaded query={fitting}>
        {({ leads }) =>
          leads.length === 0 ? (
            <EmptyState
              title="Nobody who fits since yesterday"
              text="Leads that fit your criteria appear here as they are captured."
              action={
                <Link to="/sources" search={{ track: true }} className={buttonClass('primary')}>
                  Track a source
                </Link>
              }
            />
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {leads.map((lead) => (
                <li key={lead.id}>
                  <Link
                    to="/leads"
                    search={{ isIcp: true, since, lead: lead.id }}
                    className="flex items-center gap-3 rounded py-2 text-sm hover:bg-sunken"
                  >
                    <span className="min-w-0 flex-1">
                      <Person
                        name={lead.name}
                        avatarUrl={lead.avatarUrl}
                        line={[lead.jobTitle, lead.companyName].filter(Boolean).join(', ')}
                      />
                    </span>
                    <span className="shrink-0 text-muted max-sm:hidden">
                      {engagementWords[lead.engagementType]} · {lead.sourceLabel}
                    </span>
                    <span className="shrink-0 text-[0.8125rem] text-muted">
                      <TimeAgo at={lead.createdAt} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Stopped(): ReactNode {
  const health = useSessionQuery('listSourceHealth', { limit: '200' }, { topic: 'sources', staleTime: 30_000 })
  return (
    <Card title="Needs you" text="What stopped or stands still, and what mends it.">
      <Loaded query={health}>
        {({ sources }) => {
          const wrong = sources.flatMap((source) =>
            source.warnings.filter(({ kind }) => warningTone(kind) === 'bad').map((warning) => ({ source, warning })),
          )
          if (wrong.length === 0)
            return (
              <p className="text-sm text-muted">
                {sources.length === 0 ? 'Nothing is tracked yet.' : 'Everything runs.'}
              </p>
            )
          return (
            <ul className="flex flex-col divide-y divide-line">
              {wrong.slice(0, shown).map(({ source, warning }) => (
                <li key={`${source.id} ${warning.kind}`} className="flex flex-col gap-1 py-2 text-sm">
                  <span className="flex flex-wrap items-center gap-2">
                    <Link to="/sources/$id" params={{ id: source.id }} className={link}>
                      {source.label}
                    </Link>
                    <Badge tone="bad">{warning.text}</Badge>
                  </span>
                  <span className="text-muted">{warning.advice}</span>
                </li>
              ))}
              {wrong.length > shown && (
                <li className="py-2 text-sm">
                  <Link to="/sources" className={link}>
                    {countOf(wrong.length - shown, 'more warning')}
                  </Link>
                </li>
              )}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}

function Spend(): ReactNode {
  const burn = useSessionQuery('getBurn', { days: '30' }, { topic: 'credits', staleTime: 60_000 })
  return (
    <Card
      title="Credits"
      actions={
        <Link to="/credits" className={buttonClass('secondary', 'sm')}>
          Where they go
        </Link>
      }
    >
      <Loaded query={burn}>
        {({ credits, days, forecast }) => (
          <div className="flex flex-col gap-3 text-sm">
            <Meter
              label="Used this period"
              value={credits.used}
              max={Math.max(1, credits.used + credits.balance)}
              text={`${count(credits.used)} of ${count(credits.used + credits.balance)}`}
              tone={credits.balance <= 0 ? 'bad' : 'good'}
            />
            <p className="text-muted">
              {countOf(days.at(-1)?.total ?? 0, 'credit')} today. The period begins anew{' '}
              <TimeAgo at={forecast.resetAt} />.
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  )
}

/** The page "Home": what is new and fits, what needs somebody, and what it costs. */
export function Page(): ReactNode {
  return (
    <PageFrame title="Home" text={textOf('/home')}>
      <FirstDay />
      <div className="grid items-start gap-5 lg:grid-cols-[2fr_1fr]">
        <Today />
        <div className="flex flex-col gap-5">
          <Stopped />
          <Spend />
        </div>
      </div>
    </PageFrame>
  )
}
