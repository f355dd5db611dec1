import type { ReactNode } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { QuotedDialog } from '../../quotes/index.ts'
import { useTrackAgain } from './untrack.tsx'
import type { SourceHealth } from './use-sources.ts'

/** The quoted yes to a sync of a tracked source, or to tracking one again; `begun` is said once a sync has begun. */
export function SyncDialog({
  source,
  begun,
  onClose,
}: {
  readonly source: SourceHealth
  readonly begun: string
  readonly onClose: () => void
}): ReactNode {
  const again = useTrackAgain()
  const sync = useV1Mutation('startSourceSync', {
    refreshes: ['sources', 'syncs'],
    quiet: true,
    done: (answer) => (answer.queued ? begun : 'A sync is under way already'),
  })
  const active = source.status === 'active'
  return (
    <QuotedDialog
      act={{ kind: active ? 'sync' : 'resume', sourceIds: [source.id] }}
      title={active ? `Sync ${source.label} now?` : `Track ${source.label} again?`}
      text="A person who was charged for this source before costs nothing."
      confirm={active ? 'Sync now' : 'Track again'}
      onConfirm={async () => (active ? sync.mutateAsync({ id: source.id }) : again(source, true))}
      onClose={onClose}
    />
  )
}
