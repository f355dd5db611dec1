import { sourceKindNames, sourceWarningNames } from '@les/contract'
import { Building2, MessageSquareText, Search, TriangleAlert, UserRound, type LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import { ask, asksToSpend, useReadPages, useRefresh, useWrite, type ResultOf } from '../../api/index.ts'
import { cx } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { count, share } from '../../ui/format.ts'
import { Badge, warningTone, type Tone } from '../../ui/show.tsx'
import { QuotedDialog, spendWords } from '../../ui/spend.tsx'
import { Avatar } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'

export type SourceHealth = ResultOf<'listSourceHealth'>['sources'][number]

export function useSources(stopped: boolean) {
  const query = useReadPages('listSourceHealth', { includeInactive: stopped ? 'true' : 'false', limit: '100' })
  const all = query.data?.pages.flatMap((page) => page.sources) ?? []
  const rows = stopped ? all.filter((source) => source.status === 'inactive') : all
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  // Stopped sources follow the active ones, so pages with only active ones are skipped.
  const mustGoOn = stopped && rows.length === 0 && hasNextPage && !isFetchingNextPage && !query.isError
  useEffect(() => {
    if (mustGoOn) void fetchNextPage()
  }, [mustGoOn, fetchNextPage])
  return { query, rows, isPending: query.isPending || mustGoOn || (stopped && rows.length === 0 && isFetchingNextPage) }
}

export type Warning = SourceHealth['warnings'][number]

export function WarningBadges({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-1">
      {warnings.map((warning) => (
        <li key={warning.kind} title={`${warning.text} ${warning.advice}`}>
          <Badge tone={warningTone(warning.kind)} icon={TriangleAlert}>
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

export function stateOf(
  source: Pick<SourceHealth, 'status' | 'running' | 'waiting' | 'lastRun' | 'ended' | 'warnings'>,
): { readonly word: string; readonly tone: Tone } {
  if (source.status === 'inactive') return { word: 'Stopped', tone: 'neutral' }
  if (source.waiting !== null) return { word: 'Waiting', tone: 'warn' }
  if (source.running) return { word: 'Syncing', tone: 'info' }
  if (source.ended !== null) return { word: 'Ended', tone: 'neutral' }
  if (source.lastRun === null) return { word: 'Waiting', tone: 'neutral' }
  if (source.lastRun.state === 'failed') return { word: 'Failed', tone: 'bad' }
  // A source with warnings is not healthy; missing criteria are only advice.
  const isWarned = source.warnings.some(({ kind }) => kind !== 'no_icp')
  return isWarned ? { word: 'Done', tone: 'neutral' } : { word: 'Healthy', tone: 'good' }
}

export function Coverage({ coverage }: { coverage: { readonly declared: number; readonly captured: number } | null }) {
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

type SourceKind = SourceHealth['type']

const icons: Readonly<Record<SourceKind, LucideIcon>> = {
  person: UserRound,
  company: Building2,
  post: MessageSquareText,
  keyword: Search,
}

export function Kind({ kind }: { kind: SourceKind }) {
  const Icon = icons[kind]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-muted">
      <Icon aria-hidden="true" size={15} />
      {sourceKindNames[kind]}
    </span>
  )
}

type FaceProps = { source: Pick<SourceHealth, 'type' | 'name' | 'avatarUrl'>; size?: number }

/** The picture of a source: a person's if known, else initials; for posts and searches the icon of the kind. */
export function Face({ source, size = 40 }: FaceProps) {
  const Icon = icons[source.type]
  if ((source.type === 'person' || source.type === 'company') && source.name !== null)
    return <Avatar src={source.avatarUrl} name={source.name} size={size} />
  return (
    <span
      aria-hidden="true"
      className="flex shrink-0 items-center justify-center rounded-full bg-sunken text-muted"
      style={{ width: size, height: size }}
    >
      <Icon size={Math.round(size / 2)} />
    </span>
  )
}

export function sourceAddress(source: { type: SourceKind; username: string }): string | null {
  const path = { person: 'in', company: 'company', post: 'feed/update', keyword: null }[source.type]
  return path && `https://www.linkedin.com/${path}/${encodeURIComponent(source.username)}`
}

type Named = Pick<SourceHealth, 'id' | 'type' | 'username' | 'label'>

export const tracked = ['sources', 'syncs', 'keywords', 'leads'] as const

function untrack(source: Named): Promise<unknown> {
  if (source.type === 'person') return ask('untrackProfile', { username: source.username })
  if (source.type === 'company') return ask('untrackCompany', { username: source.username })
  if (source.type === 'post') return ask('untrackPost', { urn: source.username })
  return ask('untrackKeyword', { id: source.id })
}

/**
 * Tracks a stopped source again, with its id, settings, leads and charges, and reports it in a toast. A quote comes in a toast as
 * well, since the row may be gone by then. A keyword search is resumed on its own page, which asks for more.
 */
function useTrackAgain(): (source: Named, confirmSpend?: boolean) => Promise<void> {
  const refresh = useRefresh()
  const attempt = async ({ type, username, label, ...rest }: Named, confirmSpend = false): Promise<void> => {
    const fields = { username, saveTrackedProfile: true, ...(confirmSpend ? { confirmSpend } : {}) }
    try {
      const { syncNotQueuedReason } = await (type === 'person'
        ? ask('enrichProfile', fields)
        : type === 'company'
          ? ask('enrichCompany', fields)
          : ask('trackPost', { postUrl: username }))
      toast.good(
        `Tracking ${label} again`,
        syncNotQueuedReason ?? 'It continues with its settings, leads and history. A sync has started.',
      )
      refresh(tracked)
    } catch (error) {
      if (asksToSpend(error))
        toast.info(`Tracking ${label} again uses credits`, spendWords(error.body).join('. '), {
          label: 'Spend and go ahead',
          onClick: () => void attempt({ type, username, label, ...rest }, true),
        })
      else toast.bad(error instanceof Error ? error.message : String(error))
    }
  }
  return attempt
}

export function UntrackDialog({ source, open, onClose }: { source: Named; open: boolean; onClose: () => void }) {
  const refresh = useRefresh()
  const again = useTrackAgain()
  const stop = async () => {
    await untrack(source)
    refresh(tracked)
    const undo = source.type === 'keyword' ? undefined : { label: 'Undo', onClick: () => void again(source) }
    toast.good(
      `Stopped tracking ${source.label}`,
      source.type === 'keyword' ? 'Start it again on its page.' : 'Its leads are kept, under “Stopped”.',
      undo,
    )
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Stop tracking ${source.label}?`}
      danger
      confirm="Stop tracking"
      onConfirm={stop}
      text={
        <ul className="flex list-disc flex-col gap-1 pl-5">
          <li>
            Its leads stay, and you can still read, export and send them: choose “also of stopped sources” in the list
            of leads.
          </li>
          <li>A sync under way ends at its next step, and people waiting for enrichment are skipped.</li>
          <li>Credits that were spent are not given back, and nobody is charged twice if you track it again.</li>
          <li>Nothing more is sent to its webhook or campaign.</li>
        </ul>
      }
    />
  )
}

/** Asks, with a quote, to sync a tracked source or to track one again; `begun` is the message when a sync has started. */
export function SyncDialog({ source, begun, onClose }: { source: SourceHealth; begun: string; onClose: () => void }) {
  const again = useTrackAgain()
  const sync = useWrite('startSourceSync', {
    quiet: true,
    done: (answer) => (answer.queued ? begun : 'A sync is under way already'),
  })
  const active = source.status === 'active'
  return (
    <QuotedDialog
      act={{ kind: active ? 'sync' : 'resume', sourceIds: [source.id] }}
      title={active ? `Sync ${source.label} now?` : `Track ${source.label} again?`}
      text="People already charged for this source cost nothing."
      confirm={active ? 'Sync now' : 'Track again'}
      onConfirm={async () => (active ? sync.mutateAsync({ id: source.id }) : again(source, true))}
      onClose={onClose}
    />
  )
}
