import { engagementNames } from '@les/contract'
import { textOf } from '../../shell/navigation.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe, useSessionQuery, useV1Query, type V1Result } from '../../api/index.ts'
import {
  Avatar,
  Badge,
  buttonClass,
  Card,
  count,
  countOf,
  EmptyState,
  lacksCriteria,
  Loaded,
  Meter,
  PageFrame,
  TimeAgo,
  warningTone,
} from '../../ui/index.ts'
import { FirstDay } from './first-day.tsx'
import { Gains } from './gains.tsx'
import { gainsOf } from './gains.ts'

type ListedLead = V1Result<'listLeads'>['leads'][number]

const shown = 8
const dayMs = 86_400_000
const link = 'text-accent-text underline underline-offset-2'

/** The start of the day a day ago, so that the address and the cache stay the same for a while. */
const sinceYesterday = (now: string): string =>
  new Date(Math.floor((Date.parse(now) - dayMs) / 3_600_000) * 3_600_000).toISOString()

function Lead({ lead, since }: { readonly lead: ListedLead; readonly since: string }): ReactNode {
  return (
    <li>
      <Link
        to="/leads"
        search={{ isIcp: true, since, lead: lead.id }}
        className="flex items-start gap-3 px-4 py-3 text-sm hover:bg-sunken"
      >
        <Avatar src={lead.avatarUrl ?? null} name={lead.name ?? '?'} size={36} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-3">
            <span className="min-w-0 flex-1 truncate">
              <span className="font-medium">{lead.name ?? 'Name not known yet'}</span>
              <span className="text-muted"> {[lead.jobTitle, lead.companyName].filter(Boolean).join(', ')}</span>
            </span>
            <span className="shrink-0 text-[0.8125rem] text-muted">
              <TimeAgo at={lead.createdAt} />
            </span>
          </span>
          <span className="block truncate text-[0.8125rem] text-muted">
            {engagementNames[lead.engagementType]} · {lead.sourceLabel}
          </span>
          {lead.commentText && <span className="mt-1 line-clamp-2 block text-ink">“{lead.commentText}”</span>}
        </span>
      </Link>
    </li>
  )
}

/** Why nobody is there: nothing says who fits yet, or nobody came; with the step that changes it. */
function Nobody(): ReactNode {
  const health = useSessionQuery('listSourceHealth', { limit: '200' }, { topic: 'sources', staleTime: 30_000 })
  const judge = gainsOf(health.data?.sources ?? [], 0).find((gain) => gain.kind === 'judge')
  if (judge !== undefined && health.data?.sources.every(lacksCriteria))
    return (
      <EmptyState
        title="Nothing says who fits yet"
        text={
          <>
            Describe your ideal customer: {countOf(judge.leads, 'lead')} captured so far{' '}
            {judge.leads === 1 ? 'is' : 'are'} judged at once, at no cost, and those that fit stand here.
          </>
        }
        action={
          <>
            <Link to="/leads" className={buttonClass('secondary')}>
              All leads
            </Link>
            <Link
              to="/sources/$id"
              params={{ id: judge.source.id }}
              search={{ tab: 'fit' }}
              className={buttonClass('primary')}
            >
              Set criteria
            </Link>
          </>
        }
      />
    )
  return (
    <EmptyState
      title="Nobody who fits since yesterday"
      text="Leads that fit your criteria appear here as they are captured. Those of the days before are still in the list."
      action={
        <>
          <Link to="/leads" search={{ isIcp: true }} className={buttonClass('secondary')}>
            Earlier ones
          </Link>
          <Link to="/sources" search={{ track: true }} className={buttonClass('primary')}>
            Track a source
          </Link>
        </>
      }
    />
  )
}

function Today(): ReactNode {
  const { now } = useMe()
  const since = sinceYesterday(now)
  const fitting = useV1Query(
    'listLeads',
    { isIcp: true, since, limit: shown, includeSyncing: true },
    { topic: 'leads', staleTime: 30_000 },
  )
  return (
    <Card
      flush
      title="Worth a look"
      text={
        fitting.data && fitting.data.total > 0
          ? `${countOf(fitting.data.total, 'lead')} captured in the last day ${fitting.data.total === 1 ? 'fits' : 'fit'} your criteria.`
          : 'Leads of the last day that fit your criteria.'
      }
      actions={
        <Link to="/leads" search={{ isIcp: true, since }} className={buttonClass('secondary', 'sm')}>
          See all
        </Link>
      }
    >
      <Loaded query={fitting} lines={6}>
        {({ leads }) =>
          leads.length === 0 ? (
            <Nobody />
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {leads.map((lead) => (
                <Lead key={lead.id} lead={lead} since={since} />
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

/** The page "Home": who is worth a look, what needs somebody, what would bring more, and what it costs. */
export function Page(): ReactNode {
  return (
    <PageFrame title="Home" text={textOf('/home')}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Today />
        <div className="flex flex-col gap-5">
          <Stopped />
          <Gains />
          <Spend />
          <FirstDay />
        </div>
      </div>
    </PageFrame>
  )
}
