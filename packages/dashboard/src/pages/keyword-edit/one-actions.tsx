import { useNavigate } from '@tanstack/react-router'
import { Copy, Play, Square } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { Button, ConfirmDialog, RoleButton, toast } from '../../ui/index.ts'
import { nameOf, type SearchRow } from '../keyword/words.ts'
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
        contractVersion: '2026-11-01',
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

/** What can be done with a stored search. */
export function Actions({ row }: { readonly row: SearchRow }): ReactNode {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const untrack = useV1Mutation('untrackKeyword', {
    quiet: true,
    done: 'The search was stopped',
    refreshes: ['keywords', 'sources', 'syncs'],
  })
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
      {row.status === 'active' && (
        <RoleButton needs="member" icon={<Square aria-hidden="true" size={14} />} onClick={() => setAsking(true)}>
          Stop
        </RoleButton>
      )}
      <ConfirmDialog
        open={asking}
        onOpen={setAsking}
        title={`Stop “${nameOf(row)}”?`}
        text="A run under way ends, and no more runs are made. Its leads and posts stay, and you can start it again."
        confirm="Stop the search"
        danger
        onConfirm={() => untrack.mutateAsync({ id: row.id })}
      />
    </>
  )
}
