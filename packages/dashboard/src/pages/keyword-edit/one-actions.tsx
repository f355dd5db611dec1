import { contractVersions } from '@les/contract'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { Button, RoleButton, toast } from '../../ui/index.ts'
import type { SearchRow } from '../keyword/words.ts'
import { useGates } from './gates.tsx'

/** Starts a search again that was stopped by hand: with what it is set to, and a run at once. */
function Resume({ row }: { readonly row: SearchRow }): ReactNode {
  const track = useGates(
    useV1Mutation('trackKeyword', { quiet: true, refreshes: ['keywords', 'sources', 'syncs', 'credits'] }),
  )
  const subject = row.expression ? { expression: row.expression } : { keywords: row.keywords ?? [] }
  const start = () =>
    track.run(
      {
        ...subject,
        creditCap: row.creditCap,
        captureMode: row.captureMode,
        datePosted: row.datePosted,
        contractVersion: contractVersions.spend,
      },
      (result) => toast.good('The search goes on', result.syncNotQueuedReason ?? 'A run starts now.'),
    )
  return (
    <>
      <RoleButton
        needs="member"
        variant="primary"
        busy={track.pending}
        icon={<Play aria-hidden="true" size={16} />}
        onClick={start}
      >
        Start again
      </RoleButton>
      {track.error && (
        <p role="alert" className="w-full text-sm text-danger-text">
          {track.error.message}
        </p>
      )}
      {track.dialogs}
    </>
  )
}

/** Starts a search again that has made all its runs or reached its end: every day from now on. */
function Lift({ row }: { readonly row: SearchRow }): ReactNode {
  const edit = useGates(
    useV1Mutation('editKeyword', { quiet: true, refreshes: ['keywords', 'sources', 'syncs', 'credits'] }),
  )
  const lift = () =>
    edit.run({ id: row.id, runOnce: false, maxRuns: null, endAt: null }, (result) =>
      toast.good('The search runs daily again', result.syncNotQueuedReason),
    )
  return (
    <>
      <RoleButton
        needs="member"
        variant="primary"
        busy={edit.pending}
        icon={<Play aria-hidden="true" size={16} />}
        onClick={lift}
      >
        Run daily again
      </RoleButton>
      {edit.error && (
        <p role="alert" className="w-full text-sm text-danger-text">
          {edit.error.message}
        </p>
      )}
      {edit.dialogs}
    </>
  )
}

/** What only a search can do: another one like it, and going on after it was stopped or has ended. */
export function SearchActions({ row }: { readonly row: SearchRow }): ReactNode {
  const navigate = useNavigate()
  return (
    <>
      <Button
        icon={<Copy aria-hidden="true" size={16} />}
        onClick={() => void navigate({ to: '/keyword/new', search: { from: row.id } })}
      >
        Make another like this
      </Button>
      {row.status === 'inactive' && <Resume row={row} />}
      {row.status === 'active' && row.schedule?.stoppedAt && <Lift row={row} />}
    </>
  )
}
