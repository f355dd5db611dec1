import { useNavigate } from '@tanstack/react-router'
import { CircleStop, MoreHorizontal, Play, RefreshCw, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTeam, useV1Mutation } from '../../api/index.ts'
import { IconButton, Menu, type MenuEntry } from '../../ui/index.ts'
import { QuotedDialog } from '../../quotes/index.ts'
import { UntrackDialog, useTrackAgain } from './untrack.tsx'
import type { SourceHealth } from './use-sources.ts'

/** What can be done with a source in the list. */
export function RowActions({ source }: { readonly source: SourceHealth }): ReactNode {
  const { can } = useTeam()
  const navigate = useNavigate()
  const again = useTrackAgain()
  const [stopping, setStopping] = useState(false)
  const [quoting, setQuoting] = useState(false)
  const sync = useV1Mutation('startSourceSync', {
    refreshes: ['sources', 'syncs'],
    quiet: true,
    done: (answer) => (answer.queued ? `Syncing ${source.label}` : 'A sync is under way already'),
  })
  const writes = can('member')
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
            disabled: !writes || source.running,
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
          disabled: !writes,
          onSelect: () => setStopping(true),
        }
      : source.type === 'keyword'
        ? {
            label: 'Resume on its page',
            icon: <Play aria-hidden="true" size={15} />,
            onSelect: () => void navigate({ to: '/keyword/$id', params: { id: source.id } }),
          }
        : {
            label: 'Track again…',
            icon: <Play aria-hidden="true" size={15} />,
            disabled: !writes,
            onSelect: () => setQuoting(true),
          },
    ...(writes ? [] : [{ heading: 'Only members may change sources' }]),
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
      {quoting && (
        <QuotedDialog
          act={{ kind: active ? 'sync' : 'resume', sourceIds: [source.id] }}
          title={active ? `Sync ${source.label} now?` : `Track ${source.label} again?`}
          text="A person who was charged for this source before costs nothing."
          confirm={active ? 'Sync now' : 'Track again'}
          onConfirm={async () => (active ? sync.mutateAsync({ id: source.id }) : again(source, true))}
          onClose={() => setQuoting(false)}
        />
      )}
      <UntrackDialog source={source} open={stopping} onOpen={setStopping} />
    </>
  )
}
