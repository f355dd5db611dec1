import { Radar } from 'lucide-react'
import type { ReactNode } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { RoleButton, toast, useSpend } from '../../ui/index.ts'
import { handleIn, nameOf, type Person } from './person.ts'

/** Watches a person's posts from now on: whoever engages with them is captured. */
export function TrackButton({ person }: { readonly person: Person }): ReactNode {
  const track = useV1Mutation('enrichProfile', { refreshes: ['sources', 'syncs'] })
  const spend = useSpend(track)
  const handle = handleIn(person.linkedinUrl)
  if (handle === null) return null
  const run = () =>
    spend.run({ username: handle, saveTrackedProfile: true }, ({ syncNotQueuedReason }) =>
      toast.good(
        `${nameOf(person)} is tracked now`,
        syncNotQueuedReason ?? 'Who engages with their posts is captured each day.',
      ),
    )
  return (
    <>
      <RoleButton
        needs="member"
        size="sm"
        busy={spend.pending}
        disabled={track.isSuccess}
        icon={<Radar aria-hidden="true" size={14} />}
        aria-label={track.isSuccess ? `Tracked: ${nameOf(person)}` : `Track ${nameOf(person)}`}
        onClick={run}
      >
        {track.isSuccess ? 'Tracked' : 'Track'}
      </RoleButton>
      {spend.dialog}
    </>
  )
}
