import { useNavigate } from '@tanstack/react-router'
import { CircleStop, MoreHorizontal, Play, RefreshCw, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { IconButton, Menu, useRefusal, type MenuEntry } from '../../ui/index.ts'
import { SyncDialog } from './sync-dialog.tsx'
import { UntrackDialog } from './untrack.tsx'
import type { SourceHealth } from './use-sources.ts'

/** What can be done with a source in the list. */
export function RowActions({ source }: { readonly source: SourceHealth }): ReactNode {
  const navigate = useNavigate()
  const [stopping, setStopping] = useState(false)
  const [quoting, setQuoting] = useState(false)
  const refusal = useRefusal('member')
  const active = source.status === 'active'
  const entries: MenuEntry[] = [
    {
      label: 'Show its leads',
      icon: <Users aria-hidden="true" size={15} />,
      onSelect: () =>
        void navigate({
          to: '/leads',
          search: active ? { profileId: source.id } : { profileId: source.id, includeInactive: true },
        }),
    },
    ...(active && source.type !== 'keyword'
      ? [
          {
            label: 'Sync now…',
            icon: <RefreshCw aria-hidden="true" size={15} />,
            reason: refusal ?? (source.running && 'A sync is under way already.'),
            onSelect: () => setQuoting(true),
          },
        ]
      : []),
    'separator',
    active
      ? {
          label: 'Stop tracking…',
          icon: <CircleStop aria-hidden="true" size={15} />,
          danger: true,
          reason: refusal,
          onSelect: () => setStopping(true),
        }
      : source.type === 'keyword'
        ? {
            label: 'Start again on its page',
            icon: <Play aria-hidden="true" size={15} />,
            onSelect: () => void navigate({ to: '/sources/$id', params: { id: source.id } }),
          }
        : {
            label: 'Track again…',
            icon: <Play aria-hidden="true" size={15} />,
            reason: refusal,
            onSelect: () => setQuoting(true),
          },
  ]
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
