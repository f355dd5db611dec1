import { engagementNames } from '@les/contract'
import { Link } from '@tanstack/react-router'
import { useMe, useRead, useSourceNames, useTeam, type ResultOf } from '../../api/index.ts'
import { cx } from '../../ui/button.tsx'
import { count, countOf, credits, day } from '../../ui/format.ts'
import { LinkButton, PrimaryLink, TextLink } from '../../ui/link.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Card, EmptyState, lacksCriteria, Loaded, Meter, warningTone } from '../../ui/show.tsx'
import { Avatar, TimeAgo } from '../../ui/text.tsx'
import { FirstDay } from './first-day.tsx'
import { byReason, gainsOf, type Gain } from './words.ts'

const shownStopped = 8
const useHealth = () => useRead('listSourceHealth', { limit: '200' }, { staleTime: 30_000 })

type Source = ResultOf<'listSourceHealth'>['sources'][number]

function Reason({ warning, sources }: { warning: Source['warnings'][number]; sources: readonly Source[] }) {
  const [source] = sources
  return (
    <li className="flex flex-col gap-1 py-2 text-sm">
      <span className="flex flex-wrap items-center gap-2">
        {sources.length > 1 ? (
          <TextLink to="/sources">{countOf(sources.length, 'source')}</TextLink>
        ) : (
          <TextLink to="/sources/$id" params={{ id: source!.id }}>
            {source!.label}
          </TextLink>
        )}
        <span className="font-medium text-danger-text">{warning.text}</span>
      </span>
      <span className="text-muted">{warning.advice}</span>
    </li>
  )
}

function Stopped() {
  const health = useHealth()
  return (
    <Card title="Needs you" text="What has stopped or is stuck, and how to fix it.">
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
          // Sources stopped for the same reason are grouped.
          const groups = byReason(wrong)
          return (
            <ul className="flex flex-col divide-y divide-line">
              {groups.slice(0, shownStopped).map(({ warning, sources: of }) => (
                <Reason key={`${of[0]!.id} ${warning.kind}`} warning={warning} sources={of} />
              ))}
              {groups.length > shownStopped && (
                <li className="py-2 text-sm">
                  <TextLink to="/sources">{countOf(groups.length - shownStopped, 'more warning')}</TextLink>
                </li>
              )}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}

function wordsOf(gain: Gain): string {
  switch (gain.kind) {
    case 'send':
      return (
        `${countOf(gain.leads, 'lead')} that ${gain.leads === 1 ? 'fits has' : 'fit have'} ` +
        `not been sent anywhere: send them to a campaign or a webhook, so that somebody can talk to them.`
      )
    case 'judge':
      return gain.sources === 1
        ? `${countOf(gain.leads, 'lead')} of ${gain.source.label} would be judged at once.`
        : `${countOf(gain.leads, 'lead')} of ${countOf(gain.sources, 'source')} are not judged by any criteria: start with ${gain.source.label}.`
    case 'raise':
      return `${gain.source.label} reached its cap before it had captured everybody: a higher cap captures the rest.`
    case 'narrow':
      return `${gain.source.label} cost ${credits(gain.credits)} in 30 days and brings hardly anybody who fits.`
  }
}

const titles: Readonly<Record<Gain['kind'], string>> = {
  send: 'Send those who fit',
  judge: 'Say who fits',
  raise: 'Raise a cap',
  narrow: 'Stop or narrow a source',
}

const small = { size: 'sm', className: 'shrink-0' } as const

function Gains() {
  const { can } = useTeam()
  const health = useHealth()
  const unsent = useRead('listLeads', { isIcp: true, webhookStatus: 'no_webhook', limit: 1 }, { staleTime: 60_000 })
  if (!can('member') || health.data === undefined || unsent.data === undefined) return null
  const gains = gainsOf(health.data.sources, unsent.data.total)
  if (gains.length === 0) return null
  return (
    <Card title="Worth doing" text="What would bring you more, and how much.">
      <ul className="flex flex-col divide-y divide-line">
        {gains.map((gain) => (
          <li key={gain.kind} className="flex items-start gap-3 py-2.5 text-sm first:pt-0 last:pb-0">
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{titles[gain.kind]}</span>
              <span className="block text-[0.8125rem] break-words text-muted">{wordsOf(gain)}</span>
            </span>
            {gain.kind === 'send' ? (
              <LinkButton {...small} to="/leads" search={{ isIcp: true, webhookStatus: 'no_webhook' }}>
                See them
              </LinkButton>
            ) : (
              <LinkButton
                {...small}
                to="/sources/$id"
                params={{ id: gain.source.id }}
                search={{ tab: gain.kind === 'judge' ? 'fit' : 'settings' }}
              >
                {gain.kind === 'judge' ? 'Set criteria' : 'Settings'}
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const shown = 8
const dayMs = 86_400_000

/** A day ago, rounded to the hour, so that address and cache key stay stable. */
const sinceYesterday = (now: string): string =>
  new Date(Math.floor((Date.parse(now) - dayMs) / 3_600_000) * 3_600_000).toISOString()

function Nobody() {
  const health = useHealth()
  const judge = gainsOf(health.data?.sources ?? [], 0).find((gain) => gain.kind === 'judge')
  if (judge !== undefined && health.data?.sources.every(lacksCriteria))
    return (
      <EmptyState
        title="Nothing says who fits yet"
        text={
          <>
            Describe your ideal customer: {countOf(judge.leads, 'lead')} captured so far{' '}
            {judge.leads === 1 ? 'is' : 'are'} judged at once, at no cost, and those that fit appear here.
          </>
        }
        action={
          <>
            <LinkButton to="/leads">All leads</LinkButton>
            <PrimaryLink to="/sources/$id" params={{ id: judge.source.id }} search={{ tab: 'fit' }}>
              Set criteria
            </PrimaryLink>
          </>
        }
      />
    )
  if (health.data?.sources.length === 0)
    return (
      <EmptyState
        title="Nothing is tracked yet"
        text="Track a person, a company page or a post: people who engage with it and fit your criteria appear here."
        action={
          <PrimaryLink to="/sources" search={{ track: true }}>
            Track a source
          </PrimaryLink>
        }
      />
    )
  return (
    <EmptyState
      title="Nobody who fits since yesterday"
      text="Leads that fit your criteria appear here as they are captured. Leads from earlier days are still in the list."
      action={
        <>
          <LinkButton to="/leads" search={{ isIcp: true }}>
            Earlier ones
          </LinkButton>
          <PrimaryLink to="/sources" search={{ track: true }}>
            Track a source
          </PrimaryLink>
        </>
      }
    />
  )
}

function Today() {
  const { now } = useMe()
  const since = sinceYesterday(now)
  const { nameOf } = useSourceNames()
  const fitting = useRead(
    'listLeads',
    { isIcp: true, since, limit: shown, includeSyncing: true },
    { staleTime: 30_000 },
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
        <LinkButton to="/leads" search={{ isIcp: true, since }} size="sm">
          See all
        </LinkButton>
      }
    >
      <Loaded query={fitting} lines={6}>
        {({ leads }) =>
          leads.length === 0 ? (
            <Nobody />
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {leads.map((lead) => (
                <li key={lead.id}>
                  <Link
                    to="/leads"
                    search={{ isIcp: true, since: since, lead: lead.id }}
                    className="flex items-start gap-3 px-4 py-3 text-sm hover:bg-sunken"
                  >
                    <Avatar src={lead.avatarUrl ?? null} name={lead.name ?? '?'} size={36} />
                    <span className="min-w-0 flex-1">
                      <span className="flex items-baseline gap-3">
                        <span className="min-w-0 flex-1 truncate">
                          <span className="font-medium">{lead.name ?? 'Name not known yet'}</span>
                          <span className="text-muted">
                            {' '}
                            {[lead.jobTitle, lead.companyName].filter(Boolean).join(', ')}
                          </span>
                        </span>
                        <span className="shrink-0 text-[0.8125rem] text-muted">
                          <TimeAgo at={lead.createdAt} />
                        </span>
                      </span>
                      <span className="block truncate text-[0.8125rem] text-muted">
                        {engagementNames[lead.engagementType]} · {nameOf(lead.sourceId, lead.sourceLabel)}
                      </span>
                      {lead.commentText && (
                        <span className="mt-1 line-clamp-2 block text-ink">“{lead.commentText}”</span>
                      )}
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

function Spend() {
  const burn = useRead('getBurn', { days: '30' }, { staleTime: 60_000 })
  return (
    <Card
      title="Credits"
      actions={
        <LinkButton to="/credits" size="sm">
          Where they go
        </LinkButton>
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

export function Page() {
  return (
    <PageFrame of="/home">
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
        {/* Last, for teams that already have sources; under the wide column on large screens. */}
        <FirstDay />
      </div>
    </PageFrame>
  )
}
