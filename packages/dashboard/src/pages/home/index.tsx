import { engagementNames } from '@les/contract'
import { textOf } from '../../shell/navigation.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe, useSessionQuery, useSourceNames, useV1Query, type V1Result } from '../../api/index.ts'
import {
  Avatar,
  buttonClass,
  Card,
  count,
  countOf,
  cx,
  day,
  EmptyState,
  lacksCriteria,
  Loaded,
  Meter,
  PageFrame,
  TimeAgo,
} from '../../ui/index.ts'
import { FirstDay } from './first-day.tsx'
import { Gains } from './gains.tsx'
import { Stopped } from './stopped.tsx'
import { gainsOf } from './gains.ts'

type ListedLead = V1Result<'listLeads'>['leads'][number]

const shown = 8
const dayMs = 86_400_000

/** The start of the day a day ago, so that the address and the cache stay the same for a while. */
const sinceYesterday = (now: string): string =>
  new Date(Math.floor((Date.parse(now) - dayMs) / 3_600_000) * 3_600_000).toISOString()

function Lead({
  lead,
  since,
  source,
}: {
  readonly lead: ListedLead
  readonly since: string
  /** What the source it came from is called. */
  readonly source: string | null
}): ReactNode {
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
            {engagementNames[lead.engagementType]} · {source}
          </span>
          {lead.commentText && <span className="mt-1 line-clamp-2 block text-ink">“{lead.commentText}”</span>}
        </span>
      </Link>
    </li>
  )
}

function NothingTracked(): ReactNode {
  return (
    <EmptyState
      title="Nothing is tracked yet"
      text="Track a person, a company page or a post: whoever engages with it and fits your criteria stands here."
      action={
        <Link to="/sources" search={{ track: true }} className={buttonClass('primary')}>
          Track a source
        </Link>
      }
    />
  )
}

/** Leads were captured, but nothing says who fits: the source that has most of them is where to begin. */
function NoCriteria({ sourceId, leads }: { readonly sourceId: string; readonly leads: number }): ReactNode {
  return (
    <EmptyState
      title="Nothing says who fits yet"
      text={
        <>
          Describe your ideal customer: {countOf(leads, 'lead')} captured so far {leads === 1 ? 'is' : 'are'} judged at
          once, at no cost, and those that fit stand here.
        </>
      }
      action={
        <>
          <Link to="/leads" className={buttonClass('secondary')}>
            All leads
          </Link>
          <Link to="/sources/$id" params={{ id: sourceId }} search={{ tab: 'fit' }} className={buttonClass('primary')}>
            Set criteria
          </Link>
        </>
      }
    />
  )
}

/** Why nobody is there: nothing says who fits yet, or nobody came; with the step that changes it. */
function Nobody(): ReactNode {
  const health = useSessionQuery('listSourceHealth', { limit: '200' }, { topic: 'sources', staleTime: 30_000 })
  const judge = gainsOf(health.data?.sources ?? [], 0).find((gain) => gain.kind === 'judge')
  if (judge !== undefined && health.data?.sources.every(lacksCriteria))
    return <NoCriteria sourceId={judge.source.id} leads={judge.leads} />
  if (health.data?.sources.length === 0) return <NothingTracked />
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
  const { nameOf } = useSourceNames()
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
                <Lead key={lead.id} lead={lead} since={since} source={nameOf(lead.sourceId, lead.sourceLabel)} />
              ))}
            </ul>
          )
        }
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
              {countOf(days.at(-1)?.total ?? 0, 'credit')} today. New credits come on {day(forecast.resetAt)}.
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
      <div
        className={cx(
          'grid grid-cols-[minmax(0,1fr)] items-start gap-5',
          'lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]',
        )}
      >
        <Today />
        <div className="flex flex-col gap-5 lg:row-span-2">
          <Stopped />
          <Gains />
          <Spend />
        </div>
        {/* Last, since it comes last for who has sources; under the wide column, where a screen shows it. */}
        <FirstDay />
      </div>
    </PageFrame>
  )
}
