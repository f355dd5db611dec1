import { Link } from '@tanstack/react-router'
import { CircleStop, Play, RefreshCw, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTeam } from '../../api/index.ts'
import { Button, buttonClass } from '../../ui/index.ts'
import { SyncDialog } from '../sources/sync-dialog.tsx'
import { UntrackDialog } from '../sources/untrack.tsx'
import { OfSearch } from './search-part.tsx'
import type { Health } from './source.ts'

/** Why a sync cannot be started now; null when it can. */
function whyNot(source: Health, writes: boolean, expired: boolean): string | null {
  if (!writes) return 'Only members may start a sync'
  if (expired) return 'The free trial has ended: nothing is captured until the team subscribes'
  return source.running ? 'A sync is under way already' : null
}

/** What can be done with a source: sync it, see its leads, stop it or start it again. */
export function Actions({ source }: { readonly source: Health }): ReactNode {
  const { can, status } = useTeam()
  const [stopping, setStopping] = useState(false)
  const [quoting, setQuoting] = useState(false)
  const writes = can('member')
  const active = source.status === 'active'
  const reason = whyNot(source, writes, status === 'expired')
  const syncButton = (
    <Button
      variant="primary"
      icon={<RefreshCw aria-hidden="true" size={16} />}
      reason={reason}
      onClick={() => setQuoting(true)}
    >
      Sync now
    </Button>
  )
  return (
    <>
      <Link
        to="/leads"
        search={{
          profileId: source.id,
          ...(active ? {} : { includeInactive: true }),
          ...(source.raw && source.leads === 0 ? { tab: 'raw' as const } : {}),
        }}
        className={buttonClass()}
      >
        <Users aria-hidden="true" size={16} />
        Its leads
      </Link>
      {source.type === 'keyword' && <OfSearch source={source} part="actions" quiet />}
      {active && (
        <Button
          reason={!writes && 'Only members may stop tracking'}
          icon={<CircleStop aria-hidden="true" size={16} />}
          onClick={() => setStopping(true)}
        >
          Stop tracking
        </Button>
      )}
      {active && source.type !== 'keyword' && syncButton}
      {!active && source.type !== 'keyword' && (
        <Button
          variant="primary"
          reason={!writes && 'Only members may track sources'}
          icon={<Play aria-hidden="true" size={16} />}
          onClick={() => setQuoting(true)}
        >
          Track again
        </Button>
      )}
      {quoting && <SyncDialog source={source} begun="The sync has begun" onClose={() => setQuoting(false)} />}
      <UntrackDialog source={source} open={stopping} onOpen={setStopping} />
    </>
  )
}
