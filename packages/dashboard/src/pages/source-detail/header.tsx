import { runState } from '@les/contract'
import { Link } from '@tanstack/react-router'
import { CircleStop, Play, RefreshCw, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useRead, useTeam, type ResultOf } from '../../api/index.ts'
import { Button, cx } from '../../ui/button.tsx'
import { WindowButton } from '../../ui/form.tsx'
import { count, countOf, credits, share } from '../../ui/format.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { Badge, Card, lacksCriteria, Loaded, Meter, Notice, warningTone } from '../../ui/show.tsx'
import { TimeAgo, TimeUntil } from '../../ui/text.tsx'
import { SendPreviewDialog } from '../../sends/index.ts'
import type { SearchPart } from '../keyword-edit/parts.tsx'
import { Coverage, stateOf, SyncDialog, UntrackDialog } from '../sources/parts.tsx'
import { useSettings, worstFirst, type Health, type Warning } from './source.ts'

const Part = lazyPart(() => import('../keyword-edit/parts.tsx').then((module) => module.Part), 6)
const QuietPart = lazyPart(() => import('../keyword-edit/parts.tsx').then((module) => module.Part), 0)

/** A part for keyword searches only; `quiet`: shows nothing while the search loads. */
export function OfSearch({ source, part, quiet = false }: { source: Health; part: SearchPart; quiet?: boolean }) {
  const query = useSettings(source)
  if (quiet) return query.data !== undefined && <QuietPart part={part} row={query.data} />
  return <Loaded query={query}>{(row) => <Part part={part} row={row} />}</Loaded>
}

/** True while a sync is not final: people are looked up after the run has ended. */
const isUnderWay = (answer: ResultOf<'getSourceSync'> | undefined): boolean =>
  answer !== undefined && !answer.isFinal && answer.state !== 'idle'

/** The running sync, refreshed by live updates and, should these fail, a slow poll. */
export function LiveSync({ source }: { source: Health }) {
  const { data } = useRead(
    'getSourceSync',
    { id: source.id },
    { refetchInterval: ({ state }) => (source.running || isUnderWay(state.data) ? 5_000 : false), staleTime: 1_000 },
  )
  if (data === undefined || !isUnderWay(data)) return null
  const { progress, enrichment } = data
  const wanted = enrichment.pending + enrichment.completed + enrichment.failed
  return (
    <Card
      title={source.type === 'keyword' ? 'Run under way' : 'Sync under way'}
      text={
        <>
          {runState(data.state).text}
          {data.startedAt && (
            <>
              {' '}
              · began <TimeAgo at={data.startedAt} />
            </>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3" aria-live="polite">
        <Meter
          label="Posts"
          value={progress.postsProcessed}
          max={Math.max(1, progress.postsTotal)}
          text={
            progress.postsTotal === 0
              ? 'looking for posts'
              : `${count(progress.postsProcessed)} of ${count(progress.postsTotal)}`
          }
        />
        {wanted > 0 && <Meter label="People looked up" value={wanted - enrichment.pending} max={wanted} />}
        <p className="text-sm">
          {countOf(progress.leadsCaptured, 'lead')} captured so far
          {progress.leadsTotal > progress.leadsCaptured && (
            <span className="text-muted"> · {count(progress.leadsTotal)} in all</span>
          )}
        </p>
        {source.waiting !== null && <Notice tone="warn">Waiting: {source.waiting}. It continues automatically.</Notice>}
        {data.error && <Notice tone="bad">{data.error}</Notice>}
      </div>
    </Card>
  )
}

/** Sends leads captured before the address was set, and failed ones, after a preview; delivered ones are not sent again. */
export function PushCaptured({ sourceId, icpOnly }: { sourceId: string; icpOnly: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <WindowButton
        opens={(close) => (
          <SendPreviewDialog
            title="Send leads captured before"
            text="To the webhook of this source."
            wanted={{ kind: 'push', leads: { by: 'source', sourceId }, fit: 'webhook' }}
            onClose={close}
          />
        )}
      >
        Send leads captured before…
      </WindowButton>
      <span className="text-[0.8125rem] text-muted">
        {icpOnly
          ? 'Leads that fit and were not delivered yet, and deliveries that failed.'
          : 'All leads not delivered yet, and deliveries that failed.'}
      </span>
    </div>
  )
}

export function Actions({ source }: { source: Health }) {
  const { can, status } = useTeam()
  const [open, setOpen] = useState<'sync' | 'stop' | null>(null)
  const close = () => setOpen(null)
  const writes = can('member')
  const isActive = source.status === 'active'
  const isSearch = source.type === 'keyword'
  const whyNoSync =
    (!writes && 'Only members may start a sync') ||
    (status === 'expired' && 'The free trial has ended: nothing is captured until the team subscribes') ||
    (source.running && 'A sync is under way already')
  return (
    <>
      <LinkButton
        to="/leads"
        search={{
          profileId: source.id,
          ...(isActive ? {} : { includeInactive: true }),
          ...(source.raw && source.leads === 0 ? { tab: 'raw' as const } : {}),
        }}
      >
        <Users aria-hidden="true" size={16} />
        Its leads
      </LinkButton>
      {isSearch && <OfSearch source={source} part="actions" quiet />}
      {isActive && (
        <Button reason={!writes && 'Only members may stop tracking'} icon={CircleStop} onClick={() => setOpen('stop')}>
          Stop tracking
        </Button>
      )}
      {!isSearch && (
        <Button
          variant="primary"
          icon={isActive ? RefreshCw : Play}
          reason={isActive ? whyNoSync : !writes && 'Only members may track sources'}
          onClick={() => setOpen('sync')}
        >
          {isActive ? 'Sync now' : 'Track again'}
        </Button>
      )}
      {open === 'sync' && <SyncDialog source={source} begun="The sync has begun" onClose={close} />}
      <UntrackDialog source={source} open={open === 'stop'} onClose={close} />
    </>
  )
}

const fixes: Partial<
  Record<Warning['kind'], { readonly tab: 'fit' | 'webhook' | 'outreach' | 'settings'; readonly word: string }>
> = {
  no_icp: { tab: 'fit', word: 'Set criteria' },
  low_yield: { tab: 'fit', word: 'Look at the criteria' },
  webhook_disabled: { tab: 'webhook', word: 'Mend the webhook' },
  outreach_paused: { tab: 'outreach', word: 'See the rule' },
  starved: { tab: 'settings', word: 'Raise the limit' },
}

const colours = {
  bad: 'border-danger/40 bg-danger-soft text-danger-text',
  warn: 'border-line bg-warn-soft text-warn-text',
  info: 'border-line bg-info-soft text-info-text',
} as const

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

function Warned({ warning, id }: { warning: Warning; id: string }) {
  const fix = fixes[warning.kind]
  const className = 'shrink-0 font-medium underline underline-offset-2'
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="min-w-0 flex-1">
        <strong className="font-medium">{sentence(warning.text)}</strong> {warning.advice}
      </span>
      {fix ? (
        <Link to="/sources/$id" params={{ id: id }} search={{ tab: fix.tab }} className={className}>
          {fix.word}
        </Link>
      ) : warning.kind === 'out_of_credits' ? (
        <Link to="/credits" className={className}>
          See credits
        </Link>
      ) : null}
    </p>
  )
}

/** The state of a source in one line: its worst warning with the action for it, and the others; else its last run's result. */
function HealthLine({ source }: { source: Health }) {
  const { word, tone } = stateOf(source)
  const [worst, ...others] = worstFirst(source.warnings)
  const { ended, lastRun } = source
  if (ended !== null || worst === undefined)
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        {ended === null ? <Badge tone={tone}>{word}</Badge> : <Badge tone="warn">Ended</Badge>}
        <span className="text-muted">
          {ended === null ? (lastRun?.words ?? 'No run yet') : `${ended} Start it again above.`}
          {ended === null && lastRun?.finishedAt && (
            <>
              {' '}
              (<TimeAgo at={lastRun.finishedAt} />)
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

export function Header({ source }: { source: Health }) {
  const raw = source.rawLeads > 0 && `${count(source.rawLeads)} raw`
  const pending = source.pendingEnrichment > 0 && `${count(source.pendingEnrichment)} being looked up`
  const noCriteria = source.raw ? 'raw leads are not judged' : 'no criteria yet'
  const fitShare = source.leads > 0 && `${share(source.icpLeads, source.leads)} of the leads`
  const silent = source.silentDays
  const figures: readonly (readonly [label: string, value: ReactNode, hint?: string | false])[] = [
    ['Leads', count(source.leads), [raw, pending].filter(Boolean).join(', ')],
    lacksCriteria(source)
      ? ['Fit your criteria', '–', noCriteria]
      : ['Fit your criteria', count(source.icpLeads), fitShare],
    ['Spent in 30 days', credits(source.creditsSpent)],
    ['Coverage', <Coverage key="coverage" coverage={source.coverage} />],
    [
      'Last run',
      <TimeAgo key="last" at={source.lastRun?.finishedAt ?? null} none={source.running ? 'under way' : 'none yet'} />,
    ],
    [
      'Next run',
      <TimeUntil key="next" at={source.nextSyncAt} none="not planned" clock />,
      silent !== null && silent > 0 && `No new lead for ${silent === 1 ? 'a day' : `${silent} days`}`,
    ],
  ]
  return (
    <div className="flex flex-col gap-3">
      <HealthLine source={source} />
      <div className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 lg:grid-cols-6">
        {figures.map(([label, value, hint]) => (
          <div key={label} className="min-w-0 bg-surface px-3 py-2">
            <p className="text-xs text-muted">{label}</p>
            <p className="text-sm font-semibold tabular-nums">{value}</p>
            {hint && <p className="text-xs break-words text-muted">{hint}</p>}
          </div>
        ))}
      </div>
    </div>
  )
}
