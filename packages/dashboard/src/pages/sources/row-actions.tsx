import { useNavigate } from '@tanstack/react-router'
import { CircleStop, MoreHorizontal, Play, RefreshCw, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { IconButton, Menu, useRefusal, type MenuEntry } from '../../ui/index.ts'
import { SyncDialog } from './sync-dialog.tsx'
import { UntrackDialog } from './untrack.tsx'
import type { SourceHealth } from './use-sources.ts'

/** The entries of the menu, in their order; what needs a dialog opens it. */
function useEntries(source: SourceHealth, onSync: () => void, onStop: () => void): readonly MenuEntry[] {
  const navigate = useNavigate()
  const refusal = useRefusal('member')
  const active = source.status === 'active'
  const leads: MenuEntry = {
    label: 'Show its leads',
    icon: <Users aria-hidden="true" size={15} />,
    onSelect: () =>
      void navigate({
        to: '/leads',
        search: active ? { profileId: source.id } : { profileId: source.id, includeInactive: true },
      }),
  }
  const sync: MenuEntry = {
    label: 'Sync now…',
    icon: <RefreshCw aria-hidden="true" size={15} />,
    reason: refusal ?? (source.running && 'A sync is under way already.'),
    onSelect: onSync,
  }
  const stop: MenuEntry = {
    label: 'Stop tracking…',
    icon: <CircleStop aria-hidden="true" size={15} />,
    danger: true,
    reason: refusal,
    onSelect: onStop,
  }
  if (active) return source.type === 'keyword' ? [leads, 'separator', stop] : [leads, sync, 'separator', stop]
  const start: MenuEntry =
    source.type === 'keyword'
      ? {
          label: 'Start again on its page',
          icon: <Play aria-hidden="true" size={15} />,
          onSelect: () => void navigate({ to: '/sources/$id', params: { id: source.id } }),
        }
      : {
          label: 'Track again…',
          icon: <Play aria-hidden="true" size={15} />,
          reason: refusal,
          onSelect: onSync,
        }
  return [leads, 'separator', start]
}

/** What can be done with a source in the list. */
export function RowActions({ source }: { readonly source: SourceHealth }): ReactNode {
  const [stopping, setStopping] = useState(false)
  const [quoting, setQuoting] = useState(false)
  const entries = useEntries(
    source,
    () => setQuoting(true),
    () => setStopping(true),
  )
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={`Actions for ${source.label}`}
            size="sm"
            icon={<MoreHorizontal aria-hidden="true" size={18} />}
          />
        }
        entries={entries}
      />
      {quoting && <SyncDialog source={source} begun={`Syncing ${source.label}`} onClose={() => setQuoting(false)} />}
      <UntrackDialog source={source} open={stopping} onOpen={setStopping} />
    </>
  )
}
