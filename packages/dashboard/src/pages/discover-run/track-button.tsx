import { creditAPersonSaid } from '@les/contract'
import { Radar } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useV1Mutation } from '../../api/index.ts'
import { QuotedDialog } from '../../quotes/index.ts'
import { RoleButton, toast } from '../../ui/index.ts'
import { handleIn, nameOf, type Person } from './person.ts'

/** Watches a person's posts from now on: whoever engages with them is captured. */
export function TrackButton({ person }: { readonly person: Person }): ReactNode {
  const track = useV1Mutation('enrichProfile', { quiet: true, refreshes: ['sources', 'syncs'] })
  const [quoting, setQuoting] = useState(false)
  const handle = handleIn(person.linkedinUrl)
  if (handle === null) return null
  const run = async () => {
    const { syncNotQueuedReason } = await track.mutateAsync({
      username: handle,
      saveTrackedProfile: true,
      creditCapPerSync: bounds.creditCap.default,
    })
    toast.good(
      `${nameOf(person)} is tracked now`,
      syncNotQueuedReason ?? 'Who engages with their posts is captured each day.',
    )
  }
  return (
    <>
      <RoleButton
        needs="member"
        size="sm"
        busy={track.isPending}
        reason={track.isSuccess && `${nameOf(person)} is tracked already.`}
        icon={<Radar aria-hidden="true" size={14} />}
        aria-label={track.isSuccess ? `Tracked: ${nameOf(person)}` : `Track ${nameOf(person)}`}
        onClick={() => setQuoting(true)}
      >
        {track.isSuccess ? 'Tracked' : 'Track'}
      </RoleButton>
      {quoting && (
        <QuotedDialog
          act={{ kind: 'track', sources: 1, mode: 'engagers', creditCapPerSync: bounds.creditCap.default }}
          title={`Track ${nameOf(person)}?`}
          text={`Who engages with their posts is captured about once a day. ${creditAPersonSaid}.`}
          confirm="Track"
          onConfirm={run}
          onClose={() => setQuoting(false)}
        />
      )}
    </>
  )
}
