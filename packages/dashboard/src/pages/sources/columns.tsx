import { useNavigate } from '@tanstack/react-router'
import { CircleStop, MoreHorizontal, Play, RefreshCw, Users } from 'lucide-react'
import { useState } from 'react'
import { IconButton, useRefusal } from '../../ui/button.tsx'
import { column, countColumn, TwoLines, type Column } from '../../ui/columns.tsx'
import { count, share } from '../../ui/format.ts'
import { NameLink } from '../../ui/link.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { Badge, lacksCriteria } from '../../ui/show.tsx'
import { TimeAgo, TimeUntil } from '../../ui/text.tsx'
import { Coverage, Face, Kind, stateOf, SyncDialog, UntrackDialog, WarningBadges, type SourceHealth } from './parts.tsx'

function RowActions({ source }: { source: SourceHealth }) {
  const navigate = useNavigate()
  const refusal = useRefusal()
  const [open, setOpen] = useState<'sync' | 'stop' | null>(null)
  const { id, status, type } = source
  const isActive = status === 'active'
  const isSearch = type === 'keyword'
  const sync: MenuEntry = {
    label: isActive ? 'Sync now…' : 'Track again…',
    icon: isActive ? RefreshCw : Play,
    reason: refusal ?? (isActive && source.running && 'A sync is under way already.'),
    onSelect: () => setOpen('sync'),
  }
  const onItsPage: MenuEntry = {
    label: 'Start again on its page',
    icon: Play,
    onSelect: () => void navigate({ to: '/sources/$id', params: { id } }),
  }
  const stop: MenuEntry = {
    label: 'Stop tracking…',
    icon: CircleStop,
    danger: true,
    reason: refusal,
    onSelect: () => setOpen('stop'),
  }
  const leads: MenuEntry = {
    label: 'Show its leads',
    icon: Users,
    onSelect: () =>
      void navigate({ to: '/leads', search: { profileId: id, ...(isActive ? {} : { includeInactive: true }) } }),
  }
  return (
    <>
      <Menu
        trigger={<IconButton label={`Actions for ${source.label}`} size="sm" icon={MoreHorizontal} iconSize={18} />}
        entries={
          isActive
            ? [leads, ...(isSearch ? [] : [sync]), 'separator', stop]
            : [leads, 'separator', isSearch ? onItsPage : sync]
        }
      />
      {open === 'sync' && (
        <SyncDialog source={source} begun={`Syncing ${source.label}`} onClose={() => setOpen(null)} />
      )}
      <UntrackDialog source={source} open={open === 'stop'} onClose={() => setOpen(null)} />
    </>
  )
}

function LastRun({ source }: { source: SourceHealth }) {
  const { word, tone } = stateOf(source)
  return (
    <div className="flex max-w-64 min-w-32 flex-col sm:min-w-40 items-start gap-1">
      <span className="flex flex-wrap items-center gap-x-2">
        <Badge tone={tone}>{word}</Badge>
        {source.lastRun?.finishedAt && (
          <span className="text-[0.8125rem] text-muted">
            <TimeAgo at={source.lastRun.finishedAt} />
          </span>
        )}
      </span>
      <span className="text-[0.8125rem] text-muted">
        {source.lastRun === null ? 'No run yet' : source.lastRun.words}
      </span>
    </div>
  )
}

export const sourceColumns: readonly Column<SourceHealth>[] = [
  column('Source', { sortBy: (source) => source.label.toLowerCase() }, (source) => (
    <div className="flex max-w-80 min-w-36 flex-col sm:min-w-44 gap-1">
      <span className="flex items-center gap-2">
        <Face source={source} size={24} />
        <NameLink to="/sources/$id" params={{ id: source.id }}>
          {source.label}
        </NameLink>
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem]">
        <Kind kind={source.type} />
        {source.name !== null && source.name !== source.username && (
          <span className="break-all text-muted">{source.username}</span>
        )}
        {source.mode === 'posts_only' && <Badge>Posts only</Badge>}
        {source.raw && <Badge>Raw</Badge>}
      </span>
      <WarningBadges warnings={source.warnings} />
    </div>
  )),
  column('Last run', { phone: 'whole', sortBy: (source) => source.lastRun?.finishedAt ?? '' }, (source) => (
    <LastRun source={source} />
  )),
  column(
    'Coverage',
    {
      sortBy: (source) =>
        source.coverage && source.coverage.declared > 0 ? source.coverage.captured / source.coverage.declared : -1,
    },
    (source) => <Coverage coverage={source.coverage} />,
  ),
  column('Leads', { align: 'end', sortBy: (source) => source.leads }, (source) => (
    <TwoLines plain first={count(source.leads)} second={source.rawLeads > 0 && `${count(source.rawLeads)} raw`} />
  )),
  column('Fit', { align: 'end', sortBy: (source) => source.icpLeads }, (source) =>
    lacksCriteria(source) ? (
      <span className="text-muted">–</span>
    ) : (
      <TwoLines plain first={count(source.icpLeads)} second={share(source.icpLeads, source.leads)} />
    ),
  ),
  countColumn('Credits, 30 days', (source) => source.creditsSpent),
  column('Next run', { sortBy: (source) => source.nextSyncAt ?? '9' }, (source) => (
    <TimeUntil at={source.nextSyncAt} none="not planned" clock />
  )),
  column('Actions', { hideHeader: true, width: '3rem' }, (source) => <RowActions source={source} />),
]
